# SPDX-License-Identifier: Apache-2.0
"""The three errors of section 5 of formats/FORMAT.md."""


class Bad(Exception):
    pass


class Truncated(Bad):
    pass


class Unsupported(Bad):
    pass


class Corrupt(Bad):
    pass


def corr(condition, what):
    if not condition:
        raise Corrupt(what)


def unsup(condition, what):
    if not condition:
        raise Unsupported(what)

# SPDX-License-Identifier: Apache-2.0
"""The program tdz, which lies beside the module in a package that pip installed: `python -m tdz`, and the command `tdz`."""

import os
import pathlib
import sys


def main() -> None:
    """Becomes the program, so that signals, exit codes and standard streams are its own."""
    program = pathlib.Path(__file__).with_name('tdz')
    try:
        os.execv(program, ['tdz', *sys.argv[1:]])
    except FileNotFoundError:
        sys.exit(f'tdz: this copy of the package has no program ({program} is missing)')


if __name__ == '__main__':
    main()

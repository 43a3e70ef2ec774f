# SPDX-License-Identifier: Apache-2.0
"""A draft decoder of `classes`, section 10 of formats/FORMAT.md, with its example. It judges nothing."""
import page


def untangle(classes, tokens, n, s, g):
    """The tokens of classes in the order of lanes."""
    lanes = [len(range(l, n, s)) for l in range(min(s, n))]
    groups = list(zip(classes, [min(2 ** g, count - i) for count in lanes for i in range(0, count, 2 ** g)]))
    at, out = [sum(size for c, size in groups if c < d) for d in range(8)], b''
    for c, size in groups:
        out, at[c] = out + tokens[at[c]:at[c] + size], at[c] + size
    return out


if __name__ == '__main__':
    tokens = untangle(b'\1\0', bytes.fromhex('03040D10') + b'\1' * 16, 20, 1, 4)
    assert page.untoken(20, 1, 2, 1, 0, (tokens, b'\x60\x91')).tolist() == [1] * 16 + [3, 5, 100, 300]

# SPDX-License-Identifier: Apache-2.0
"""Draft decoders of `classes` and `grid`, section 10 of formats/FORMAT.md, with its examples. They judge nothing."""
import random
import page


def untangle(classes, tokens, n, s, g):
    """The tokens of classes in the order of lanes."""
    lanes = [len(range(l, n, s)) for l in range(min(s, n))]
    groups = list(zip(classes, [min(2 ** g, count - i) for count in lanes for i in range(0, count, 2 ** g)]))
    at, out = [sum(size for c, size in groups if c < d) for d in range(8)], b''
    for c, size in groups:
        out, at[c] = out + tokens[at[c]:at[c] + size], at[c] + size
    return out


def guess(x, i, w, side, s, mode, line, height):
    """g(i) from words before i. side: the choices of mode 8; (shift, coefficients) of each tile of modes 9 and 10."""
    p, y = i % line, i // line
    z, v = (y // height, y % height) if height else (0, y)
    left, top, H = (p - p % (64 * s), v - v % 32, height * line) if mode > 8 else (0, 0, height * line)
    right = min(line, left + 64 * s) if mode > 8 else line
    P = x[i - H] if z else 0
    LP, UP = x[i - H - s] if z and p >= s else P, x[i - H - line] if z and v else P
    ULP = x[i - H - line - s] if z and v and p >= s else P
    L = x[i - s] if p - s >= left else x[i - line] if v > top else P
    U = x[i - line] if v > top else L
    UL = x[i - line - s] if v > top and p - s >= left else L
    UR = x[i - line + s] if v > top and p + s < right else U
    LL, UU = x[i - 2 * s] if p - 2 * s >= left else L, x[i - 2 * line] if v - 1 > top else U
    if mode <= 8:
        chosen = side[y * -(-line // (32 * s)) + p // (32 * s)] if mode == 8 else mode
        return (0, L, U, P, L + U - UL, L + U + P - UL - LP - UP + ULP, UR, 2 * L - LL)[chosen]
    tiles, sign = line // (64 * s) * s + min(line % (64 * s), s), 2 ** (8 * w - 1) if mode == 10 else 0
    shift, factors = side[(z * -(-height // 32) + v // 32) * tiles + p // (64 * s) * s + (p - left) % s]
    total = sum(c * ((q ^ sign) - sign) for c, q in zip(factors, (L, U, UL, UR, LL, UU, P, LP, UP, ULP)))
    return ((total + 2 ** 63) % 2 ** 64 - 2 ** 63) >> shift


def ungrid(e, w, side, s, mode, line, height):
    x = list(e)
    for i in range(len(x) // line * line):
        x[i] = (x[i] + guess(x, i, w, side, s, mode, line, height)) % 2 ** (8 * w)
    return x


if __name__ == '__main__':
    tokens = untangle(b'\1\0', bytes.fromhex('03040D10') + b'\1' * 16, 20, 1, 4)
    assert page.untoken(20, 1, 2, 1, 0, (tokens, b'\x60\x91')).tolist() == [1] * 16 + [3, 5, 100, 300]
    assert ungrid([10, 2, 3, 5, 1, 1, 1, 7, 9], 2, b'', 1, 4, 4, 0) == [10, 12, 15, 20, 11, 14, 18, 30, 9]
    assert ungrid([10, 2, 3, 5, 1, 3, 4, 11, 9], 2, [(1, (1, 1))], 1, 10, 4, 0) == [10, 12, 15, 20, 11, 14, 18, 30, 9]
    R = random.Random(1)
    x = [R.randrange(2 ** 24) for _ in range(3000)]
    side = [(R.randrange(16), [R.randrange(-2 ** 15, 2 ** 15) for _ in range(R.randrange(11))]) for _ in range(1000)]
    for mode, line, height in ((m, *shape) for m in range(11) for shape in ((70, 13), (1, 3), (700, 2), (37, 0))):
        given = side if mode > 8 else [R.randrange(8) for _ in x]
        e = [(a - guess(x, i, 3, given, 3, mode, line, height)) % 2 ** 24 if i < 3000 // line * line else a
             for i, a in enumerate(x)]
        assert ungrid(e, 3, given, 3, mode, line, height) == x, (mode, line, height)

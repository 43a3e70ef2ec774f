# SPDX-License-Identifier: Apache-2.0
# Parity needs no file: a pipe is protected too, and each of several files that stand one after another.
noise 500000 >a
numbers 300000 >b
tdz --protect 10 <a >a.tdz
tdz --protect 20 --type u8x3 <b >>a.tdz
{ head -c 100000 a.tdz && noise 20000 && tail -c +120001 a.tdz | head -c -200; } >hurt.tdz
tdz recover -q hurt.tdz -o out
cat a b | cmp - out
tdz recover -q --archive hurt.tdz -o healed.tdz
same a.tdz healed.tdz
# Without parity nothing is healed, and --archive says so.
tdz b
show tdz recover --archive b.tdz -o c.tdz
#> $ tdz recover --archive b.tdz -o c.tdz
#> tdz: b.tdz: no parity was found in it; leave out --archive to save what is left
#> [1]
[ ! -e c.tdz ]

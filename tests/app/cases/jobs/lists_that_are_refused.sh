# SPDX-License-Identifier: Apache-2.0
numbers 1000 >a
show tdz --filelist missing a
#> $ tdz --filelist missing a
#> tdz: missing: No such file or directory
#> tdz: 1 of 2 files: 1000 B -> *, ratio *
#> tdz: 1 failed: reading or writing
#> [3]
rm a.tdz
show tdz -q --filelist - < <(printf 'a\0b\0')
#> $ tdz -q --filelist -
#> tdz: (stdin): the names end with zero bytes; use --filelist0
#> [1]
show tdz -q --filelist - < <(noise 100000 | tr '\n\0' ab)
#> $ tdz -q --filelist -
#> tdz: (stdin): this is not a list of names: a name is longer than 4096 bytes
#> [1]
show tdz -q --filelist . a
#> $ tdz -q --filelist . a
#> tdz: .: this is a folder; use -r to go through it, or pack it with tar -I tdz
#> [1]
only a a.tdz
# A run that waits for a list can be interrupted.
mkfifo ../silent
exec 3<>../silent
"${default_signals[@]}" tdz --filelist ../silent &
sleep 0.2
kill -INT $!
exit_code_of $!
# shellcheck disable=SC2154
[ "$code" -eq 130 ] || fail "exit code $code"

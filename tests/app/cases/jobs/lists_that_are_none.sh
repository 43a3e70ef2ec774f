# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >a
show tdz --filelist missing a | sed 's/: [0-9].*;/: SIZES;/'
rm a.tdz
show tdz -q --filelist - < <(printf 'a\0b\0')
show tdz -q --filelist - < <(noise 100000 | tr '\n\0' ab)
show tdz -q --filelist . a
only a a.tdz
# A list that does not come waits to be interrupted.
mkfifo ../silent
exec 3<>../silent
"${open_to_signals[@]}" tdz --filelist ../silent &
sleep 0.2
kill -INT $!
exit_code_of $!
# shellcheck disable=SC2154
[ "$code" -eq 130 ] || fail "exit code $code"

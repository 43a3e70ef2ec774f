# SPDX-License-Identifier: Apache-2.0
need_strace
truncate -s 3000000 zeros
tdz -q zeros
rm zeros
code=0
injecting ftruncate:error=ENOSPC -- tdz -T1 -d --sparse zeros.tdz 2>../said || code=$?
[ $code -eq 3 ] || fail "exit code $code"
cat ../said
only zeros.tdz
#> tdz: zeros.tdz: writing zeros: No space left on device

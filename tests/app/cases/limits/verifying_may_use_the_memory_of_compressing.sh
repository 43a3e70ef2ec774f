# SPDX-License-Identifier: Apache-2.0
# The default limit for restoring, a quarter of the memory, is too small for the chunk. --verify may use as much as
# compressing did.
(ulimit -v 900000; tdz --version >/dev/null 2>&1) || skip "this build needs more address space"
head -c 125829120 /dev/zero >data
(ulimit -v 900000; tdz -T1 --chunk 120MiB --verify data) || fail "not verified"
(ulimit -v 900000; tdz -T1 -t data.tdz 2>refused) && fail "the limit is not met here: the test proves nothing"
grep -q "chunks of 120.0 MiB need" refused || fail "$(cat refused)"

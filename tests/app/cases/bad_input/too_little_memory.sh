# SPDX-License-Identifier: Apache-2.0
numbers 3000000 >data
(ulimit -v 150000; tdz --version >/dev/null 2>&1) || skip "this build needs more address space"
(ulimit -v 150000; tdz -T1 --chunk 1GiB data) || code=$?
[ "${code:-0}" -eq 4 ] || fail "exit code ${code:-0}"
only data
#! tdz: data: out of memory; *

# SPDX-License-Identifier: Apache-2.0
noise 3000000 >data
(ulimit -f 1000; tdz data) || code=$?
[ "${code:-0}" -eq 3 ] || fail "exit code ${code:-0}"
only data
#! tdz: data: writing data.tdz: File too large

# SPDX-License-Identifier: Apache-2.0
[ "$(id -u)" -eq 0 ] || skip "only root can give files away"
numbers 1000 >data
chown 1234:2345 data
tdz data
[ "$(stat -c %u:%g data.tdz)" = 1234:2345 ] || fail "owner: $(stat -c %u:%g data.tdz)"

# SPDX-License-Identifier: Apache-2.0
numbers 1000 | tdz -q >one
numbers 700 | tdz -q >two
cat one two >both
from_two() { (dd bs="$(stat -c %s one)" count=1 of=/dev/null status=none && "$@") <both; }
from_two tdz -dc | cmp - <(numbers 700)
from_two tdz -t
from_two tdz recover -q -o restored
cmp restored <(numbers 700)
[ "$(from_two tdz info --json | grep -c '"original_bytes"')" = "$(tdz info --json <two | grep -c '"original_bytes"')" ] ||
  fail "other streams are listed"
from_two tdz -dc --range 0:10 | cmp - <(numbers 700 | head -c 10)

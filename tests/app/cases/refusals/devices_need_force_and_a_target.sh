# SPDX-License-Identifier: Apache-2.0
tdz -f -c /dev/null | tdz -d
tdz -f -o out /dev/null
tdz -dc out
tdz </dev/null | tdz -d
rm out
only

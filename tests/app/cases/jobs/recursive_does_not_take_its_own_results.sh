# SPDX-License-Identifier: Apache-2.0
# Results in the same folder are not taken as sources. A second run processes only the sources again.
mkdir tree
for file in 1 2 3 4 5 6 7 8 9; do numbers 1000 >tree/$file; done
tdz -q -r tree
tdz -q -f -r tree
tdz -q -r --skip-existing tree
[ "$(find tree -type f | wc -l)" -eq 18 ] || fail "$(find tree)"

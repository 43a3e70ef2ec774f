# SPDX-License-Identifier: Apache-2.0
mkdir tree
numbers 1000 | tee tree/a >tree/b
cd tree
for _ in 1 2 3; do tdz -q -f -r . --output-dir out; done
only a b out out/a.tdz out/b.tdz
# With the folder itself as --output-dir the results are those of a run without it.
tdz -q -r . --output-dir .
only a b out out/a.tdz out/b.tdz a.tdz b.tdz

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir tree
numbers 1000 | tee tree/a >tree/b
cd tree
for _ in 1 2 3; do tdz -q -f -r . --output-dir out; done
only a b out out/a.tdz out/b.tdz
# Of the folder itself it makes what it makes without.
tdz -q -r . --output-dir .
only a b out out/a.tdz out/b.tdz a.tdz b.tdz

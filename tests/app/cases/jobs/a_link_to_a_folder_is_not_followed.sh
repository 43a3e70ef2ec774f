# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir tree
numbers 1000 >tree/a
ln -s tree link
show tdz -r link
show tdz -q -r link/
only tree link tree/a tree/a.tdz
# One to a file is, as without -r: it was named.
ln -s tree/a named
tdz -q -r named
only tree link tree/a tree/a.tdz named named.tdz

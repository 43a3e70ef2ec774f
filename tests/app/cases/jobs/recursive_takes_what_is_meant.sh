# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
mkdir -p tree/deep/deeper tree/empty outside
for file in tree/a tree/deep/b tree/deep/deeper/c outside/d tree/.hidden tree/.old-AbCd12.tdz.tmp; do numbers 1000 >$file; done
tdz -o tree/packed.tdz outside/d
ln -s ../outside tree/link
ln -s ../outside/d tree/link_to_file
mkfifo tree/pipe
show tdz -v -r tree | sed 's/: 1000 B.*//'
find . -name '*.tdz' | sort
show tdz -r tree/a
show tdz tree
show tdz -t -r tree
show tdz -r outside/d tree/empty

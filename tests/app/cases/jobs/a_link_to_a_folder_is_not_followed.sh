# SPDX-License-Identifier: Apache-2.0
mkdir tree
numbers 1000 >tree/a
ln -s tree link
show tdz -r link
#> $ tdz -r link
#> tdz: link: -r does not follow a symbolic link; use link/ for its target
#> tdz: 0 of 1 file
#> tdz: 1 failed: refused
#> [1]
show tdz -q -r link/
#> $ tdz -q -r link/
only tree link tree/a tree/a.tdz
# A link to a file is followed if it is named, as without -r.
ln -s tree/a named
tdz -q -r named
only tree link tree/a tree/a.tdz named named.tdz

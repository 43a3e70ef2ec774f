# SPDX-License-Identifier: Apache-2.0
# There is one effort, and --fastest has neither a level nor another layout.
numbers 1000 >data
show tdz --fastest --fast data
#> $ tdz --fastest --fast data
#> tdz: --fastest, --fast and --best exclude each other; give only one of them
#> [1]
show tdz --fastest --best data
#> $ tdz --fastest --best data
#> tdz: --fastest, --fast and --best exclude each other; give only one of them
#> [1]
show tdz --fastest --level 3 data
#> $ tdz --fastest --level 3 data
#> tdz: --fastest packs numbers without zstd, so it has no level; leave out --level or --fastest
#> [1]
show tdz --fastest -9 data
#> $ tdz --fastest -9 data
#> tdz: --fastest packs numbers without zstd, so it has no level; leave out --level or --fastest
#> [1]
show tdz --fastest --layout planes data
#> $ tdz --fastest --layout planes data
#> tdz: data: the fastest effort packs numbers in groups, so it takes no other layout
#> [1]
show tdz analyze --fastest --layout planes data
#> $ tdz analyze --fastest --layout planes data
#> tdz: data: the fastest effort packs numbers in groups, so it takes no other layout
#> [1]
show tdz analyze --fastest --level 3 data
#> $ tdz analyze --fastest --level 3 data
#> tdz: --fastest packs numbers without zstd, so it has no level; leave out --level or --fastest
#> [1]
show tdz --fastest=1 data
#> $ tdz --fastest=1 data
#> tdz: --fastest takes no value; see tdz --help
#> [1]
only data

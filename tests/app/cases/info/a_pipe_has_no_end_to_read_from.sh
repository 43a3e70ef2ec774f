# SPDX-License-Identifier: Apache-2.0
# shellcheck disable=SC2002
numbers 1000 >data
tdz data
cat data.tdz | show tdz info
#> $ tdz info
#> tdz: (stdin): a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]
cat data.tdz | show tdz -l -
#> $ tdz -l -
#> tdz: (stdin): a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]
show tdz info <(cat data.tdz)
#> $ tdz info /dev/fd/*
#> tdz: /dev/fd/*: a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]

# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
tdz data
# No pipeline: tdz may end before cat has written.
show tdz info < <(cat data.tdz)
#> $ tdz info
#> tdz: (stdin): a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]
show tdz -l - < <(cat data.tdz)
#> $ tdz -l -
#> tdz: (stdin): a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]
show tdz info <(cat data.tdz)
#> $ tdz info /dev/fd/*
#> tdz: /dev/fd/*: a pipe cannot be read from its end; save it to a file first, or check it with -t
#> [1]

# SPDX-License-Identifier: Apache-2.0
need script
on_terminal() { script -qec "$1" /dev/null </dev/null | tr -d '\r'; }
on_terminal 'tdz; echo "[$?]"'
on_terminal 'tdz >out; echo "[$?]"' | tail -n 1
on_terminal 'tdz -d >out; echo "[$?]"'
on_terminal 'tdz - >out; echo "[$?]"'
#> tdz compresses files of fixed-width numbers: sensor logs, audio, images, grids.
#>
#>   tdz FILE *
#>   tdz -d FILE.tdz *
#>   tdz --help *
#> [1]
#> [1]
#> tdz: (stdin): standard input is a terminal; name a file, or see tdz --help
#> [1]
#> tdz: (stdin): standard input is a terminal; name a file, or see tdz --help
#> [1]

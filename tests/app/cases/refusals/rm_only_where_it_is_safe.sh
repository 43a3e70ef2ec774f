# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
ln -s data link
mkfifo pipe
show tdz --rm link
#> $ tdz --rm link
#> tdz: link: --rm removes only regular files, not links or pipes
#> [1]
show tdz --rm -o /dev/null data
#> $ tdz --rm -o /dev/null data
#> tdz: data: --rm needs a result on disk, but /dev/null is not a regular file
#> [1]
show tdz --rm -c data
#> $ tdz --rm -c data
#> tdz: --rm needs a result on disk, but standard output may be anything; use -o FILE
#> [1]
numbers 1000 >pipe &
show tdz --rm -o out pipe
#> $ tdz --rm -o out pipe
#> tdz: pipe: --rm removes only regular files, not links or pipes
#> [1]
only data link pipe
tdz -k --rm data
only data data.tdz link pipe

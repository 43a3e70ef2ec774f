# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz help
#> $ tdz help
#> tdz: 'help' is neither a file nor a verb; see tdz --help
#> [1]
show tdz compres data
#> $ tdz compres data
#> tdz: 'compres' is neither a file nor a verb; see tdz --help
#> [1]
show tdz missing.pcm
#> $ tdz missing.pcm
#> tdz: missing.pcm: No such file or directory
#> [3]
show tdz compress missing
#> $ tdz compress missing
#> tdz: missing: No such file or directory
#> [3]
only data

# SPDX-License-Identifier: Apache-2.0
tdz --version | sed 's/1[.]5[.][0-3]; warning: .*/1.5/; /^built without the calls of Linux: no sandbox, /d'
tdz -V | cmp - <(tdz compress --version)
#> tdz [0-9]*.[0-9]*.[0-9]*
#> format 1.1
#> zstd 1.*
#> backend cpu: ?*
#> backend cuda: ?*

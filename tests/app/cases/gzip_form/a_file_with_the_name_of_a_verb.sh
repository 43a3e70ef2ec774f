# SPDX-License-Identifier: Apache-2.0
numbers 1000 | tee compress >y
show tdz compress y
#> $ tdz compress y
#> tdz: compress is read as a verb; to name the file, write ./compress
only compress y y.tdz
show tdz ./compress
#> $ tdz ./compress
only compress compress.tdz y y.tdz

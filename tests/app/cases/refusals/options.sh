# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
numbers 1000 >data
show tdz data --tuple 0
show tdz data --tuple -1
show tdz data --tuple 4294967296
show tdz data --tuple=
show tdz data --order 9
show tdz data --order x
show tdz data --word 3
show tdz data --type i24
show tdz data --type i16x0
show tdz data --type ''
show tdz data --zigzag maybe
show tdz data --layout rows
show tdz data --chunk 3
show tdz data --chunk 2GiB
show tdz data --chunk 64KB
show tdz data --frame 4095
show tdz data --frame 2MiB
show tdz data --chunk 64KiB --frame 128KiB
show tdz data -T-1
show tdz data -T 1.5
show tdz data -T 99999
show tdz data --threads=
show tdz data --level 0
show tdz data -23
show tdz data -0
show tdz data --offset -1
show tdz data --flush 0
show tdz data --flush soon
show tdz data --backend gpu
show tdz data --progress sometimes
show tdz data --type i16 --word 4
show tdz data --type i16x2 --tuple 3
show tdz data --big-endian
show tdz data --nonsense
show tdz data -x
show tdz data -d -t
show tdz data -o x -c
show tdz data -c --rm
show tdz data -c --verify
show tdz data --output
show tdz data -o
show tdz compress --json data
show tdz compress --nonsense data
show tdz decompress -9 data
show tdz --verify=0 data
show tdz --fast=3 data
show tdz --stdout=no data
show tdz --verify
show tdz --verify - -c
only data

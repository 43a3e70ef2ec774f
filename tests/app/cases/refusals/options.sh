# SPDX-License-Identifier: Apache-2.0
numbers 1000 >data
show tdz data --tuple 0
#> $ tdz data --tuple 0
#> tdz: --tuple 0: expected a number from 1 to 4294967295
#> [1]
show tdz data --tuple -1
#> $ tdz data --tuple -1
#> tdz: --tuple -1: expected a number from 1 to 4294967295
#> [1]
show tdz data --tuple 4294967296
#> $ tdz data --tuple 4294967296
#> tdz: --tuple 4294967296: expected a number from 1 to 4294967295
#> [1]
show tdz data --tuple=
#> $ tdz data --tuple=
#> tdz: --tuple '': expected a number from 1 to 4294967295
#> [1]
show tdz data --order 9
#> $ tdz data --order 9
#> tdz: --order 9: expected a number from 0 to 8
#> [1]
show tdz data --order x
#> $ tdz data --order x
#> tdz: --order x: expected a number from 0 to 8
#> [1]
show tdz data --word 3
#> $ tdz data --word 3
#> tdz: --word 3: a word has 1, 2, 4 or 8 bytes
#> [1]
show tdz data --type i12
#> $ tdz data --type i12
#> tdz: --type: unknown type 'i12': expected u8, u16, u32, u64, i8 .. i64, f16, f32, f64, bf16, f8e4m3, f8e5m2, w8 .. w64 or bytes, each with xN for tuples of N, for example f32x3
#> [1]
show tdz data --type i16x0
#> $ tdz data --type i16x0
#> tdz: --type: unknown type 'i16x0': expected u8, u16, u32, u64, i8 .. i64, f16, f32, f64, bf16, f8e4m3, f8e5m2, w8 .. w64 or bytes, each with xN for tuples of N, for example f32x3
#> [1]
show tdz data --type ''
#> $ tdz data --type *
#> tdz: --type: unknown type '': expected u8, u16, u32, u64, i8 .. i64, f16, f32, f64, bf16, f8e4m3, f8e5m2, w8 .. w64 or bytes, each with xN for tuples of N, for example f32x3
#> [1]
show tdz data --zigzag maybe
#> $ tdz data --zigzag maybe
#> tdz: --zigzag maybe: expected one of on, off
#> [1]
show tdz data --layout rows
#> $ tdz data --layout rows
#> tdz: --layout: unknown layout 'rows': expected interleaved, planes, tuple-planes or bit-planes
#> [1]
show tdz data --chunk 3
#> $ tdz data --chunk 3
#> tdz: --chunk 3: expected a size from 64.0 KiB to 1.00 GiB
#> [1]
show tdz data --chunk 2GiB
#> $ tdz data --chunk 2GiB
#> tdz: --chunk 2GiB: expected a size from 64.0 KiB to 1.00 GiB
#> [1]
show tdz data --chunk 64KB
#> $ tdz data --chunk 64KB
#> tdz: --chunk: '64KB' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB
#> [1]
show tdz data --frame 4095
#> $ tdz data --frame 4095
#> tdz: --frame 4095: expected a size from 4.00 KiB to 1.00 GiB
#> [1]
show tdz data --frame 2MiB
#> $ tdz data --frame 2MiB
#> tdz: data: the frame length must be 4 KiB to the chunk length
#> [1]
show tdz data --chunk 64KiB --frame 128KiB
#> $ tdz data --chunk 64KiB --frame 128KiB
#> tdz: --frame 128 KiB is longer than a chunk (64.0 KiB); give a shorter frame
#> [1]
show tdz data -T-1
#> $ tdz data -T-1
#> tdz: --threads -1: expected a number from 0 to 1024
#> [1]
show tdz data -T 1.5
#> $ tdz data -T 1.5
#> tdz: --threads 1.5: expected a number from 0 to 1024
#> [1]
show tdz data -T 99999
#> $ tdz data -T 99999
#> tdz: --threads 99999: expected a number from 0 to 1024
#> [1]
show tdz data --threads=
#> $ tdz data --threads=
#> tdz: --threads '': expected a number from 0 to 1024
#> [1]
show tdz data --level 0
#> $ tdz data --level 0
#> tdz: --level 0: expected a number from 1 to 22
#> [1]
show tdz data -23
#> $ tdz data -23
#> tdz: --level 23: expected a number from 1 to 22
#> [1]
show tdz data -0
#> $ tdz data -0
#> tdz: --level 0: expected a number from 1 to 22
#> [1]
show tdz data --offset -1
#> $ tdz data --offset -1
#> tdz: --offset: '-1' is not a size; write a number of bytes, or 64KiB, 1M, 2GiB
#> [1]
show tdz data --flush 0
#> $ tdz data --flush 0
#> tdz: --flush 0: expected seconds from 0.001 to 86400
#> [1]
show tdz data --flush soon
#> $ tdz data --flush soon
#> tdz: --flush soon: expected seconds from 0.001 to 86400
#> [1]
show tdz data --backend gpu
#> $ tdz data --backend gpu
#> tdz: --backend gpu: expected one of auto, cpu, cuda
#> [1]
show tdz data --progress sometimes
#> $ tdz data --progress sometimes
#> tdz: --progress sometimes: expected one of auto, always, never
#> [1]
show tdz data --type i16 --word 4
#> $ tdz data --type i16 --word 4
#> tdz: --type i16 contradicts --word
#> [1]
show tdz data --type i16x2 --tuple 3
#> $ tdz data --type i16x2 --tuple 3
#> tdz: --type i16x2 contradicts --tuple
#> [1]
show tdz data --big-endian
#> $ tdz data --big-endian
#> tdz: --big-endian needs --type or --word: single bytes have no byte order
#> [1]
show tdz data --nonsense
#> $ tdz data --nonsense
#> tdz: unknown option --nonsense; see tdz --help
#> [1]
show tdz data -x
#> $ tdz data -x
#> tdz: unknown option -x; see tdz --help
#> [1]
show tdz data -d -t
#> $ tdz data -d -t
#> tdz: -d, -t and -l exclude each other; give only one of them
#> [1]
show tdz data -o x -c
#> $ tdz data -o x -c
#> tdz: -o and -c exclude each other; give only one of them
#> [1]
show tdz data -c --rm
#> $ tdz data -c --rm
#> tdz: --rm needs a result on disk, but standard output may be anything; use -o FILE
#> [1]
show tdz data -c --verify
#> $ tdz data -c --verify
#> tdz: --verify needs a result that can be read back; use -o FILE
#> [1]
show tdz data --output
#> $ tdz data --output
#> tdz: --output needs a value; see tdz --help
#> [1]
show tdz data -o
#> $ tdz data -o
#> tdz: -o needs a value; see tdz --help
#> [1]
show tdz compress --json data
#> $ tdz compress --json data
#> tdz: --json is not an option of compress; see tdz compress --help
#> [1]
show tdz compress --nonsense data
#> $ tdz compress --nonsense data
#> tdz: unknown option --nonsense; see tdz compress --help
#> [1]
show tdz decompress -9 data
#> $ tdz decompress -9 data
#> tdz: --level is not an option of decompress; see tdz decompress --help
#> [1]
show tdz --verify=0 data
#> $ tdz --verify=0 data
#> tdz: --verify takes no value; see tdz --help
#> [1]
show tdz --fast=3 data
#> $ tdz --fast=3 data
#> tdz: --fast takes no value; see tdz --help
#> [1]
show tdz --stdout=no data
#> $ tdz --stdout=no data
#> tdz: --stdout takes no value; see tdz --help
#> [1]
show tdz --verify
#> $ tdz --verify
#> tdz: --verify needs a result that can be read back; use -o FILE
#> [1]
show tdz --verify - -c
#> $ tdz --verify - -c
#> tdz: --verify needs a result that can be read back; use -o FILE
#> [1]
only data

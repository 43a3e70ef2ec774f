# SPDX-License-Identifier: Apache-2.0
numbers 1000000 >data
chunks() { tdz "$@" -c data >packed && tdz info --json packed | grep -oE '"chunks":[0-9]+,"chunk_bytes":[0-9]+,"frame_bytes":[0-9]+'; }
chunks
chunks --chunk 64KiB
chunks --chunk 128K --frame 4096
chunks --chunk 1GiB --frame 64k
#> "chunks":1,"chunk_bytes":1048576,"frame_bytes":1048576
#> "chunks":16,"chunk_bytes":65536,"frame_bytes":65536
#> "chunks":8,"chunk_bytes":131072,"frame_bytes":4096
#> "chunks":1,"chunk_bytes":1073741824,"frame_bytes":65536

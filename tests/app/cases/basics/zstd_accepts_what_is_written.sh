# SPDX-License-Identifier: Apache-2.0
need zstd
numbers 300000 >data
tdz --type i16x2 data
zstd -q -t data.tdz
zstd -q -l data.tdz >/dev/null

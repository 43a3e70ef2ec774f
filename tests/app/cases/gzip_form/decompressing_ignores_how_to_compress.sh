# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# tar -I "tdz -9 --type i16" calls it so.
numbers 1000 >data
tdz -9 --type i16 <data >packed
tdz -9 --type i16 -d <packed | cmp - data
tdz -9 --type i16 --chunk 64K --verify -d <packed | cmp - data
show tdz decompress --type i16 packed
show tdz verify -o x packed
show tdz info --rm packed

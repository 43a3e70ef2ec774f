# SPDX-License-Identifier: Apache-2.0
numbers 150003 >data
for type in u8 i8 u16 i16 u32 i32 f32 u64 i64 f64 i16x2 u8x3 f32x3 f64x7 u32x70000 bf16 bf16x2 f8e4m3 f8e5m2x3; do
  tdz compress --type "$type" -c data >packed
  tdz decompress <packed | cmp - data || fail "$type"
done

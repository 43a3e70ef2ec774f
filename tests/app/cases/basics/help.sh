# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
tdz --help | head -n 1
tdz -h | tail -n 3 | head -n 1
for verb in compress decompress verify info analyze recover roundtrip devices; do
  tdz $verb --help | head -n 1
done
for verb in "" compress decompress verify info analyze recover roundtrip devices; do
  [ "$(tdz $verb --help | wc -L)" -le 110 ] || fail "wide: $verb"
done

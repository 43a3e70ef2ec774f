# SPDX-License-Identifier: Apache-2.0
# Also where the search chose more than a list of plain steps: predict for audio, scale for winds.
samples=$(dirname "$0")/../../samples
tdz bench -q --time 0.1 "$samples"/audio_i16x1.bin "$samples"/winds_f32x2.bin | grep ' KiB$'
#> */audio_i16x1.bin: w16, 256 KiB
#> */winds_f32x2.bin: w32x2, 256 KiB

// SPDX-License-Identifier: Apache-2.0
// Pairs of scale, for the tests of the CPU and of the arithmetic of devices.
#pragma once

#include "formats/steps/scale.hpp"

namespace tdz::test {

/// Usual pairs, pairs at the limits, and pairs that no vector may compute.
inline constexpr ScalePair kScalePairs[] = {
    {1, 100},
    {1, 1},
    {0.1, 1},
    {200000, 13107},
    {10, 1},
    {4, 1},
    {1, 10000},
    {1, 24400},
    {3, 7},
    {0x1p-300, 0x1p300},
    {0x1p300, 0x1p-300},
    {0x1p-130, 1},
    {0x1p100, 1},
    {1, 0x1p-40},
    {0x1p-20, 1},
    {0x1p-126, 1},
    {0x1p75, 1},
    {0x1p96, 3},
    {1, 0x1.fffffep-60},
};

}  // namespace tdz::test

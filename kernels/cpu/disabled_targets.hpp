// SPDX-License-Identifier: Apache-2.0
// The instruction sets that no CPU kernel is compiled for. All kernels have the same, so that tests force one
// for all of them. Include this before Highway.
#pragma once

// Carries and squares are arrays of vectors, and arrays cannot hold scalable vectors. So Arm uses NEON.
// AVX-512 would use the same vectors of 32 bytes (vectors-inl.hpp), and there was no such machine for tests.
#define TDZ_NEVER_COMPILED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3 | HWY_AVX3_DL)

#ifdef TDZ_FEWER_TARGETS
#define HWY_DISABLED_TARGETS (TDZ_NEVER_COMPILED_TARGETS | HWY_SSE4 | HWY_SSSE3)
#else
#define HWY_DISABLED_TARGETS TDZ_NEVER_COMPILED_TARGETS
#endif

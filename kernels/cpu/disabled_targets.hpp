// SPDX-License-Identifier: Apache-2.0
// The instruction sets that CPU kernels are not compiled for, and those without vectors. A test forces one
// for all kernels; those that were not compiled for it take the next older one. Include this before Highway.
#pragma once

// Carries and squares are arrays of vectors, and arrays cannot hold scalable vectors. So Arm uses NEON.
// AVX-512 would use the same vectors of 32 bytes (vectors-inl.hpp). So it is compiled only where its
// instructions replace many others: a file that defines TDZ_WITH_AVX512. Highway's AVX3_DL is AVX-512 with
// VBMI, as processors have it since Ice Lake and Zen 4.
#define TDZ_NEVER_COMPILED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_AVX3)

// The sanitizers of tests/run.sh leave it out: each instruction set takes a quarter of the time. Builds
// without optimization leave it out too: there Highway's GetIndex(), which chooses among the instruction sets
// of its file, is not inlined, and the linker keeps one of them for all files, also for those with fewer
// sets.
#if defined(TDZ_WITH_AVX512) && defined(__OPTIMIZE__) && \
    !(defined(TDZ_FEWER_TARGETS) && defined(__SANITIZE_ADDRESS__))
#define HWY_WANT_AVX3_DL
#define TDZ_NO_AVX512 0
#else
#define TDZ_NO_AVX512 HWY_AVX3_DL
#endif

#ifdef TDZ_FEWER_TARGETS
#define HWY_DISABLED_TARGETS (TDZ_NEVER_COMPILED_TARGETS | TDZ_NO_AVX512 | HWY_SSE4 | HWY_SSSE3)
#else
#define HWY_DISABLED_TARGETS (TDZ_NEVER_COMPILED_TARGETS | TDZ_NO_AVX512)
#endif

// Whether the instruction set that is compiled now has no vectors for these kernels. All of them read and
// write words as little-endian machines have them.
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define TDZ_KERNELS_PLAIN 1
#else
#define TDZ_KERNELS_PLAIN (HWY_TARGET == HWY_SCALAR)
#endif

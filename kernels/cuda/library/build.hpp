// SPDX-License-Identifier: Apache-2.0
// C++ types go through the table of libtdz_cuda.so. So both sides must have the same headers and the same compiler.
#pragma once

#include "tdz_headers.hpp"  // made by cmake/headers.cmake

#ifdef _GLIBCXX_DEBUG
#define TDZ_LIBRARY_MODE ", debug containers"
#else
#define TDZ_LIBRARY_MODE ""
#endif

namespace tdz::cuda {

inline constexpr char kBuild[] =
    "tdz " TDZ_VERSION ", headers " TDZ_HEADERS ", compiler " __VERSION__ TDZ_LIBRARY_MODE;

}  // namespace tdz::cuda

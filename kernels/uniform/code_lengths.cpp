// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/code_lengths.hpp"

#include "kernels/uniform/package_merge.hpp"

namespace tdz::uniform {

Lengths code_lengths(const Counts& counts, unsigned limit) {
  Lengths lengths{};
  MergeSpace space;
  find_lengths(OneThread(), counts.data(), kSymbols, limit, space, lengths.data());
  return lengths;
}

}  // namespace tdz::uniform

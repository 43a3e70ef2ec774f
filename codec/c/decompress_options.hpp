// SPDX-License-Identifier: Apache-2.0
// The options of decompression, as the library has them.
#pragma once

#include "codec/c/callbacks.hpp"

namespace tdz::c {

inline DecompressOptions options_of(const tdz_decompress_options& said) {
  DecompressOptions options;
  if (said.offset != 0 || said.length != 0) {
    options.range.emplace(Range{{said.offset}, {}});
    if (said.length != 0) options.range->length = Extent{said.length};
  }
  options.threads = said.threads;
  options.memory = said.memory;
  options.compare_digest = said.compare_digest != 0;
  if (said.max_output != 0) options.max_output = said.max_output;
  return options;
}

}  // namespace tdz::c

// SPDX-License-Identifier: Apache-2.0
#include "formats/steps/single_words.hpp"

namespace tdz {

Result<ByteswapStep> ByteswapStep::read(formats::ParameterReader& in) {
  if (in.length() != 0) return in.wrong_length();
  return ByteswapStep{};
}

Result<ZigzagStep> ZigzagStep::read(formats::ParameterReader& in) {
  if (in.length() != 0) return in.wrong_length();
  return ZigzagStep{};
}

}  // namespace tdz

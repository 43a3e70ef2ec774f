// SPDX-License-Identifier: Apache-2.0
#include "kernels/uniform/fse_weights.hpp"

#include <algorithm>

#include "kernels/uniform/tree_text.hpp"
#include "kernels/uniform/tree_weights.hpp"

namespace tdz::uniform {

std::optional<std::vector<std::byte>> write_fse_weights(std::span<const std::uint8_t> weights) {
  TextSpace space;
  std::ranges::copy(weights, space.weights);
  const unsigned bytes = pack_weights(OneThread(), static_cast<unsigned>(weights.size()), space);
  if (bytes == 0) return std::nullopt;
  std::vector<std::byte> packed(bytes);
  for (unsigned i = 0; i < bytes; ++i) packed[i] = static_cast<std::byte>(packed_byte(space, i));
  return packed;
}

std::optional<Weights> read_fse_weights(std::span<const std::byte> bytes) {
  Weights weights(kMostWeights);
  FseSpace space;
  weights.resize(fse_weights(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                             static_cast<std::uint32_t>(bytes.size()), space, weights.data()));
  if (weights.empty()) return std::nullopt;
  return weights;
}

}  // namespace tdz::uniform

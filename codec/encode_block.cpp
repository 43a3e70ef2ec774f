// SPDX-License-Identifier: Apache-2.0
// Writes lone blocks.
#include "tdz/block.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "codec/chunk/block_input.hpp"
#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/guarded.hpp"
#include "kernels/buffer.hpp"
#include "kernels/float_environment.hpp"
#include "tdz/tdz.hpp"

namespace tdz {
namespace {

using Bytes = std::span<const std::byte>;

/// Runs a call of the library: numbers as FORMAT.md has them, and no exception.
template <class Call>
auto called(const Call& call) -> decltype(call()) {
  const FloatEnvironment usual;
  return guarded(call);
}

std::uint32_t longest_frame(const Plan& plan, Bytes original) {
  if (plan.packing.frame_bytes != 0) return plan.packing.frame_bytes;
  return std::max(formats::kMinFrame, static_cast<std::uint32_t>(original.size()));
}

}  // namespace

struct BlockEncoder::Memory {
  Result<std::size_t> encode(const Plan& plan, Bytes original, std::span<std::byte> out) {
    if (auto good = check_block_length(original.size()); !good) return good.error();
    if (auto good = check_block_plan(plan); !good) return good.error();
    use_level(plan.packing.level != 0 ? plan.packing.level : kDefaultLevel);
    if (auto done = code(recipe_of(plan), original, longest_frame(plan, original)); !done)
      return done.error();
    if (block_bytes() > block_bound(original.size())) {
      // One frame of plain bytes stays within the bound.
      if (auto done = code({}, original, longest_frame(plain_plan(), original)); !done) return done.error();
    }
    return write(out);
  }

 private:
  void use_level(int level) {
    if (level == level_ && encoder_) return;
    encoder_.emplace(level);
    level_ = level;
  }
  Status code(const Recipe& recipe, Bytes original, std::uint32_t frame_bytes) {
    if (auto done = encoder_->encode(original, recipe, frame_bytes, encoded_); !done) return done;
    record_ = formats::serialize(encoded_.record);
    return ok();
  }
  std::size_t block_bytes() const { return record_.size() + encoded_.packed.size(); }
  Result<std::size_t> write(std::span<std::byte> out) const {
    if (out.size() < block_bytes())
      return Error{ErrorKind::limit, "the block has " + std::to_string(block_bytes()) +
                                         " bytes, but there is room for " + std::to_string(out.size())};
    const auto end = std::ranges::copy(record_, out.begin()).out;
    copy_long(encoded_.packed.data(), std::to_address(end), encoded_.packed.size());
    return block_bytes();
  }

  std::optional<ChunkEncoder> encoder_;
  int level_ = 0;
  EncodedChunk encoded_;
  std::vector<std::byte> record_;
};

BlockEncoder::BlockEncoder() : memory_(std::make_unique<Memory>()) {}
BlockEncoder::~BlockEncoder() = default;
BlockEncoder::BlockEncoder(BlockEncoder&&) noexcept = default;
BlockEncoder& BlockEncoder::operator=(BlockEncoder&&) noexcept = default;

Result<std::size_t> BlockEncoder::encode(const Plan& plan, Bytes original, std::span<std::byte> out) {
  return called([&] { return memory_->encode(plan, original, out); });
}

Result<std::size_t> encode_block(const Plan& plan, Bytes original, std::span<std::byte> out) {
  return called([&] { return BlockEncoder().encode(plan, original, out); });
}

Result<std::vector<std::byte>> encode_block(const Plan& plan, Bytes original) {
  return called([&]() -> Result<std::vector<std::byte>> {
    std::vector<std::byte> block(block_bound(original.size()));
    const auto length = BlockEncoder().encode(plan, original, block);
    if (!length) return length.error();
    block.resize(*length);
    return block;
  });
}

}  // namespace tdz

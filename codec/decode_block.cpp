// SPDX-License-Identifier: Apache-2.0
// Reads lone blocks. Knows neither threads nor files, so that browsers can read blocks too (bindings/wasm).

#include "codec/chunk/chunk_coder.hpp"
#include "codec/chunk/guarded.hpp"
#include "codec/chunk/open_block.hpp"
#include "tdz/block.hpp"

namespace tdz {
namespace {

using Bytes = std::span<const std::byte>;

}  // namespace

struct BlockDecoder::Memory {
  ChunkDecoder decoder;

  Result<std::size_t> decode(Bytes block, std::span<std::byte> out) {
    const auto open = open_block(block, out.size());
    if (!open) return open.error();
    const std::size_t length = open->chunk.record.original_bytes;
    if (auto done = decoder.decode(open->chunk, open->after_record, out.first(length)); !done)
      return done.error();
    return length;
  }
  Result<std::vector<std::byte>> decode(Bytes block, std::size_t most) {
    const auto open = open_block(block, most);
    if (!open) return open.error();
    std::vector<std::byte> original(open->chunk.record.original_bytes);
    if (auto done = decoder.decode(open->chunk, open->after_record, original); !done) return done.error();
    return original;
  }
};

BlockDecoder::BlockDecoder() : memory_(std::make_unique<Memory>()) {}
BlockDecoder::~BlockDecoder() = default;
BlockDecoder::BlockDecoder(BlockDecoder&&) noexcept = default;
BlockDecoder& BlockDecoder::operator=(BlockDecoder&&) noexcept = default;

Result<std::size_t> BlockDecoder::decode(Bytes block, std::span<std::byte> out) {
  return guarded([&] { return memory_->decode(block, out); });
}

Result<std::vector<std::byte>> BlockDecoder::decode(Bytes block, std::size_t most) {
  return guarded([&] { return memory_->decode(block, most); });
}

Result<std::uint64_t> block_original_bytes(Bytes block) {
  return guarded([&]() -> Result<std::uint64_t> {
    const auto open = open_record(block);
    if (!open) return open.error();
    return std::uint64_t{open->chunk.record.original_bytes};
  });
}

Result<std::size_t> decode_block(Bytes block, std::span<std::byte> out) {
  return guarded([&] { return BlockDecoder().decode(block, out); });
}

Result<std::vector<std::byte>> decode_block(Bytes block, std::size_t most) {
  return guarded([&] { return BlockDecoder().decode(block, most); });
}

}  // namespace tdz

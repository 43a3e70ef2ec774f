// SPDX-License-Identifier: Apache-2.0
#include "app/bench/measure/packed_chunks.hpp"

#include <algorithm>

#include "formats/plan/made_plans.hpp"
#include "formats/plan/substreams.hpp"

namespace tdz::app::bench {

PackedChunks::PackedChunks(const Coding& coding, std::size_t bytes, std::size_t chunk_bytes)
    : plan_(formats::plan_of(formats::column_of(coding))),
      bytes_(bytes),
      chunk_bytes_(std::min(chunk_bytes, bytes)),
      encoders_((bytes + chunk_bytes_ - 1) / chunk_bytes_),
      chunks_(encoders_.size()) {}

std::size_t PackedChunks::most() const {
  std::uint64_t sum = 0;
  for (const auto& part : formats::substreams(plan_, chunk_bytes_)) sum += part.most;
  return static_cast<std::size_t>(sum);
}

template <class Bytes>
Bytes PackedChunks::part(Bytes numbers, std::size_t chunk) const {
  const std::size_t begin = chunk * chunk_bytes_;
  return numbers.subspan(begin, std::min(chunk_bytes_, bytes_ - begin));
}

Status PackedChunks::pack(std::span<const std::byte> numbers) {
  for (std::size_t i = 0; i < count(); ++i) {
    auto packed = encoders_[i].encode(plan_, {}, part(numbers, i));
    if (!packed) return packed.error();
    chunks_[i] = *std::move(packed);
  }
  return ok();
}

Status PackedChunks::unpack(std::size_t chunk, std::span<const std::byte> groups,
                            std::span<std::byte> numbers) {
  return decoder_.decode(plan_, chunks_[chunk].lengths, groups, part(numbers, chunk));
}

Status PackedChunks::unpack(std::span<std::byte> numbers) {
  for (std::size_t i = 0; i < count(); ++i) {
    if (auto done = unpack(i, groups(i), numbers); !done) return done;
  }
  return ok();
}

void PackedChunks::forget() {
  std::ranges::fill(chunks_, Substreams{});
}

}  // namespace tdz::app::bench

// SPDX-License-Identifier: Apache-2.0
// Inputs, sources, sinks, and functions that take streams apart, for the codec's tests. All random values are
// seeded; a failing test prints its seed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <span>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/names.hpp"
#include "formats/plan/made_plans.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/substreams.hpp"
#include "formats/stream/stream_state.hpp"
#include "tdz/tdz.hpp"

namespace tdz::test {

using Bytes = std::vector<std::byte>;

/// A random walk in little-endian numbers of `word` bytes, with small steps: it compresses well.
inline Bytes walk(std::size_t bytes, unsigned word = 2, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  Bytes out(bytes);
  std::uint64_t value = seed;
  for (std::size_t i = 0; i < bytes; ++i) {
    if (i % word == 0) value += std::uint64_t{random() % 37} - 15;
    out[i] = static_cast<std::byte>(value >> (8 * (i % word)));
  }
  return out;
}

inline Bytes noise(std::size_t bytes, std::uint32_t seed = 1) {
  std::mt19937 random(seed);
  Bytes out(bytes);
  std::ranges::generate(out, [&] { return static_cast<std::byte>(random()); });
  return out;
}

inline CompressOptions options_for(const Plan& plan, std::uint32_t chunk = formats::kMinChunk) {
  CompressOptions options;
  options.plan = plan;
  options.chunk_bytes = chunk;
  options.threads = 1;
  return options;
}

inline CompressOptions options_for(const Column& column, std::uint32_t chunk = formats::kMinChunk) {
  return options_for(formats::plan_of(column), chunk);
}

inline CompressOptions options_for(std::string_view types, std::uint32_t chunk = formats::kMinChunk) {
  return options_for(plan_for(types).value(), chunk);
}

inline Bytes packed(std::span<const std::byte> original, const CompressOptions& options) {
  return compress(original, options).value();
}

inline DecompressOptions one_thread() {
  DecompressOptions options;
  options.threads = 1;
  return options;
}

/// Returns its bytes in pieces of random length and does not know its size, like a pipe.
class PieceSource : public Source {
 public:
  PieceSource(std::span<const std::byte> bytes, std::uint32_t seed, std::size_t longest)
      : rest_(bytes), random_(seed), longest_(longest) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    const std::size_t bytes = std::min({into.size(), rest_.size(), 1 + random_() % longest_});
    std::copy_n(rest_.begin(), bytes, into.begin());
    rest_ = rest_.subspan(bytes);
    return bytes;
  }

 private:
  std::span<const std::byte> rest_;
  std::mt19937 random_;
  std::size_t longest_;
};

class CollectingSink : public Sink {
 public:
  Status write(std::span<const std::byte> bytes) override {
    collected.insert(collected.end(), bytes.begin(), bytes.end());
    return ok();
  }
  Bytes collected;
};

/// Takes bytes at any offset, from any thread.
class PositionedSink : public Sink {
 public:
  Status write(std::span<const std::byte>) override { return Error{ErrorKind::io, "in order"}; }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    const std::scoped_lock lock(mutex_);
    collected.resize(
        std::max<std::size_t>(collected.size(), static_cast<std::size_t>(offset) + bytes.size()));
    std::ranges::copy(bytes, collected.begin() + static_cast<std::ptrdiff_t>(offset));
    return ok();
  }
  Bytes collected;

 private:
  std::mutex mutex_;
};

/// A record with the frames that follow it.
struct Piece {
  formats::RecordKind kind{};
  Bytes bytes;
  std::size_t offset = 0;
};

/// All kinds of records.
inline constexpr formats::Allowed kAnyRecord{true, true, true, true, true};

/// Cuts intact streams into their pieces: HDR, (CHK and frames)*, INDX, END.
inline std::vector<Piece> dissect(std::span<const std::byte> stream) {
  std::vector<Piece> pieces;
  for (std::size_t at = 0; at < stream.size();) {
    const auto rest = stream.subspan(at);
    const auto prefix = formats::parse_prefix(rest, kAnyRecord, at).value();
    std::size_t length = static_cast<std::size_t>(prefix.total_bytes);
    if (prefix.kind == formats::RecordKind::chunk) {
      const auto chunk = parse_with_plan(rest.first(length), {}, at).value();
      length += static_cast<std::size_t>(formats::packed_bytes(chunk.record));
    }
    pieces.push_back({prefix.kind, {rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(length)}, at});
    at += length;
  }
  return pieces;
}

inline Bytes joined(std::span<const Piece> pieces) {
  Bytes out;
  for (const Piece& piece : pieces) out.insert(out.end(), piece.bytes.begin(), piece.bytes.end());
  return out;
}

inline Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Parts of the bytes.
inline Bytes slice(const Bytes& bytes, std::size_t begin, std::size_t length) {
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(length)};
}
inline Bytes head(const Bytes& bytes, std::size_t length) {
  return slice(bytes, 0, length);
}
inline Bytes tail(const Bytes& bytes, std::size_t from) {
  return slice(bytes, from, bytes.size() - from);
}

}  // namespace tdz::test

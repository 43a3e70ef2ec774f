// SPDX-License-Identifier: Apache-2.0
// The bytes of an input, before they are records: reads of exact lengths, files as sources, and what the
// first bytes are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "formats/error.hpp"
#include "kernels/buffer.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- Exact lengths

/// The error for an input that ends at `position`, before the end of its stream.
Error ends_too_early(std::uint64_t position);

/// Reads exact lengths from a Source and counts the position for error messages.
class ExactReader {
 public:
  explicit ExactReader(Source& source) : source_(source) {}

  /// Bytes read so far.
  std::uint64_t position() const { return position_; }
  /// Reads until `into` is full or the input ends. Returns the number of bytes read.
  Result<std::size_t> read_up_to(std::span<std::byte> into);
  /// Fills all of `into`. Error truncated if the input ends before.
  Status read(std::span<std::byte> into);
  /// Reads `bytes` bytes into `memory`, after its first `keep` bytes, which stay. The length may be wrong in
  /// a damaged file: the memory grows as the bytes arrive, to 4 MiB first and then to at most twice what was
  /// read.
  Result<std::span<std::byte>> read_claimed(Buffer& memory, std::size_t keep, std::size_t bytes);
  /// Counts bytes of the source that someone else passed over.
  void add_passed(std::uint64_t bytes) { position_ += bytes; }

 private:
  Source& source_;
  std::uint64_t position_ = 0;
};

// ---- Files

/// A file from its beginning, as a Source that can pass over bytes.
class FileSource final : public Source {
 public:
  /// The file lives longer than this.
  explicit FileSource(RandomAccess& file) : file_(file) {}

  Result<std::size_t> read(std::span<std::byte> into) override {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), file_.size() - at_));
    if (auto done = file_.read_at(at_, into.first(bytes)); !done) return done.error();
    at_ += bytes;
    return bytes;
  }
  std::optional<std::uint64_t> size() const override { return file_.size(); }
  RandomAccess* random_access() override { return &file_; }

  /// Passes over the next bytes, or all that are left. Returns their number.
  std::uint64_t pass(std::uint64_t bytes) {
    const std::uint64_t passed = std::min(bytes, file_.size() - at_);
    at_ += passed;
    return passed;
  }

 private:
  RandomAccess& file_;
  std::uint64_t at_ = 0;
};

// ---- Streams of tdz, and other formats that users often give to tdz by mistake

/// Names the format of a file of another compressor, and what reads it; empty if `head` is none that is known
/// here.
std::string_view foreign_format(std::span<const std::byte> head);

/// `head` holds the bytes at `where`: 32, or fewer if the file ends before. Errors: truncated if they are the
/// beginning of a stream that is cut off, or if there are none; corrupt for anything else. The message names
/// the files that foreign_format knows. With `after_stream` it speaks of data after a stream instead.
Status check_is_stream(std::span<const std::byte> head, std::uint64_t where, bool after_stream);

}  // namespace tdz

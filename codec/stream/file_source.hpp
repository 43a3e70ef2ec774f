// SPDX-License-Identifier: Apache-2.0
// A file from its beginning, as a Source that can pass over bytes.
#pragma once

#include <algorithm>

#include "tdz/tdz.hpp"

namespace tdz {

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

}  // namespace tdz

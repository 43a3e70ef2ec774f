// SPDX-License-Identifier: Apache-2.0
// Source, Sink and RandomAccess over memory.
#pragma once

#include <span>
#include <vector>

#include "tdz/tdz.hpp"

namespace tdz {

class MemoryRandomAccess : public RandomAccess {
 public:
  explicit MemoryRandomAccess(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;
  bool parallel_reads() const override { return true; }

 private:
  std::span<const std::byte> bytes_;
};

class MemorySource : public Source {
 public:
  explicit MemorySource(std::span<const std::byte> bytes) : rest_(bytes), all_(bytes) {}
  Result<std::size_t> read(std::span<std::byte> into) override;
  std::optional<std::uint64_t> size() const override { return all_.size(); }
  RandomAccess* random_access() override { return &all_; }

 private:
  std::span<const std::byte> rest_;
  MemoryRandomAccess all_;
};

class MemorySink : public Sink {
 public:
  Status write(std::span<const std::byte> bytes) override;
  std::vector<std::byte> take() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

/// For bytes that nobody wants.
class NowhereSink final : public Sink {
 public:
  Status write(std::span<const std::byte>) override { return ok(); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t, std::span<const std::byte>) override { return ok(); }
};

}  // namespace tdz

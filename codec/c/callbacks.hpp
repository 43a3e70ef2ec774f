// SPDX-License-Identifier: Apache-2.0
// Source, Sink and RandomAccess over the callbacks of tdz.h.
#pragma once

#include <algorithm>
#include <optional>
#include <stop_token>

#include "codec/c/call.hpp"
#include "tdz/tdz.hpp"

namespace tdz::c {

/// A checked copy of the caller's struct. Errors: usage (no callback; two outputs), unsupported.
Result<tdz_input> read_input(const tdz_input* from);
/// The same of an input at any offset.
Result<tdz_input> read_file(const tdz_input* from);
Result<tdz_output> read_output(const tdz_output* to);

class CallbackFile final : public RandomAccess {
 public:
  explicit CallbackFile(const tdz_input& from) : from_(from) {}
  std::uint64_t size() const override { return from_.bytes; }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override;

 private:
  tdz_input from_;
};

class CallbackSource final : public Source {
 public:
  explicit CallbackSource(const tdz_input& from) : from_(from), file_(from) {}
  Result<std::size_t> read(std::span<std::byte> into) override;
  std::optional<std::uint64_t> size() const override;
  RandomAccess* random_access() override { return from_.read_at != nullptr ? &file_ : nullptr; }

 private:
  Result<std::size_t> read_file(std::span<std::byte> into);

  tdz_input from_;
  CallbackFile file_;
  std::uint64_t at_ = 0;  // of an input that has only read_at
};

class CallbackSink final : public Sink {
 public:
  explicit CallbackSink(const tdz_output& to) : to_(to) {}
  Status write(std::span<const std::byte> bytes) override;
  bool positioned() const override { return to_.write_at != nullptr; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override;

 private:
  tdz_output to_;
};

/// Takes everything and keeps nothing.
class NowhereSink final : public Sink {
 public:
  Status write(std::span<const std::byte>) override { return ok(); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t, std::span<const std::byte>) override { return ok(); }
};

/// The caller's progress callback, and what it wants.
class Watch {
 public:
  Watch(tdz_progress progress, void* user) : progress_(progress), user_(user) {}
  std::stop_token token() const { return stop_.get_token(); }
  /// Empty where the caller has no callback. It refers to this object.
  ProgressCallback callback();
  /// The last call of the callback may come when nothing is left to stop.
  Status wanted_end() const;

 private:
  tdz_progress progress_;
  void* user_;
  std::stop_source stop_;
};

/// Tells the caller what a call did.
void give(const Totals& totals, tdz_totals* out);

}  // namespace tdz::c

// SPDX-License-Identifier: Apache-2.0
// What all functions of tdz.h share: errors as numbers, no exceptions, structs that may be of another age,
// and callbacks as a Source, a Sink and a RandomAccess.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <optional>
#include <span>
#include <stop_token>
#include <type_traits>

#include "formats/error.hpp"
#include "tdz/tdz.h"
#include "tdz/tdz.hpp"

namespace tdz::c {

// ---- Errors and structs

tdz_status status_of(ErrorKind kind);
ErrorKind kind_of(tdz_status status);

/// Writes the error where the caller wants it, and returns its kind.
tdz_status fail(const Error& error, tdz_error* out);
/// An exception that no function of the library should let out.
tdz_status fail(const std::exception& thrown, tdz_error* out);
tdz_status fail(const std::bad_alloc&, tdz_error* out);

/// Error usage names the pointer that is NULL but may not be.
Status required(const void* pointer, const char* name);
/// No bytes need no pointer.
Status required_bytes(const void* bytes, std::size_t count, const char* name);

/// An argument that a call needs; where it is for bytes, only if there are any.
struct Needed {
  const void* pointer;
  const char* name;
  std::size_t bytes = 1;
};

/// Runs a call that returns a Status, if all arguments that it needs are there. No exception leaves it.
template <class Call>
tdz_status guarded(tdz_error* error, std::initializer_list<Needed> arguments, const Call& call) {
  try {
    for (const Needed& needed : arguments) {
      if (auto good = required_bytes(needed.pointer, needed.bytes, needed.name); !good)
        return fail(good.error(), error);
    }
    const Status done = call();
    return done ? TDZ_OK : fail(done.error(), error);
  } catch (const std::bad_alloc& none) {
    return fail(none, error);
  } catch (const std::exception& thrown) {
    return fail(thrown, error);
  }
}

inline std::span<const std::byte> bytes_at(const void* bytes, std::size_t count) {
  return {static_cast<const std::byte*>(bytes), count};
}
inline std::span<std::byte> room_at(void* bytes, std::size_t count) {
  return {static_cast<std::byte*>(bytes), count};
}

/// Judges the members after those that this library knows. If one of them is not 0, the caller wants what
/// this library cannot do.
Status check_tail(const void* from, std::size_t known, std::size_t given);

/// A caller's struct, as long as its `size` says; members that it does not have yet are 0. NULL: all are 0.
template <class T>
Result<T> read_struct(const T* from) {
  static_assert(std::is_trivially_copyable_v<T> && offsetof(T, size) == 0);
  T options{};
  if (from == nullptr) return options;
  const std::size_t given = from->size;
  if (auto good = check_tail(from, sizeof options, given); !good) return good.error();
  std::memcpy(static_cast<void*>(&options), from, std::min(given, sizeof options));
  return options;
}

/// The inverse, for results: `to->size` says how many members the caller knows.
template <class T>
void write_struct(T result, T* to) {
  if (to == nullptr) return;
  result.size = to->size;
  std::memcpy(static_cast<void*>(to), &result, std::min(to->size, sizeof result));
}

// ---- Callbacks

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

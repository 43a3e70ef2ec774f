// SPDX-License-Identifier: Apache-2.0
// What all functions of tdz.h share: errors as numbers, no exceptions, and structs that may be of another
// age.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>

#include "formats/error.hpp"
#include "tdz/tdz.h"

namespace tdz::c {

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

/// The members behind those that this library knows: all of them are 0, or the caller wants what it cannot
/// do.
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

}  // namespace tdz::c

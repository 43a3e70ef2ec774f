// SPDX-License-Identifier: Apache-2.0
// The one error value of tdz, and the result of anything that can fail.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace tdz {

/// The kinds of errors that need different reactions. Truncated, corrupt and unsupported are always told
/// apart: more bytes may repair truncated data, nothing repairs corrupt data, and a newer tdz reads
/// unsupported data.
enum class ErrorKind : std::uint8_t {
  usage,        ///< the request itself makes no sense
  corrupt,      ///< the bytes contradict themselves
  truncated,    ///< the bytes end too early
  unsupported,  ///< the bytes are intact, but this version or build cannot read them
  io,           ///< reading or writing failed
  limit,        ///< memory or another limit was reached
  cancelled,    ///< the caller asked to stop
};

/// One word.
constexpr std::string_view name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::io:
      return "io";
    case ErrorKind::limit:
      return "limit";
    case ErrorKind::cancelled:
      return "cancelled";
  }
  return {};
}

/// `where` is an offset in the stream, in bytes, or kNowhere.
struct Error {
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

  ErrorKind kind = ErrorKind::usage;
  std::string message;
  std::uint64_t where = kNowhere;
};

/// Functions that make errors of these kinds.
inline Error usage(std::string message) {
  return {ErrorKind::usage, std::move(message)};
}
inline Error corrupt(std::string message, std::uint64_t where = Error::kNowhere) {
  return {ErrorKind::corrupt, std::move(message), where};
}
inline Error truncated(std::string message, std::uint64_t where = Error::kNowhere) {
  return {ErrorKind::truncated, std::move(message), where};
}
inline Error unsupported(std::string message, std::uint64_t where = Error::kNowhere) {
  return {ErrorKind::unsupported, std::move(message), where};
}

/// A value or an Error. To ask for the one that is not there throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const noexcept { return state_.index() == 0; }
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T value() && {
    return std::get<0>(std::move(state_));
  }  // by value, because a loop over f().value() would read a destroyed object
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error error() && { return std::get<1>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value is a default-constructed Done.
struct Done {};
using Status = Result<Done>;
inline Status ok() {
  return Done{};
}

namespace formats {

/// What a check found, or nothing.
using Fault = std::optional<Error>;

}  // namespace formats
}  // namespace tdz

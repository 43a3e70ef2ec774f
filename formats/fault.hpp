// SPDX-License-Identifier: Apache-2.0
// Short names for the errors that bytes can cause. FORMAT.md, "Corrupt, truncated, unsupported".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "formats/error.hpp"

namespace tdz::formats {

/// What a check found, or nothing.
using Fault = std::optional<Error>;

inline Error corrupt(std::uint64_t where, std::string message) {
  return {ErrorKind::corrupt, std::move(message), where};
}
inline Error truncated(std::uint64_t where, std::string message) {
  return {ErrorKind::truncated, std::move(message), where};
}
inline Error unsupported(std::uint64_t where, std::string message) {
  return {ErrorKind::unsupported, std::move(message), where};
}

}  // namespace tdz::formats

// SPDX-License-Identifier: Apache-2.0
#include "codec/c/call.hpp"

#include <array>
#include <string>
#include <string_view>

namespace tdz::c {
namespace {

constexpr std::array<std::pair<ErrorKind, tdz_status>, 7> kKinds = {
    {{ErrorKind::usage, TDZ_USAGE},
     {ErrorKind::corrupt, TDZ_CORRUPT},
     {ErrorKind::truncated, TDZ_TRUNCATED},
     {ErrorKind::unsupported, TDZ_UNSUPPORTED},
     {ErrorKind::io, TDZ_IO},
     {ErrorKind::limit, TDZ_LIMIT},
     {ErrorKind::cancelled, TDZ_CANCELLED}}};

/// No struct of options has so many bytes: the size was never set.
constexpr std::size_t kMaxStruct = 4096;

tdz_status put(tdz_status status, std::uint64_t where, std::string_view message, tdz_error* out) {
  if (out == nullptr) return status;
  out->where = where;
  const std::size_t length = message.copy(out->message, sizeof out->message - 1);
  out->message[length] = 0;
  return status;
}

}  // namespace

tdz_status status_of(ErrorKind kind) {
  for (const auto& [ours, theirs] : kKinds)
    if (ours == kind) return theirs;
  return TDZ_IO;
}

ErrorKind kind_of(tdz_status status) {
  for (const auto& [ours, theirs] : kKinds)
    if (theirs == status) return ours;
  return ErrorKind::io;
}

tdz_status fail(const Error& error, tdz_error* out) {
  return put(status_of(error.kind), error.where, error.message, out);
}

tdz_status fail(const std::exception& thrown, tdz_error* out) {
  return put(TDZ_LIMIT, TDZ_NOWHERE, thrown.what(), out);
}

tdz_status fail(const std::bad_alloc&, tdz_error* out) {
  return put(TDZ_LIMIT, TDZ_NOWHERE, "not enough memory", out);
}

Status required(const void* pointer, const char* name) {
  return pointer != nullptr ? ok() : Status(usage(std::string(name) + " must not be NULL"));
}

Status required_bytes(const void* bytes, std::size_t count, const char* name) {
  return count == 0 ? ok() : required(bytes, name);
}

Status check_tail(const void* from, std::size_t known, std::size_t given) {
  if (given < sizeof(std::size_t) || given > kMaxStruct)
    return usage("the first member of a struct must be its size");
  const auto all = bytes_at(from, given);
  const auto tail = all.subspan(std::min(known, given));
  if (std::ranges::all_of(tail, [](std::byte b) { return b == std::byte{0}; })) return ok();
  return unsupported("this libtdz is too old for an option that is set");
}

}  // namespace tdz::c

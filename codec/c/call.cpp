// SPDX-License-Identifier: Apache-2.0
#include "codec/c/call.hpp"

#include <array>
#include <string>
#include <string_view>

namespace tdz::c {

// ---- Errors and structs

namespace {

constexpr std::array<std::pair<ErrorKind, tdz_status>, 7> kKinds = {
    {{ErrorKind::usage, TDZ_USAGE},
     {ErrorKind::corrupt, TDZ_CORRUPT},
     {ErrorKind::truncated, TDZ_TRUNCATED},
     {ErrorKind::unsupported, TDZ_UNSUPPORTED},
     {ErrorKind::io, TDZ_IO},
     {ErrorKind::limit, TDZ_LIMIT},
     {ErrorKind::cancelled, TDZ_CANCELLED}}};

/// No struct of options has more bytes: the caller never set the size.
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

// ---- Callbacks

namespace {

/// What a callback returned, as an error of the call.
Status answer(int code, const char* name, std::uint64_t where = Error::kNowhere) {
  if (code == 0) return ok();
  const ErrorKind kind = kind_of(static_cast<tdz_status>(code));
  return Error{kind, "the caller's function " + std::string(name) + " returned " + std::to_string(code),
               where};
}

}  // namespace

Result<tdz_input> read_input(const tdz_input* from) {
  if (auto good = required(from, "the input"); !good) return good.error();
  auto input = read_struct(from);
  if (input && input->read == nullptr && input->read_at == nullptr)
    return usage("an input needs the function read or read_at");
  return input;
}

Result<tdz_input> read_file(const tdz_input* from) {
  auto input = read_input(from);
  if (input && input->read_at == nullptr) return usage("this call needs an input with the function read_at");
  return input;
}

Result<tdz_output> read_output(const tdz_output* to) {
  if (auto good = required(to, "the output"); !good) return good.error();
  auto output = read_struct(to);
  if (output && (output->write == nullptr) == (output->write_at == nullptr))
    return usage("an output has one of the functions write and write_at");
  return output;
}

// ---- Input

Status CallbackFile::read_at(std::uint64_t offset, std::span<std::byte> into) {
  if (offset > from_.bytes || into.size() > from_.bytes - offset)
    return Error{ErrorKind::io, "read beyond the end", offset};
  if (into.empty()) return ok();
  return answer(from_.read_at(from_.user, offset, into.data(), into.size()), "read_at", offset);
}

Result<std::size_t> CallbackSource::read(std::span<std::byte> into) {
  if (from_.read == nullptr) return read_file(into);
  std::size_t got = 0;
  if (auto done = answer(from_.read(from_.user, into.data(), into.size(), &got), "read"); !done)
    return done.error();
  if (got > into.size())
    return usage("the caller's function read returned more bytes than there was room for");
  return got;
}

Result<std::size_t> CallbackSource::read_file(std::span<std::byte> into) {
  const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), from_.bytes - at_));
  if (auto done = file_.read_at(at_, into.first(bytes)); !done) return done.error();
  at_ += bytes;
  return bytes;
}

std::optional<std::uint64_t> CallbackSource::size() const {
  if (from_.bytes == 0 && from_.read_at == nullptr) return std::nullopt;
  return from_.bytes;
}

// ---- Output

Status CallbackSink::write(std::span<const std::byte> bytes) {
  if (bytes.empty()) return ok();
  return answer(to_.write(to_.user, bytes.data(), bytes.size()), "write");
}

Status CallbackSink::write_at(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (bytes.empty()) return ok();
  return answer(to_.write_at(to_.user, offset, bytes.data(), bytes.size()), "write_at");
}

// ---- Progress and totals

ProgressCallback Watch::callback() {
  if (progress_ == nullptr) return {};
  return [this](const Progress& done) {
    if (progress_(user_, done.original_bytes, done.stored_bytes) != 0) stop_.request_stop();
  };
}

Status Watch::wanted_end() const {
  if (!stop_.stop_requested()) return ok();
  return Error{ErrorKind::cancelled, "the caller's progress function asked to stop"};
}

void give(const Totals& totals, tdz_totals* out) {
  tdz_totals result{};
  result.original_bytes = totals.original_bytes;
  result.stored_bytes = totals.stored_bytes;
  result.chunks = totals.chunks;
  result.streams = totals.streams;
  std::memcpy(result.digest, totals.digest.data(), sizeof result.digest);
  write_struct(result, out);
}

}  // namespace tdz::c

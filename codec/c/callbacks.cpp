// SPDX-License-Identifier: Apache-2.0
#include "codec/c/callbacks.hpp"

#include <string>

namespace tdz::c {
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

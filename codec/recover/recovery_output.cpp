// SPDX-License-Identifier: Apache-2.0
#include "codec/recover/recovery_output.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "codec/pipe/memory_limit.hpp"

namespace tdz {

Status RecoveryOutput::put(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (auto done = skip_to(offset); !done) return done;
  report();
  if (gap_ > 0) {
    if (auto done = write_zeros(std::exchange(gap_, 0)); !done) return done;
  }
  if (auto done = write(bytes); !done) return done;
  position_ += bytes.size();
  return ok();
}

Status RecoveryOutput::skip_to(std::uint64_t offset) {
  const std::uint64_t length = offset - position_;
  if (length == 0) return ok();
  if (missing_ && missing_->length) {
    *missing_->length += length;
  } else {
    report();
    missing_ = {position_, length};
  }
  if (options_.fill == Fill::zeros) gap_ += length;
  if (gap_ > options_.max_output - written_) {
    return Error{ErrorKind::limit, longer_than(options_.max_output)};
  }
  position_ = offset;
  return ok();
}

void RecoveryOutput::lose_the_rest() {
  if (missing_ && missing_->length) report();
  missing_ = {position_, std::nullopt};
}

Status RecoveryOutput::finish() {
  report();
  return gap_ > 0 ? write_zeros(std::exchange(gap_, 0)) : ok();
}

void RecoveryOutput::report() {
  if (!missing_) return;
  ++missing_ranges_;
  if (options_.missing) options_.missing(*missing_);
  missing_.reset();
}

Status RecoveryOutput::write(std::span<const std::byte> bytes) {
  if (bytes.size() > options_.max_output - written_) {
    return Error{ErrorKind::limit, longer_than(options_.max_output)};
  }
  const std::uint64_t place = std::exchange(written_, written_ + bytes.size());
  return sink_.positioned() ? sink_.write_at(place, bytes) : sink_.write(bytes);
}

/// In a positioned output only the last zero is written: bytes that were never written read as zeros.
Status RecoveryOutput::write_zeros(std::uint64_t count) {
  constexpr std::array<std::byte, 4096> kZeros{};
  if (sink_.positioned()) {
    written_ += count - 1;
    count = 1;
  }
  while (count > 0) {
    const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(count, kZeros.size()));
    if (auto done = write(std::span(kZeros).first(piece)); !done) return done;
    count -= piece;
  }
  return ok();
}

}  // namespace tdz

// SPDX-License-Identifier: Apache-2.0
// A decoder for devices, on host memory: what it restores, and which part of that the device did.
#pragma once

#include "codec/device/decode_work.hpp"
#include "tests/codec/devices/host_queue.hpp"
#include "tests/model/judge/ways.hpp"

namespace tdz::test {

/// The wanted bytes of what `work` was given.
inline Result<Bytes> restored_on_device(DecodeWork& work, const std::optional<Range>& range) {
  const auto sizes = work.select(range);
  if (!sizes) return sizes.error();
  if (sizes->original > kMostRoom || sizes->scratch > 4 * kMostRoom)
    return Error{ErrorKind::limit, "the judge has less room"};
  if (auto done = work.load(); !done) return done.error();
  Bytes values(static_cast<std::size_t>(sizes->original));
  const auto scratch = std::make_unique<std::byte[]>(sizes->scratch + kDeviceAlignment);
  const auto address = reinterpret_cast<std::uintptr_t>(scratch.get());
  std::byte* aligned = scratch.get() + (kDeviceAlignment - address % kDeviceAlignment) % kDeviceAlignment;
  if (auto done = work.decode(values.data(), aligned, nullptr); !done) return done.error();
  if (auto done = work.finish(); !done) return done.error();
  const auto first = values.begin() + static_cast<std::ptrdiff_t>(sizes->skip);
  return Bytes(first, first + static_cast<std::ptrdiff_t>(sizes->wanted));
}

/// The answer, then how many chunks the CPU had to decode: from the beginning, and because the device refused
/// them.
inline std::string device_answer(DecodeWork& work, const std::optional<Range>& range = {}) {
  const auto restored = restored_on_device(work, range);
  std::string answer = answer_of(restored);
  if (restored)
    answer += '/' + std::to_string(work.cpu_chunks()) + '/' + std::to_string(work.refused_chunks());
  return answer;
}

}  // namespace tdz::test

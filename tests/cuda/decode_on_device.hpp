// SPDX-License-Identifier: Apache-2.0
// A DeviceDecoder from its opening to the values on the host.
#pragma once

#include <optional>

#include "tdz/device_decoder.hpp"
#include "tests/codec/check_same.hpp"
#include "tests/cuda/device_buffer.hpp"

namespace tdz::test {

struct OnDevice {
  DeviceSizes sizes;
  Result<Bytes> wanted = Error{};  ///< the range
  std::uint64_t refused = 0;
};

inline OnDevice decode_on_device(Result<DeviceDecoder> decoder, const std::optional<Range>& range = {}) {
  OnDevice outcome;
  const auto failed = [&](const Error& error) { return outcome.wanted = error, outcome; };
  if (!decoder) return failed(decoder.error());
  const auto sizes = decoder->select(range);
  if (!sizes) return failed(sizes.error());
  outcome.sizes = *sizes;
  if (auto done = decoder->load(); !done) return failed(done.error());
  testing::DeviceBuffer values(static_cast<std::size_t>(sizes->original)),
      scratch(static_cast<std::size_t>(sizes->scratch));
  values.poison();
  if (auto done = decoder->decode(values.data(), scratch.data(), nullptr); !done) return failed(done.error());
  const auto done = decoder->finish();
  outcome.refused = decoder->refused_chunks();
  if (!done) return failed(done.error());
  const Bytes all = values.get();
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(sizes->skip);
  outcome.wanted = Bytes(first, first + static_cast<std::ptrdiff_t>(sizes->wanted));
  return outcome;
}

}  // namespace tdz::test

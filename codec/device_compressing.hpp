// SPDX-License-Identifier: Apache-2.0
// Compresses a whole file with a device: batches of chunks, several at a time. Until the device has started,
// and if it fails, the CPU encodes.
#pragma once

#include <functional>
#include <string>

#include "codec/batch_encoder.hpp"
#include "codec/device_choice.hpp"

namespace tdz {

/// How a call of compress() uses devices.
struct CompressingUse {
  RandomAccess* file = nullptr;
  std::uint64_t bytes = 0;  ///< of the file, at the start
  BatchRoom room;
  unsigned batches = 1;  ///< at the same time, on all devices together
  unsigned threads = 1;  ///< for each of them
  std::string reason = "as asked for";
};
/// The batches that are at work at the same time.
unsigned compressing_batches(const CompressOptions& options);
/// Their slots, each with a queue: one more waits to be written. A single batch is written before the next
/// one is read.
constexpr std::size_t slots_of(unsigned batches) {
  return batches == 1 ? 1 : batches + 1;
}
/// Whether devices may encode this input, as far as is known before it is read. Error unsupported: the CPU
/// encodes all; it says why.
Status check_input(Source& from, const CompressOptions& options);
/// The same errors.
Result<CompressingUse> compressing_use(Source& from, const Prepared& prepared);

/// As compress(). Nothing is written before a device is there; if none comes, that is the error. Throws
/// std::bad_alloc, and std::system_error if there is no thread for it.
Result<Totals> compress_on_device(const CompressingUse& use, Sink& to, const Prepared& prepared,
                                  DeviceStart& start, const MakeEncodeQueue& make);

/// The same, except that `by_cpu(why)` compresses if no device starts.
Result<Totals> compress_if_one_starts(const CompressingUse& use, Sink& to, const Prepared& prepared,
                                      DeviceStart& start, const MakeEncodeQueue& make,
                                      const std::function<Result<Totals>(const std::string& why)>& by_cpu);

}  // namespace tdz

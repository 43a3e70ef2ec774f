// SPDX-License-Identifier: Apache-2.0
// Compresses a whole file with a device: batches of chunks, several at a time. Until the device has started, and
// if it fails, the CPU encodes.
#pragma once

#include "codec/compress/batch_encoder.hpp"
#include "codec/restore/device_start.hpp"

namespace tdz {

/// How a call of compress() uses devices.
struct CompressingUse {
  RandomAccess* file = nullptr;
  BatchRoom room;
  unsigned batches = 1;  ///< at the same time, on all devices together
  unsigned threads = 1;  ///< for each of them
};
/// The batches that are at work at the same time: so many queues are needed, and one more.
unsigned compressing_batches(const CompressOptions& options);
/// Nothing: the CPU encodes all.
std::optional<CompressingUse> use_for(Source& from, const Prepared& prepared);

/// As compress(). Nothing is written before a device is there; if none comes, that is the error. Throws
/// std::bad_alloc.
Result<Totals> compress_on_device(const CompressingUse& use, Sink& to, const Prepared& prepared,
                                  DeviceStart& start, const MakeEncodeQueue& make);

}  // namespace tdz

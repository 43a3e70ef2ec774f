// SPDX-License-Identifier: Apache-2.0
// Decompresses a whole file with a device: records in order, then batches of chunks, several at a time. Until
// the device has started, and if it fails, the CPU decodes.
#pragma once

#include <cstdint>
#include <string>

#include "codec/device_choice.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// How a call of decompress() uses a device.
struct DecompressingUse {
  RandomAccess* file = nullptr;  ///< null: the CPU decodes all
  bool required = false;         ///< the caller asked for the device, so it is an error if it is not there
  unsigned batches = kBatchesAtOnce;                ///< at the same time, on all devices together
  std::uint64_t batch = 0;                          ///< bytes of the original in a batch
  std::uint64_t memory = 0;                         ///< of the host, for a batch
  std::uint64_t device_memory = ~std::uint64_t{0};  ///< of a device, for a batch
  std::uint32_t largest_chunk = 0;
  std::string reason;  ///< for this choice; empty: it goes without saying
  DeviceStart::Make make;
};

/// Error unsupported: the caller asked for a device, and there is none.
/// `to`: null if nobody wants the bytes.
Result<DecompressingUse> decompressing_use(Source& from, const Sink* to, const DecompressOptions& options);

/// As restore(). Precondition: use.file is not null. Throws std::bad_alloc.
Result<Totals> decompress_on_device(const DecompressingUse& use, Sink* to, const DecompressOptions& options);

}  // namespace tdz

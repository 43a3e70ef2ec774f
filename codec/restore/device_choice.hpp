// SPDX-License-Identifier: Apache-2.0
// Whether a device decodes a whole file, and from which size on it is faster.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "codec/restore/device_start.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

/// Batches that are read, copied and decoded at the same time on one device. So reading, both directions of
/// the bus and the kernels overlap. An H200 verifies 16 GiB up to 8 % sooner with six than with four; eight are
/// no faster.
inline constexpr unsigned kBatchesAtOnce = 6;

/// For one byte of a batch: itself, its packed form, the same in device memory, and room to work in.
inline constexpr std::uint64_t kBatchNeeds = 4;

/// Before devices have started, nobody knows how many all are: then more than two share the batches of two.
std::size_t devices_for(const DeviceOptions& options);

/// A chip, and the original sizes from which it takes less time for a file than the CPU, its start included.
struct PayingChip {
  std::string_view name;  ///< a part of CUDA's name
  std::uint64_t verify_from = 0;
  std::uint64_t restore_from = 0;
  std::uint64_t compress_from = 0;
};
using PaysFrom = std::uint64_t PayingChip::*;
/// Null for a chip that nobody measured: then `automatic` is the CPU.
const PayingChip* paying_chip(std::string_view name);

/// A shorter file is done before a device has started.
inline constexpr std::uint64_t kShortFile = 64u << 20;

/// Starts devices; that fails with Error unsupported if the first one does not pay for so many bytes. The same error
/// at once if no chip does.
Result<DeviceStart::Make> start_if_it_pays(PaysFrom from, std::uint64_t original, const DeviceOptions& options,
                                           std::size_t queues);
/// The reason for a note.
std::string it_pays_for(std::uint64_t original);

/// How a call of decompress() uses a device.
struct DeviceUse {
  RandomAccess* file = nullptr;       ///< null: the CPU decodes all
  bool required = false;              ///< the caller asked for the device, so it is an error if it is not there
  unsigned batches = kBatchesAtOnce;  ///< at the same time, on all devices together
  std::uint64_t batch = 0;            ///< bytes of the original in a batch
  std::uint64_t memory = 0;           ///< of the host, for a batch
  std::uint64_t device_memory = ~std::uint64_t{0};  ///< of a device, for a batch
  std::uint32_t largest_chunk = 0;
  std::string reason;     ///< for this choice; empty: it goes without saying
  DeviceStart::Make make;
};

/// Error unsupported: the caller asked for a device, and there is none.
/// `to`: null if nobody wants the bytes.
Result<DeviceUse> choose_device(Source& from, const Sink* to, const DecompressOptions& options);

}  // namespace tdz

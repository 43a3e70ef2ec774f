// SPDX-License-Identifier: Apache-2.0
// Whether a device decodes a whole file.
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

/// A chip, and the original size from which it decodes a file in less time than the CPU, its start included.
struct PayingChip {
  std::string_view name;  ///< a part of CUDA's name
  std::uint64_t verify_from = 0;
  std::uint64_t restore_from = 0;
};
/// Null for a chip that nobody measured: then `automatic` is the CPU.
const PayingChip* paying_chip(std::string_view name);

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

// SPDX-License-Identifier: Apache-2.0
// The devices of a call of compress() or decompress(): their start, from which size of a file on they are
// faster than the CPU, and what became of them.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "codec/stream/pipeline.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

// ---- Their start

/// Starts devices while others already work: that takes a quarter of a second. Thread-safe.
class DeviceStart {
 public:
  using Make = std::function<Result<cuda::DecodeQueues>()>;

  /// Calls `make` in a thread of its own. Throws std::system_error if there is none.
  explicit DeviceStart(Make make)
      : ready_(std::async(std::launch::async, [this, makes = std::move(make)] { keep(makes()); })) {}

  /// A queue that nobody has. Null if the devices are not ready yet. Errors: those of `make`.
  Result<std::unique_ptr<cuda::DecodeQueue>> take();
  /// Waits for the devices. While it waits, take() does not. Errors: those of `make`.
  Status wait();
  /// What devices did, for a note. Precondition: wait() found no error. For `decode`: "NVIDIA H200 decodes 3
  /// of 4 chunks", or "2 GPUs decode 3 of 4 chunks".
  std::string note(const std::string& verb, std::uint64_t done, std::uint64_t chunks) const;

 private:
  void keep(Result<cuda::DecodeQueues> made);

  std::mutex mutex_;
  cuda::DecodeQueues found_;
  Status status_ = ok();
  std::shared_future<void> ready_;  // the last one: its thread uses all others
};

/// The Error limit for a std::system_error.
Error no_thread();

/// As guarded(), for calls that may use devices. Only the way to a device throws std::system_error, before
/// anything is written.
template <class Call>
auto guarded_with_devices(const Call& call) -> decltype(call()) {
  try {
    return guarded(call);
  } catch (const std::system_error&) {
    return no_thread();
  }
}

// ---- Whether they pay

/// Batches that are read, copied and decoded at the same time on one device. So reading, both directions of
/// the bus and the kernels overlap. An H200 verifies 16 GiB up to 8 % sooner with six than with four; eight
/// are no faster.
inline constexpr unsigned kBatchesAtOnce = 6;

/// For one byte of a batch, in device memory: itself, its packed form, two places for its words between
/// steps, and tables: at most 4.2 bytes.
inline constexpr std::uint64_t kBatchNeeds = 5;

/// The number of devices by which batches are counted. If the caller asks for all devices, nobody knows their
/// number before they have started: then it is two, and more devices share the batches of two.
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

/// Starts devices; that fails with Error unsupported if the first one does not pay for this original. The
/// same error at once if no chip does.
Result<DeviceStart::Make> start_if_it_pays(PaysFrom from, std::uint64_t original,
                                           const DeviceOptions& options, std::size_t queues);
/// The reason for a note.
std::string it_pays_for(std::uint64_t original);

// ---- What became of them

/// What a call knows about its devices, by their numbers. Thread-safe.
class DeviceRecord {
 public:
  explicit DeviceRecord(WarningCallback warn) : warn_(std::move(warn)) {}

  /// Whether the device may be used for the next batch.
  bool trusted(int device) const;
  /// After Error limit (too little memory) the device may go on, after any other error it may not.
  void failed(int device, const Error& error);
  /// It restored other bytes than those that belong to a digest.
  void was_wrong(int device);
  void add_chunks(std::uint64_t count) { chunks_ += count; }
  /// How many chunks the devices did.
  std::uint64_t chunks() const { return chunks_; }

 private:
  void take_note(int device, bool lost, std::string_view reason);

  std::atomic<std::uint64_t> chunks_ = 0;
  mutable std::mutex mutex_;
  std::set<int> lost_;
  WarningCallback warn_;
};

}  // namespace tdz

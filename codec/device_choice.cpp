// SPDX-License-Identifier: Apache-2.0
#include "codec/device_choice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {

// ---- Their start

Result<std::unique_ptr<cuda::DecodeQueue>> DeviceStart::take() {
  const std::lock_guard lock(mutex_);
  if (!status_) return status_.error();
  if (found_.queues.empty()) return std::unique_ptr<cuda::DecodeQueue>();
  auto queue = std::move(found_.queues.back());
  found_.queues.pop_back();
  return queue;
}

Status DeviceStart::wait() {
  ready_.get();
  const std::lock_guard lock(mutex_);
  return status_;
}

std::string DeviceStart::note(const std::string& verb, std::uint64_t done, std::uint64_t chunks) const {
  const auto& devices = found_.devices;
  const std::string who = devices.size() == 1 ? devices[0].name + " " + verb + "s "
                                              : std::to_string(devices.size()) + " GPUs " + verb + " ";
  return who + std::to_string(done) + " of " + std::to_string(chunks) + " chunks";
}

void DeviceStart::keep(Result<cuda::DecodeQueues> made) {
  const std::lock_guard lock(mutex_);
  if (made)
    found_ = *std::move(made);
  else
    status_ = made.error();
}

Error no_thread() {
  return {ErrorKind::limit, "the system starts no further thread, but a GPU needs one; use the CPU instead"};
}

// ---- Whether they pay

namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

constexpr std::array kPayingChips = {
    // With 16 cores, November 2026, of the time of the CPU: to verify 4 GiB 1 to 1.3, 8 GiB 0.6 to 0.7, 16
    // GiB 0.35 to
    // 0.43; to restore 1, because pages of the new file bind both; to compress 16 GiB 0.71 to 0.77.
    PayingChip{"H200", 8 * kGiB, kNever, 16 * kGiB},
    // The same: 4 GiB 0.57 to 1.2, 8 GiB 0.53 to 0.61, 16 GiB 0.3 to 0.39; to restore 0.92 to 0.97; to
    // compress 16 GiB 0.59 to 0.7.
    PayingChip{"H100 80GB HBM3", 8 * kGiB, kNever, 16 * kGiB},
};

std::string in_gib(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + kGiB / 2) / kGiB;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

std::string slower_than_cpu(const std::string& chip, std::uint64_t pays_from) {
  if (pays_from == kNever) return chip + " is no faster than the CPU";
  return chip + " is faster only from " + in_gib(pays_from) + " on";
}

/// Starts the devices, if the first one pays.
Result<cuda::DecodeQueues> start_paying(PaysFrom from, std::uint64_t original, const DeviceOptions& options,
                                        std::size_t queues) {
  const auto device = use_cuda_device(options.first());
  if (!device) return device.error();
  const PayingChip* chip = paying_chip(device->name);
  if (chip == nullptr)
    return unsupported("it is not known from which size on " + device->name + " is faster");
  if (original < chip->*from) return unsupported(slower_than_cpu(device->name, chip->*from));
  return cuda::make_cuda_decode_queues(options.numbers, queues);
}

}  // namespace

std::size_t devices_for(const DeviceOptions& options) {
  constexpr std::size_t kUsualDevices = 2;
  return options.numbers.empty() ? kUsualDevices : options.numbers.size();
}

const PayingChip* paying_chip(std::string_view name) {
  if (name.find("MIG") != std::string_view::npos) return nullptr;  // a part of a chip
  const auto found = std::ranges::find_if(
      kPayingChips, [&](const PayingChip& chip) { return name.find(chip.name) != std::string_view::npos; });
  return found == kPayingChips.end() ? nullptr : &*found;
}

std::string it_pays_for(std::uint64_t original) {
  return "it pays for " + in_gib(original);
}

Result<DeviceStart::Make> start_if_it_pays(PaysFrom from, std::uint64_t original,
                                           const DeviceOptions& options, std::size_t queues) {
  std::uint64_t least = kNever;
  for (const PayingChip& chip : kPayingChips) least = std::min(least, chip.*from);
  if (least == kNever) return unsupported("no GPU does this faster");
  if (original < least) return unsupported(in_gib(original) + " are too few for a GPU");
  return DeviceStart::Make([=] { return start_paying(from, original, options, queues); });
}

// ---- What became of them

bool DeviceRecord::trusted(int device) const {
  const std::lock_guard lock(mutex_);
  return !lost_.contains(device);
}

void DeviceRecord::failed(int device, const Error& error) {
  take_note(device, error.kind != ErrorKind::limit, error.message);
}

void DeviceRecord::was_wrong(int device) {
  take_note(device, true, "it restored a chunk that does not match its digest");
}

void DeviceRecord::take_note(int device, bool lost, std::string_view reason) {
  const std::lock_guard lock(mutex_);
  if (lost) lost_.insert(device);
  const WarningCallback warn = std::exchange(warn_, nullptr);
  if (warn)
    warn("device " + std::to_string(device) + " failed, so the CPU continues: " + std::string(reason));
}

}  // namespace tdz

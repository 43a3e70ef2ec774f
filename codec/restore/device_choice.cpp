// SPDX-License-Identifier: Apache-2.0
#include "codec/restore/device_choice.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "codec/chunk/backend_choice.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {
namespace {

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();

constexpr std::array kPayingChips = {
    // With 16 cores, November 2026, of the time of the CPU: to verify 4 GiB 1 to 1.3, 8 GiB 0.6 to 0.7, 16 GiB 0.35 to
    // 0.43; to restore 1, because pages of the new file bind both; to compress 16 GiB 0.71 to 0.77.
    PayingChip{"H200", 8 * kGiB, kNever, 16 * kGiB},
    // The same: 4 GiB 0.57 to 1.2, 8 GiB 0.53 to 0.61, 16 GiB 0.3 to 0.39; to restore 0.92 to 0.97; to compress 16 GiB 0.59 to 0.7.
    PayingChip{"H100 80GB HBM3", 8 * kGiB, kNever, 16 * kGiB},
};

/// Batches of 32 and of 128 MiB are no faster: copies fill the bus.
constexpr std::uint64_t kUsualBatch = 64u << 20;

/// What the ends of the streams say.
struct FileFacts {
  std::uint64_t original = 0;  ///< what is wanted of it
  std::uint32_t largest_chunk = 0;
  bool uniform = false;  ///< there are frames for a GPU
};

bool has_uniform_plan(RandomAccess& file, const FoundStream& stream) {
  if (stream.end.chunks == 0) return false;
  const auto part = read_part(file, stream, stream.end.last_index, stream.end_offset());
  return part && std::ranges::any_of(part->part.plans, [](const auto& bytes) {
           const auto plan = formats::parse_plan(bytes);
           return plan && plan->coding == Coding::uniform;
         });
}

/// Nothing if the file is damaged.
std::optional<FileFacts> facts_of(RandomAccess& file, const std::optional<Range>& range) {
  const auto streams = find_streams(file);
  if (!streams) return std::nullopt;
  FileFacts facts;
  for (const FoundStream& stream : *streams) {
    facts.original += stream.end.original_bytes;
    facts.largest_chunk = std::max(facts.largest_chunk, stream.header.largest_chunk);
    facts.uniform = facts.uniform || has_uniform_plan(file, stream);
  }
  if (!range) return facts;
  const auto bytes = byte_range(*range, streams->front().header.type);
  if (!bytes) return std::nullopt;
  facts.original = std::min(facts.original, bytes->end) - std::min(facts.original, bytes->begin);
  return facts;
}

std::string in_gib(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + kGiB / 2) / kGiB;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

/// How many batches, their memory of the host and of a device, and how long they may be.
void size_batches(const DecompressOptions& options, DeviceUse& use) {
  const bool all = options.device.numbers.empty();
  use.batches = static_cast<unsigned>(kBatchesAtOnce * devices_for(options.device));
  const std::uint64_t memory = options.memory != 0 ? options.memory : usual_memory();
  use.memory = (memory - memory / 4) / use.batches;  // a quarter is for records
  use.batch = std::min(kUsualBatch, use.memory / kBatchNeeds);
  if (options.device.memory == 0) return;
  use.device_memory = options.device.memory / (all ? use.batches : kBatchesAtOnce);  // all may be a single one
  use.batch = std::min(use.batch, use.device_memory / kBatchNeeds);
}

/// Why the CPU decodes this input, whatever device there is. Empty: a device may.
std::string reason_for_cpu(RandomAccess* file, const std::optional<FileFacts>& facts, const DeviceUse& use) {
  if (file == nullptr || !file->parallel_reads()) return "the input is not a file";
  if (!facts) return "the file is damaged or cut, or the range is wrong";
  if (!facts->uniform) return "the file has no frames for a GPU";
  if (facts->largest_chunk > use.batch) return "the chunks are too long for the memory that a GPU may use";
  return {};
}

std::string slower_than_cpu(const std::string& chip, std::uint64_t pays_from) {
  if (pays_from == kNever) return chip + " is no faster than the CPU";
  return chip + " is faster only from " + in_gib(pays_from) + " on";
}

/// Starts the devices, if the first one pays.
Result<cuda::DeviceQueues> start_paying(PaysFrom from, std::uint64_t original, const DeviceOptions& options,
                                        std::size_t queues) {
  const auto device = use_cuda_device(options.first());
  if (!device) return device.error();
  const PayingChip* chip = paying_chip(device->name);
  if (chip == nullptr) return unsupported("it is not known from which size on " + device->name + " is faster");
  if (original < chip->*from) return unsupported(slower_than_cpu(device->name, chip->*from));
  return cuda::make_cuda_queues(options.numbers, queues);
}

/// The caller asked for the device.
Result<DeviceUse> required(DeviceUse use, std::string reason, const DeviceOptions& options) {
  use.required = true;
  if (!reason.empty()) {
    if (auto usable = check_device(options); !usable) return usable.error();
    use.file = nullptr;
    use.reason = std::move(reason);
    return use;
  }
  use.reason = "as asked for";
  use.make = [options, batches = use.batches]() -> Result<cuda::DeviceQueues> {
    auto made = cuda::make_cuda_queues(options.numbers, batches);
    if (!made) return not_available(made.error());
    return made;
  };
  return use;
}

DeviceUse on_cpu(std::string reason) {
  DeviceUse use;
  use.reason = std::move(reason);
  return use;
}

/// The device if it pays.
DeviceUse automatic(DeviceUse use, const Sink* to, const FileFacts& facts, const DecompressOptions& options) {
  const PaysFrom from = to == nullptr ? &PayingChip::verify_from : &PayingChip::restore_from;
  auto make = start_if_it_pays(from, facts.original, options.device, use.batches);
  if (!make) return on_cpu(make.error().message);
  use.reason = it_pays_for(facts.original);
  use.make = *std::move(make);
  return use;
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

Result<DeviceStart::Make> start_if_it_pays(PaysFrom from, std::uint64_t original, const DeviceOptions& options,
                                           std::size_t queues) {
  std::uint64_t least = kNever;
  for (const PayingChip& chip : kPayingChips) least = std::min(least, chip.*from);
  if (least == kNever) return unsupported("no GPU does this faster");
  if (original < least) return unsupported(in_gib(original) + " are too few for a GPU");
  return DeviceStart::Make([=] { return start_paying(from, original, options, queues); });
}

Result<DeviceUse> choose_device(Source& from, const Sink* to, const DecompressOptions& options) {
  if (options.backend == BackendChoice::cpu) return on_cpu({});
  const bool asked = options.backend == BackendChoice::cuda;
  DeviceUse use;
  use.file = from.random_access();
  if (!asked && use.file != nullptr && use.file->size() < kShortFile) return on_cpu({});
  if (!asked && options.compare_digest) return on_cpu("it computes the digest of the whole original");
  size_batches(options, use);
  const auto facts = use.file != nullptr ? facts_of(*use.file, options.range) : std::nullopt;
  std::string reason = reason_for_cpu(use.file, facts, use);
  if (facts) use.largest_chunk = facts->largest_chunk;
  if (asked) return required(std::move(use), std::move(reason), options.device);
  return reason.empty() ? automatic(std::move(use), to, *facts, options) : on_cpu(std::move(reason));
}

}  // namespace tdz

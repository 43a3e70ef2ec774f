// SPDX-License-Identifier: Apache-2.0
#include "codec/roundtrip/sides.hpp"

#include <algorithm>
#include <utility>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/device/decode_work.hpp"
#include "codec/device/encode_work.hpp"
#include "codec/device/places.hpp"
#include "codec/search/uniform/uniform_columns.hpp"
#include "formats/digest.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "formats/plan/plan_rules.hpp"
#include "kernels/cpu/sweep.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"

namespace tdz {
namespace {

std::uint32_t longest_frame(std::span<const std::byte> original) {
  return std::max(formats::kMinFrame, static_cast<std::uint32_t>(original.size()));
}

// ---- The CPU

class CpuSide {
 public:
  Status encode(std::span<const std::byte> original, const Plan& plan, int level, EncodedChunk& out) {
    use_level(level);
    return encoder_->encode(original, {plan, {}, {}}, longest_frame(original), out);
  }
  /// With the plan of the record: plain bytes take the place of packed groups that are no shorter.
  Status decode(const EncodedChunk& coded, std::span<std::byte> restored) {
    auto plan = formats::parse_plan(coded.record.plan);
    if (!plan) return plan.error();
    return decoder_.decode({coded.record, *std::move(plan)}, coded.packed, restored);
  }

 private:
  /// Keeps only one encoder, not one for each level: zstd's contexts are large.
  void use_level(int level) {
    if (std::exchange(level_, level) != level) encoder_.emplace(level);
  }

  int level_ = 0;
  std::optional<ChunkEncoder> encoder_;
  ChunkDecoder decoder_;
};

// ---- A device

class DeviceSide {
 public:
  DeviceSide(std::unique_ptr<cuda::DecodeQueue> queue, std::unique_ptr<cuda::EncodeQueue> encode_queue,
             std::uint64_t memory)
      : memory_(memory),
        encode_(std::move(encode_queue), EncodeRequest{}, 1),
        decode_(std::move(queue), {.threads = 1}) {}

  /// The CPU codes what no device codes, as in files.
  Status encode(std::span<const std::byte> original, const Plan& plan, int level, EncodedChunk& out) {
    EncodeRequest request;
    request.plan = plan;
    request.plan_bytes = formats::serialize(plan);
    request.lengths = {static_cast<std::uint32_t>(original.size())};
    request.frame_bytes = longest_frame(original);
    request.to_host = true;
    encode_.take_request(std::move(request));
    if (encode_.sizes().cpu_chunks != 0) return cpu_.encode(original, plan, level, out);
    return encode_on_device(original, out);
  }

  Status decode(const EncodedChunk& coded, std::span<std::byte> restored) {
    block_ = formats::serialize(coded.record);
    block_.insert(block_.end(), coded.packed.begin(), coded.packed.end());
    const std::span<const std::byte> blocks[] = {block_};
    decode_.take_blocks(blocks);
    const auto sizes = decode_.select({});
    if (!sizes) return sizes.error();
    const auto values = values_room(sizes->original, sizes->scratch);
    if (!values) return values.error();
    std::byte* scratch = *values + rounded(sizes->original, kDeviceAlignment);
    if (auto done = decode_.load(scratch); !done) return done;
    // What the device does not write stays as it is in `restored`.
    if (auto done = queue().copy_up(*values, restored); !done) return done;
    if (auto done = decode_.decode(*values, scratch, queue().stream()); !done) return done;
    // These are the values of the device. After judge() the CPU has replaced what the device refused. judge()
    // ends the call of decode() also where the device failed: otherwise no other chunk could be decoded.
    auto copied = queue().wait();
    if (copied) copied = queue().copy_down(restored, *values);
    auto judged = judge();
    return copied ? judged : copied;
  }

 private:
  cuda::DecodeQueue& queue() { return decode_.queue(); }

  /// Device memory: the values, then scratch.
  Result<std::byte*> values_room(std::uint64_t original, std::uint64_t scratch) {
    const std::uint64_t bytes = rounded(original, kDeviceAlignment) + scratch;
    if (bytes > memory_)
      return Error{ErrorKind::limit, "a chunk takes " + std::to_string(bytes) +
                                         " bytes of the GPU, but may take " + std::to_string(memory_)};
    if (auto current = queue().make_current(); !current) return current.error();
    return queue().memory(static_cast<std::size_t>(bytes));
  }

  Status encode_on_device(std::span<const std::byte> original, EncodedChunk& out) {
    const auto sizes = encode_.sizes();
    const auto values = values_room(sizes.original, sizes.scratch);
    if (!values) return values.error();
    if (auto done = encode_.prepare(); !done) return done;
    if (auto done = queue().copy_up(*values, original); !done) return done;
    std::byte* scratch = *values + rounded(sizes.original, kDeviceAlignment);
    const auto packed = out.memory.take(static_cast<std::size_t>(sizes.packed));
    if (auto done = encode_.encode(*values, packed.data(), scratch, queue().stream()); !done) return done;
    auto made = encode_.finish_chunks();
    if (!made) return made.error();
    EncodeWork::EncodedByDevice& chunk = made->front();
    if (chunk.record.digest != formats::xxh3_64(original))
      return Error{ErrorKind::io, "the device encoded other bytes than those of the chunk"};
    out.record = std::move(chunk.record);
    out.packed = packed.subspan(static_cast<std::size_t>(chunk.record_at + chunk.record_bytes),
                                static_cast<std::size_t>(chunk.packed_bytes));
    return ok();
  }

  Status judge() {
    if (auto done = decode_.judge(); !done) return done;
    if (const auto& error = decode_.errors().front()) return *error;
    if (decode_.wrong_chunks() != 0) return corrupt("the restored bytes do not match their digest");
    if (decode_.refused_chunks() != 0) return Error{ErrorKind::io, "the device refused a chunk that is good"};
    return ok();
  }

  std::uint64_t memory_;
  CpuSide cpu_;
  EncodeWork encode_;
  DecodeWork decode_;
  std::vector<std::byte> block_;
};

/// Chunks of uniform blocks take less of a device, in both directions.
constexpr std::uint64_t kChunksOfMemory = 8;

/// Bytes that all sides together may take.
std::uint64_t granted_memory(const DeviceOptions& options, const DeviceInfo& device) {
  const std::uint64_t wanted = options.memory != 0 ? options.memory : device.free_memory / 4;
  return std::min(wanted, device.free_memory / 2);
}

}  // namespace

RoundtripSide cpu_side() {
  const BackendInfo info = cpu::backend_info();
  const auto side = std::make_shared<CpuSide>();
  return {std::string(info.name), info.detail, false,
          [side](auto original, const Plan& plan, int level, EncodedChunk& out) {
            return side->encode(original, plan, level, out);
          },
          [side](const EncodedChunk& coded, const Plan&, auto restored) {
            return side->decode(coded, restored);
          }};
}

RoundtripSide device_side(std::unique_ptr<cuda::DecodeQueue> queue,
                          std::unique_ptr<cuda::EncodeQueue> encode_queue, std::string description,
                          std::uint64_t memory) {
  const auto side = std::make_shared<DeviceSide>(std::move(queue), std::move(encode_queue), memory);
  return {"cuda", std::move(description), true,
          [side](auto original, const Plan& plan, int level, EncodedChunk& out) {
            return side->encode(original, plan, level, out);
          },
          [side](const EncodedChunk& coded, const Plan&, auto restored) {
            return side->decode(coded, restored);
          }};
}

Result<std::vector<RoundtripSide>> device_sides(const DeviceOptions& device, unsigned count,
                                                std::uint64_t chunk_bytes) {
  const auto found = use_cuda_device(device.first());
  if (!found) return not_available(found.error());
  const std::uint64_t granted = granted_memory(device, *found);
  const auto fitting = std::max<std::uint64_t>(granted / (kChunksOfMemory * chunk_bytes), 1);
  const auto sides = static_cast<unsigned>(std::min<std::uint64_t>(count, fitting));
  auto made = cuda::make_cuda_decode_queues({found->number}, sides);
  if (!made) return not_available(made.error());
  std::vector<RoundtripSide> list;
  for (auto& queue : made->queues) {
    auto encode_queue = cuda::make_cuda_encode_queue();
    if (!encode_queue) return not_available(encode_queue.error());
    list.push_back(
        device_side(std::move(queue), *std::move(encode_queue), description(*found), granted / sides));
  }
  return list;
}

std::optional<Plan> gpu_plan(const Plan& plan) {
  if (is_packed(plan.columns.front())) return std::nullopt;
  constexpr TokenCode kCode{3, 1};  // any code will do for every word
  const auto drafts = uniform_drafts(plan.columns.front(), false);
  if (drafts.empty()) return std::nullopt;
  Plan gpu{Coding::uniform, {with_tokens(drafts.front(), kCode)}};
  if (!formats::check(gpu)) return std::nullopt;
  return gpu;
}

}  // namespace tdz

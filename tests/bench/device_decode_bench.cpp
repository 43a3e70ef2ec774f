// SPDX-License-Identifier: Apache-2.0
// How fast does tdz::DeviceDecoder decode a stream, digests compared? The chunks of a cut of a file are
// repeated to a stream of each size. Two ways: packed bytes in device memory, and in pinned host memory.
//
//     device_decode_bench FILE WIDTH TUPLE ORDER RUN LIMIT KIB_OF_A_CHUNK MOST_MIB [MiB of a slice]...
//
// Or a .tdz file as it is, packed bytes in device memory; or its chunks repeated, so that a short file shows
// the speed of the plan that was chosen for it:
//
//     device_decode_bench STORED ORIGINAL [MiB [blocks | MiB of a slice]]
//
// With `blocks` the chunks are lone blocks. `fresh` is a decoder that sees the bytes for the first time, from
// select() to the end of finish(): the median of some; the first of a process also waits for CUDA to load
// kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string_view>
#include <vector>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_writer.hpp"
#include "formats/digest.hpp"
#include "formats/plan/plan_bytes.hpp"
#include "tdz/device_decoder.hpp"
#include "tests/bench/device_bench.hpp"
#include "tests/bench/wanted_plan.hpp"

namespace tdz {
namespace {

using namespace testing;

constexpr int kRounds = 12, kWarm = 2;

struct Wanted {
  const char* file;
  WantedPlan plan;
  std::uint32_t chunk;  ///< bytes
  std::uint64_t most;
  std::vector<std::uint64_t> slices;
};

/// Memory that does not grow.
class RoomSink final : public Sink {
 public:
  explicit RoomSink(std::size_t most) { bytes.reserve(most); }
  Status write(std::span<const std::byte> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return ok();
  }
  Bytes bytes;
};

struct Chunk {
  Bytes original;
  EncodedChunk encoded;
};

std::vector<Chunk> chunks_of(const Wanted& wanted) {
  std::ifstream file(wanted.file, std::ios::binary);
  const std::size_t group = wanted.plan.group();
  std::vector<Chunk> chunks;
  chunks.reserve(4);  // a record points into its chunk
  Recipe recipe;
  ChunkEncoder encoder(kDefaultLevel);
  while (chunks.size() < 4) {
    Bytes original(std::max<std::size_t>(group, wanted.chunk / group * group));
    if (!file.read(reinterpret_cast<char*>(original.data()), std::ssize(original))) break;
    if (chunks.empty()) recipe.plan = plan_of(wanted.plan, best_code(wanted.plan, original));
    const std::size_t original_bytes = original.size();
    chunks.push_back({std::move(original), {}});
    if (!encoder.encode(chunks.back().original, recipe, static_cast<std::uint32_t>(original_bytes),
                        chunks.back().encoded))
      std::exit(1);
  }
  return chunks;
}

Bytes stream_of(std::vector<Chunk>& chunks, std::uint64_t bytes) {
  std::size_t packed = 0, original = 0;
  for (const Chunk& chunk : chunks)
    packed += chunk.encoded.packed.size() + 32768, original += chunk.original.size();
  RoomSink sink(static_cast<std::size_t>(bytes / original + 2) * packed);
  formats::StreamHeader header;
  header.largest_chunk = static_cast<std::uint32_t>(chunks[0].original.size());
  header.largest_frame = header.largest_chunk;
  StreamWriter writer(sink, header, false);
  for (std::size_t i = 0; writer.original_bytes() < bytes; ++i) {
    Chunk& chunk = chunks[i % chunks.size()];
    if (!writer.write_chunk(chunk.original, chunk.encoded)) std::exit(1);
  }
  if (!writer.finish()) std::exit(1);
  MemoryRandomAccess written(sink.bytes);
  if (const auto found = inspect(written); !found) std::puts(found.error().message.c_str()), std::exit(1);
  return std::move(sink.bytes);
}

struct Timing {
  double device = 0;  ///< between two events around decode(), the median of all rounds
  double call = 0;    ///< of the host in decode()
};

Timing time_of(DeviceDecoder& decoder, const DeviceBuffer& values, const DeviceBuffer& scratch) {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  DeviceTimer timer(stream);
  std::vector<double> device, call;
  for (int round = 0; round < kRounds; ++round) {
    const auto called = Clock::now();
    timer.begin();
    const Status decoded = decoder.decode(values.data(), scratch.data(), stream);
    timer.end();
    const double host = since(called);
    check(cudaStreamSynchronize(stream), "stream");
    const Status good = decoded ? decoder.finish() : decoded;
    if (!good || decoder.refused_chunks() != 0)
      std::printf("  WRONG: %s, %llu refused\n", good ? "" : good.error().message.c_str(),
                  static_cast<unsigned long long>(decoder.refused_chunks()));
    if (round >= kWarm) device.push_back(timer.milliseconds()), call.push_back(host);
  }
  check(cudaStreamDestroy(stream), "stream");
  return {median(device), median(call)};
}

/// Makes a decoder that has seen nothing.
using Open = std::function<Result<DeviceDecoder>()>;

struct Fresh {
  double first = 0;  ///< all, of the first decoder
  double open = 0, select = 0, load = 0, all = 0;
};

Fresh time_of_fresh(const Open& open, const DeviceBuffer& values, const DeviceBuffer& scratch) {
  cudaStream_t stream{};
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
  std::vector<double> opens, selects, loads, all;
  for (int round = 0; round < kRounds; ++round) {
    const auto opening = Clock::now();
    auto decoder = open();
    if (!decoder) break;
    opens.push_back(since(opening));
    const auto begin = Clock::now();
    const auto sizes = decoder->select();
    selects.push_back(since(begin));
    const auto selected = Clock::now();
    Status done = sizes ? decoder->load() : Status(sizes.error());
    loads.push_back(since(selected));
    if (done) done = decoder->decode(values.data(), scratch.data(), stream);
    if (done) done = decoder->finish();
    all.push_back(since(begin));
    if (!done) std::printf("  WRONG: %s\n", done.error().message.c_str());
  }
  check(cudaStreamDestroy(stream), "stream");
  if (all.empty()) return {};
  const double first = all.front();
  return {first, median(opens), median(selects), median(loads), median(all)};
}

/// Says where the values are wrong.
using Compare = std::function<void(const DeviceBuffer&)>;

void compare_chunks(const std::vector<Chunk>& chunks, const DeviceBuffer& values) {
  std::uint64_t at = 0;
  for (std::size_t i = 0; at < values.bytes(); ++i) {
    const Bytes& original = chunks[i % chunks.size()].original;
    if (i < chunks.size() || i % 37 == 0) {
      Bytes found(original.size());
      check(cudaMemcpy(found.data(), values.data() + at, found.size(), cudaMemcpyDeviceToHost), "values");
      if (found != original) std::printf("  WRONG values in chunk %zu\n", i);
    }
    at += original.size();
  }
}

void measure(const char* way, const Open& open, const Compare& compare, std::uint64_t slice) {
  DeviceSizes of_range;
  {
    auto asked = open();
    if (!asked) return void(std::printf("  %s\n", asked.error().message.c_str()));
    const auto sizes = asked->select();
    if (!sizes) return void(std::printf("  %s\n", sizes.error().message.c_str()));
    of_range = *sizes;
  }
  const DeviceSizes* sizes = &of_range;
  const DeviceBuffer values(sizes->original), scratch(sizes->scratch);
  const Fresh fresh = time_of_fresh(open, values, scratch);
  auto decoder = open();
  if (!decoder) return void(std::printf("  %s\n", decoder.error().message.c_str()));
  if (auto again = decoder->select(); !again)
    return void(std::printf("  %s\n", again.error().message.c_str()));
  if (auto done = decoder->load(); !done) return void(std::printf("  %s\n", done.error().message.c_str()));
  check(cudaMemset(values.data(), 0xA5, values.bytes()), "cudaMemset");
  const Timing time = time_of(*decoder, values, scratch);
  compare(values);
  const double giga = static_cast<double>(sizes->original) / 1e6;
  std::printf(
      "  %-6s %5llu MiB, slice %4llu: %7.1f GB/s, %8.3f ms (call %.3f); fresh %.2f ms: select %.2f, load "
      "%.2f (open %.2f, first %.1f); %llu chunks, "
      "%llu by CPU, pinned %.3f scratch %.3f of values\n",
      way, static_cast<unsigned long long>(sizes->original >> 20),
      static_cast<unsigned long long>(slice >> 20), giga / time.device, time.device, time.call, fresh.all,
      fresh.select, fresh.load, fresh.open, fresh.first, static_cast<unsigned long long>(sizes->chunks),
      static_cast<unsigned long long>(sizes->cpu_chunks),
      static_cast<double>(sizes->pinned) / static_cast<double>(sizes->original),
      static_cast<double>(sizes->scratch) / static_cast<double>(sizes->original));
  std::fflush(stdout);
}

/// The chunks of a stream, except those of a header and a shorter last one.
std::vector<Chunk> chunks_of(const Bytes& stored, const Bytes& original) {
  MemoryRandomAccess file(stored);
  auto streams = find_streams(file);
  if (!streams) return {};
  IndexedReader reader(file, *std::move(streams));
  if (!reader.go_to(0)) return {};
  std::vector<Chunk> chunks;
  std::uint64_t at = 0;
  for (auto listed = reader.next_listed(); listed && *listed; listed = reader.next_listed()) {
    auto& record = (*listed)->chunk.record;
    const auto packed = std::span(stored).subspan((*listed)->packed_at, formats::packed_bytes(record));
    const std::size_t bytes = record.original_bytes;
    at += bytes;
    if (bytes < formats::kMinChunk) continue;
    if (!chunks.empty() && bytes < chunks.front().original.size()) break;
    Chunk& chunk = chunks.emplace_back();
    const auto end = original.begin() + static_cast<std::ptrdiff_t>(at);
    chunk.original.assign(end - static_cast<std::ptrdiff_t>(bytes), end);
    const auto copy = chunk.encoded.memory.take(packed.size());
    std::ranges::copy(packed, copy.begin());
    chunk.encoded.packed = copy;
    chunk.encoded.record = std::move(record);
  }
  return chunks;
}

/// Lone blocks, side by side.
struct Blocks {
  Bytes bytes;
  std::vector<PackedBlock> list;
};

Blocks blocks_of(const std::vector<Chunk>& chunks, std::uint64_t bytes) {
  constexpr std::size_t kReadable = 64;  // behind the last block; blocks begin at its multiples, too
  std::uint64_t original = 0;
  Blocks blocks;
  for (std::size_t i = 0; original < bytes; ++i) {
    const Chunk& chunk = chunks[i % chunks.size()];
    const auto record = formats::serialize(chunk.encoded.record);
    blocks.list.push_back({blocks.bytes.size(), record.size() + chunk.encoded.packed.size()});
    blocks.bytes.insert(blocks.bytes.end(), record.begin(), record.end());
    blocks.bytes.insert(blocks.bytes.end(), chunk.encoded.packed.begin(), chunk.encoded.packed.end());
    blocks.bytes.resize((blocks.bytes.size() + kReadable - 1) / kReadable * kReadable);
    original += chunk.original.size();
  }
  blocks.bytes.resize(blocks.bytes.size() + kReadable);
  return blocks;
}

int run_repeated(const char* stored_path, const char* original_path, std::uint64_t bytes, bool lone,
                 std::uint64_t slice) {
  const Bytes stored = bytes_of(stored_path), original = bytes_of(original_path);
  auto chunks = chunks_of(stored, original);
  if (chunks.empty()) return std::puts("a file has no chunks, or is not there"), 2;
  std::printf("%s, ratio %.3f, %zu chunks repeated\n", stored_path,
              static_cast<double>(original.size()) / static_cast<double>(stored.size()), chunks.size());
  const auto compare = [&](const DeviceBuffer& values) { compare_chunks(chunks, values); };
  if (lone) {
    const Blocks blocks = blocks_of(chunks, bytes);
    const DeviceBuffer there(blocks.bytes);
    measure(
        "blocks", [&] { return DeviceDecoder::open_blocks_on_device(there.data(), blocks.list); }, compare,
        0);
    return 0;
  }
  const DeviceBuffer there(stream_of(chunks, bytes));
  measure(
      "device", [&] { return DeviceDecoder::open_on_device(there.data(), there.bytes(), {.slice = slice}); },
      compare, slice);
  return 0;
}

int run_file(const char* stored_path, const char* original_path) {
  const Bytes stored = bytes_of(stored_path), original = bytes_of(original_path);
  if (stored.empty() || original.empty()) return std::puts("a file is empty or not there"), 2;
  std::printf("%s, ratio %.3f\n", stored_path,
              static_cast<double>(original.size()) / static_cast<double>(stored.size()));
  const DeviceBuffer there(stored);
  const auto compare = [&](const DeviceBuffer& values) {
    if (values.get() != original) std::puts("  WRONG values");
  };
  measure(
      "device", [&] { return DeviceDecoder::open_on_device(there.data(), there.bytes()); }, compare, 0);
  return 0;
}

int run(int count, char** arguments) {
  if (count == 3) return run_file(arguments[1], arguments[2]);
  if (count == 4 || count == 5) {
    const auto mib = [&](int i) { return std::strtoull(arguments[i], nullptr, 10) << 20; };
    const bool lone = count == 5 && std::string_view(arguments[4]) == "blocks";
    return run_repeated(arguments[1], arguments[2], mib(3), lone, count == 5 && !lone ? mib(4) : 0);
  }
  if (count < 9)
    return std::puts(
               "device_decode_bench FILE WIDTH TUPLE ORDER RUN LIMIT KIB_OF_A_CHUNK MOST_MIB [MiB of a "
               "slice]...\ndevice_decode_bench STORED ORIGINAL [MiB [blocks | MiB of a slice]]"),
           2;
  const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
  const WantedPlan plan{number(2), number(3), number(4), number(5), number(6)};
  Wanted wanted{arguments[1], plan, number(7) << 10, number(8), {0}};
  for (int i = 9; i < count; ++i) wanted.slices.push_back(std::uint64_t{number(i)} << 20);
  auto chunks = chunks_of(wanted);
  if (chunks.empty()) return std::puts("the file is too short"), 2;
  std::size_t original = 0, packed = 0;
  for (const Chunk& chunk : chunks) original += chunk.original.size(), packed += chunk.encoded.packed.size();
  std::printf("%s width %u tuple %u order %u run %u limit %u chunk %u, ratio %.3f\n", wanted.file, plan.width,
              plan.tuple, plan.order, plan.run, plan.limit, wanted.chunk,
              static_cast<double>(original) / static_cast<double>(packed));
  const auto compare = [&](const DeviceBuffer& values) { compare_chunks(chunks, values); };
  for (const std::uint64_t mib : {64u, 256u, 1024u, 4096u}) {
    if (mib > wanted.most) break;
    const Bytes stored = stream_of(chunks, mib << 20);
    {
      const DeviceBuffer there(stored);
      for (const std::uint64_t slice : wanted.slices)
        measure(
            "device",
            [&] { return DeviceDecoder::open_on_device(there.data(), there.bytes(), {.slice = slice}); },
            compare, slice);
    }
    for (const std::uint64_t slice : wanted.slices)
      measure(
          "host", [&] { return DeviceDecoder::open(stored, {.slice = slice}); }, compare, slice);
  }
  return 0;
}

}  // namespace
}  // namespace tdz

int main(int count, char** arguments) {
  return tdz::run(count, arguments);
}

// SPDX-License-Identifier: Apache-2.0
// Measures the encoder of uniform frames on a device, from words to frames in device memory:
//     encode_bench FOLDER MIB..
// Variables: ENCODE_ROW, one row alone; ENCODE_TIMES, repetitions; ENCODE_CHUNK, MiB of a chunk;
// ENCODE_FRAME, KiB of the longest frame. A cut of each file of the corpus is repeated at different places
// until it fills so many MiB. The first copy is compared with the writer on the CPU, all others with the
// first.
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/digest.hpp"
#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_tables.hpp"
#include "tdz/block.hpp"
#include "tests/bench/device_bench.hpp"
#include "tests/bench/encode_rows.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda::frames;
using namespace testing;

std::size_t number_of(const char* variable, std::size_t otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : static_cast<std::size_t>(std::atoll(said));
}

template <class T>
const T* to_device(std::vector<std::unique_ptr<DeviceBuffer>>& keep, const T* from, std::size_t count) {
  keep.push_back(std::make_unique<DeviceBuffer>(count * sizeof(T)));
  check(cudaMemcpy(keep.back()->data(), from, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return reinterpret_cast<const T*>(keep.back()->data());
}
template <class T>
T* room(std::vector<std::unique_ptr<DeviceBuffer>>& keep, std::size_t count) {
  keep.push_back(std::make_unique<DeviceBuffer>(count * sizeof(T)));
  return reinterpret_cast<T*>(keep.back()->data());
}
template <class T>
std::vector<T> to_host(const T* from, std::size_t count) {
  std::vector<T> all(count);
  check(cudaMemcpy(all.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return all;
}

/// Chunks that are not what the CPU writes.
std::size_t wrong_chunks(const EncodeBuffers& job, const Plan& plan, const Bytes& cut, std::size_t chunk,
                         std::size_t count, std::size_t in_cut) {
  const auto chunks = to_host(job.results.chunks, count);
  std::vector<std::uint64_t> digests(in_cut);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Bytes own = to_host(job.out + chunks[i].offset, chunks[i].bytes);
    const std::uint64_t digest = formats::xxh3_64(own);
    if (i < in_cut) {
      const auto block = encode_block(plan, std::span(cut).subspan(i * chunk, chunk));
      const auto prefix = formats::parse_prefix(*block, {.chunk = true}, 0);
      const auto packed = std::span(*block).subspan(static_cast<std::size_t>(prefix->total_bytes));
      wrong += !std::ranges::equal(packed, own);
      digests[i] = digest;
    } else {
      wrong += digest != digests[i % in_cut];
    }
  }
  return wrong;
}

void measure(const std::string& folder, const EncodeRow& row, std::size_t mib, int times,
             std::size_t most_checked) {
  const std::size_t chunk_mib = number_of("ENCODE_CHUNK", 1);
  Plan plan = plan_of(row);
  plan.packing.frame_bytes = static_cast<std::uint32_t>(number_of("ENCODE_FRAME", 0) << 10);
  const std::size_t chunk = std::max<std::size_t>(1, (chunk_mib << 20) / row.unit()) * row.unit();
  const Bytes cut = read_cut(folder, row, chunk);
  const std::size_t in_cut = cut.size() / chunk, count = (mib << 20) / chunk;
  const auto length = static_cast<std::uint32_t>(chunk);
  const std::uint32_t frame = plan.packing.frame_bytes != 0 ? plan.packing.frame_bytes : length;
  EncodeBatch batch;
  for (std::size_t i = 0; i < count; ++i)
    if (!batch.add(plan, i * chunk, length, frame)) std::abort();
  const EncodeTables host = batch.tables();
  std::vector<std::unique_ptr<DeviceBuffer>> keep;
  EncodeBuffers job;
  auto* in = room<std::byte>(keep, count * chunk);
  for (std::size_t at = 0; at < count * chunk; at += cut.size())
    check(cudaMemcpy(in + at, cut.data(), std::min(cut.size(), count * chunk - at), cudaMemcpyHostToDevice),
          "copy");
  job.in = in;
  job.out = room<std::byte>(keep, batch.output_bound() + 64);
  job.tables = host;
  job.tables.chunks = to_device(keep, host.chunks, host.chunk_count);
  job.tables.columns = to_device(keep, host.columns, host.column_count);
  job.tables.frames = to_device(keep, host.frames, host.frame_count);
  job.tables.groups = to_device(keep, host.groups, host.group_count);
  job.tables.raw_frames = to_device(keep, host.raw_frames, host.raw_frame_count);
  job.results = {room<FramesPlace>(keep, host.chunk_count), room<EncodedBlock>(keep, host.block_count),
                 room<std::uint32_t>(keep, host.frame_count), room<std::uint32_t>(keep, host.column_count)};
  job.scratch = room<std::byte>(keep, scratch_bytes(host));
  const double ms = median_ms(2, times, [&] {
    check(static_cast<cudaError_t>(launch_encode_results(job, nullptr)), "launch_encode_results");
    check(static_cast<cudaError_t>(launch_encode_frames(job, nullptr)), "launch_encode_frames");
  });
  const auto chunks = to_host(job.results.chunks, count);
  std::uint64_t packed = 0;
  for (const auto& one : chunks) packed += one.bytes;
  const std::size_t wrong =
      wrong_chunks(job, plan, cut, chunk, std::min(count, most_checked), std::min(in_cut, count));
  const double bytes = static_cast<double>(count * chunk);
  std::printf("%-24s w%u s%u o%u k%u m%u run %u: %5zu MiB %8.3f ms %7.1f GB/s  ratio %.3f  wrong %zu\n",
              row.file, row.width, row.tuple, row.order, row.code.k, row.code.m, row.run, mib, ms,
              bytes / ms / 1e6, bytes / static_cast<double>(packed), wrong);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::size_t rows = std::size(kEncodeRows), only = number_of("ENCODE_ROW", rows),
                    times = number_of("ENCODE_TIMES", 9);
  for (int i = 2; i < count; ++i)
    for (std::size_t row = 0; row < rows; ++row)
      if (only == rows || only == row)
        measure(arguments[1], kEncodeRows[row], static_cast<std::size_t>(std::atoll(arguments[i])),
                static_cast<int>(times), times < 9 ? 4 : 64);
}

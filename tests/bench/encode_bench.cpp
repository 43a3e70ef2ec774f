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
#include <fstream>
#include <string>
#include <vector>

#include "codec/chunk/parsed_chunk.hpp"
#include "formats/digest.hpp"
#include "kernels/cuda/frames/encode_space.hpp"
#include "kernels/cuda/frames/encode_tables.hpp"
#include "tdz/block.hpp"
#include "tests/cuda/device_buffer.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda::frames;
using testing::check;
using testing::DeviceBuffer;
using Bytes = std::vector<std::byte>;

struct Row {
  const char* file;
  std::uint8_t width;
  std::uint32_t tuple;
  std::uint8_t order;
  TokenCode code;
  std::uint32_t run;
};

constexpr Row kRows[] = {
    {"dem_etopo5_i16x1.bin", 2, 1, 1, {4, 2}, 2048}, {"dem_etopo5_i16x1.bin", 2, 1, 2, {4, 2}, 1024},
    {"audio_sf2_i16x1.bin", 2, 1, 1, {4, 2}, 2048},  {"music_ogg_i16x2.bin", 2, 2, 1, {4, 2}, 2048},
    {"geoid_f32x1.bin", 4, 1, 1, {3, 1}, 2048},      {"winds_f32x2.bin", 4, 2, 1, {3, 1}, 2048},
    {"starxyz_u32x3.bin", 4, 3, 1, {3, 1}, 2048},    {"mri_u8x1.bin", 1, 1, 1, {7, 7}, 2048},
    {"mri_u8x1.bin", 1, 1, 1, {5, 2}, 4096},         {"photo_u8x3.bin", 1, 3, 1, {7, 7}, 2048},
    {"ephem_f64x1.bin", 8, 1, 1, {3, 1}, 2048},
};

std::size_t number_of(const char* variable, std::size_t otherwise) {
  const char* said = std::getenv(variable);
  return said == nullptr ? otherwise : static_cast<std::size_t>(std::atoll(said));
}

Plan plan_of(const Row& row) {
  Column column{row.width, 1, {}};
  column.steps.push_back(PlainStep{Step::difference(row.tuple, row.order), row.run});
  column.steps.push_back(PlainStep{Step::zigzag()});
  column.steps.push_back(TokensStep{row.tuple, row.code, row.run});
  return {Coding::uniform, {column}};
}

Bytes read_cut(const std::string& path, std::size_t most) {
  std::ifstream in(path, std::ios::binary);
  Bytes bytes(most);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(most));
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  return bytes;
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
std::size_t wrong_chunks(const EncodeJob& job, const Plan& plan, const Bytes& cut, std::size_t chunk,
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

float median_ms(const EncodeJob& job, int times) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<float> all;
  for (int i = 0; i < times + 2; ++i) {
    cudaEventRecord(begin);
    check(static_cast<cudaError_t>(launch_encode(job, nullptr)), "launch_encode");
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "encode");
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    if (i >= 2) all.push_back(ms);
  }
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void measure(const std::string& folder, const Row& row, std::size_t mib, int times,
             std::size_t most_checked) {
  const std::size_t chunk_mib = number_of("ENCODE_CHUNK", 1);
  Plan plan = plan_of(row);
  plan.packing.frame_bytes = static_cast<std::uint32_t>(number_of("ENCODE_FRAME", 0) << 10);
  const std::size_t unit = 4 * row.run * row.tuple * row.width,
                    chunk = std::max<std::size_t>(1, (chunk_mib << 20) / unit) * unit;
  Bytes cut = read_cut(folder + "/" + row.file, 4 << 20);
  const std::size_t in_cut = cut.size() / chunk, count = (mib << 20) / chunk;
  cut.resize(in_cut * chunk);
  const auto length = static_cast<std::uint32_t>(chunk);
  const std::uint32_t frame = plan.packing.frame_bytes != 0 ? plan.packing.frame_bytes : length;
  EncodeBatch batch;
  for (std::size_t i = 0; i < count; ++i)
    if (!batch.add(plan, i * chunk, length, frame)) std::abort();
  const EncodeTables host = batch.tables();
  std::vector<std::unique_ptr<DeviceBuffer>> keep;
  EncodeJob job;
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
  job.results = {room<EncodedChunk>(keep, host.chunk_count), room<EncodedBlock>(keep, host.block_count),
                 room<std::uint32_t>(keep, host.frame_count), room<std::uint32_t>(keep, host.column_count)};
  job.scratch = room<std::byte>(keep, scratch_bytes(host));
  const float ms = median_ms(job, times);
  const auto chunks = to_host(job.results.chunks, count);
  std::uint64_t packed = 0;
  for (const auto& one : chunks) packed += one.bytes;
  const std::size_t wrong =
      wrong_chunks(job, plan, cut, chunk, std::min(count, most_checked), std::min(in_cut, count));
  const double bytes = static_cast<double>(count * chunk);
  std::printf("%-24s w%u s%u o%u k%u m%u run %u: %5zu MiB %8.3f ms %7.1f GB/s  ratio %.3f  wrong %zu\n",
              row.file, row.width, row.tuple, row.order, row.code.k, row.code.m, row.run, mib,
              static_cast<double>(ms), bytes / static_cast<double>(ms) / 1e6,
              bytes / static_cast<double>(packed), wrong);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 2;
  const std::size_t rows = std::size(kRows), only = number_of("ENCODE_ROW", rows),
                    times = number_of("ENCODE_TIMES", 9);
  for (int i = 2; i < count; ++i)
    for (std::size_t row = 0; row < rows; ++row)
      if (only == rows || only == row)
        measure(arguments[1], kRows[row], static_cast<std::size_t>(std::atoll(arguments[i])),
                static_cast<int>(times), times < 9 ? 4 : 64);
}

// SPDX-License-Identifier: Apache-2.0
// Does a device encode to the same bytes as the CPU? Alphabets of every size, random plans, one batch of many
// chunks, words at odd addresses.
#include "tests/cuda/device_buffer.hpp"
#include "tests/cuda/encode_cases.hpp"

#include "kernels/cuda/frames/encode_space.hpp"

namespace {

using namespace tdz;
using namespace tdz::cuda::frames;
using testing::DeviceBuffer;

/// An array in device memory.
template <class T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t count) : count_(count), buffer_(count * sizeof(T)) { buffer_.poison(); }
  DeviceArray(const T* from, std::size_t count) : DeviceArray(count) {
    testing::check(cudaMemcpy(buffer_.data(), from, count * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  T* data() const { return reinterpret_cast<T*>(buffer_.data()); }
  std::vector<T> get() const {
    std::vector<T> all(count_);
    testing::check(cudaMemcpy(all.data(), buffer_.data(), count_ * sizeof(T), cudaMemcpyDeviceToHost),
                   "cudaMemcpy");
    return all;
  }

 private:
  std::size_t count_;
  DeviceBuffer buffer_;
};

testing::EncodeOutput on_device(const testing::Bytes& words, const EncodeTables& tables, std::uint64_t room) {
  constexpr std::size_t kAround = 256;
  constexpr std::byte kUnwritten{0xA5};
  const DeviceArray chunks(tables.chunks, tables.chunk_count);
  const DeviceArray columns(tables.columns, tables.column_count);
  const DeviceArray frames(tables.frames, tables.frame_count);
  const DeviceArray groups(tables.groups, tables.group_count);
  const DeviceArray raw_frames(tables.raw_frames, tables.raw_frame_count);
  const DeviceArray<cuda::frames::FramesPlace> out_chunks(tables.chunk_count);
  const DeviceArray<EncodedBlock> out_blocks(tables.block_count);
  const DeviceArray<std::uint32_t> frame_bytes(tables.frame_count), raw_bytes(tables.column_count);
  const DeviceArray<std::byte> packed(room + 2 * kAround), scratch(scratch_bytes(tables));
  const DeviceBuffer in(words);
  EncodeBuffers job{in.data(),
                    packed.data() + kAround,
                    tables,
                    {out_chunks.data(), out_blocks.data(), frame_bytes.data(), raw_bytes.data()},
                    scratch.data()};
  job.tables.chunks = chunks.data(), job.tables.columns = columns.data(), job.tables.frames = frames.data();
  job.tables.groups = groups.data(), job.tables.raw_frames = raw_frames.data();
  testing::check(static_cast<cudaError_t>(launch_encode_results(job, nullptr)), "launch_encode_results");
  testing::check(static_cast<cudaError_t>(launch_encode_frames(job, nullptr)), "launch_encode_frames");
  testing::check(cudaDeviceSynchronize(), "the kernels");
  testing::Bytes all = packed.get();
  const auto end = all.end() - kAround;
  CHECK(std::count(all.begin(), all.begin() + kAround, kUnwritten) == kAround);
  CHECK(std::count(end, all.end(), kUnwritten) == kAround);
  return {
      out_chunks.get(), out_blocks.get(), frame_bytes.get(), raw_bytes.get(), {all.begin() + kAround, end}};
}

}  // namespace

TEST_CASE("special alphabets") {
  testing::check_batch(testing::special_cases(), on_device);
}

TEST_CASE("random plans, chunk by chunk") {
  for (std::uint64_t seed = 0; seed < 150; ++seed)
    testing::check_batch({testing::random_case(seed, 40)}, on_device);
}

TEST_CASE("random plans in one batch, words at any address") {
  std::vector<testing::EncodeCase> cases;
  for (std::uint64_t seed = 1000; seed < 1200; ++seed) cases.push_back(testing::random_case(seed, 12));
  testing::check_batch(cases, on_device, 0);
  testing::check_batch(cases, on_device, 1);
}

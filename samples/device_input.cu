// SPDX-License-Identifier: Apache-2.0
// How to give a .tdz file to a CUDA kernel: decodes a file of 16-bit numbers into device memory, and a kernel
// adds them up there.
//
//     tdz audio_i16x1.bin && device_input audio_i16x1.bin.tdz
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <span>
#include <tdz/device_decoder.hpp>
#include <vector>

namespace {

__global__ void add_up(const std::int16_t* numbers, std::size_t count, unsigned long long* sum) {
  long long own = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x)
    own += numbers[i];
  atomicAdd(sum, static_cast<unsigned long long>(own));
}

/// A file that is read where the decoder wants it.
class File final : public tdz::RandomAccess {
 public:
  explicit File(const char* name) : file_(name, std::ios::binary | std::ios::ate) {
    if (file_) size_ = static_cast<std::uint64_t>(file_.tellg());
  }
  std::uint64_t size() const override { return size_; }
  tdz::Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    file_.seekg(static_cast<std::streamoff>(offset));
    file_.read(reinterpret_cast<char*>(into.data()), static_cast<std::streamsize>(into.size()));
    if (!file_) return tdz::Error{tdz::ErrorKind::io, "the file cannot be read"};
    return tdz::ok();
  }

 private:
  std::ifstream file_;
  std::uint64_t size_ = 0;
};

/// Device memory until the end of the program's work.
class DeviceMemory {
 public:
  explicit DeviceMemory(std::size_t bytes) {
    if (cudaMalloc(&data_, bytes) != cudaSuccess) data_ = nullptr;
  }
  ~DeviceMemory() { cudaFree(data_); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  void* data() const { return data_; }

 private:
  void* data_ = nullptr;
};

int failed(const char* message) {
  std::fprintf(stderr, "device_input: %s\n", message);
  return 1;
}
int failed(const tdz::Error& error) {
  return failed(error.message.c_str());
}

int run(const char* name) {
  File file(name);
  auto decoder = tdz::DeviceDecoder::open(file);
  if (!decoder) return failed(decoder.error());
  const auto sizes = decoder->select();
  if (!sizes) return failed(sizes.error());
  if (auto done = decoder->load(); !done) return failed(done.error());

  const DeviceMemory values(sizes->original + 1), scratch(sizes->scratch + 1),
      sum(sizeof(unsigned long long));
  if (values.data() == nullptr || scratch.data() == nullptr || sum.data() == nullptr)
    return failed("too little memory on the device");
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  cudaMemsetAsync(sum.data(), 0, sizeof(unsigned long long), stream);
  auto* bytes = static_cast<std::byte*>(values.data());
  if (auto done = decoder->decode(bytes, scratch.data(), stream); !done) return failed(done.error());
  // Chunks that the device refuses come with finish(). So a kernel behind it sees all values, and right ones.
  if (auto done = decoder->finish(); !done) return failed(done.error());
  const auto* numbers = reinterpret_cast<const std::int16_t*>(bytes + sizes->skip);
  const std::size_t count = sizes->wanted / sizeof(std::int16_t);
  add_up<<<256, 256, 0, stream>>>(numbers, count, static_cast<unsigned long long*>(sum.data()));

  unsigned long long total = 0;
  cudaMemcpyAsync(&total, sum.data(), sizeof total, cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return failed("the kernel failed");
  cudaStreamDestroy(stream);
  std::printf("%zu numbers, sum %lld\n", count, static_cast<long long>(total));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 2 ? run(arguments[1]) : failed("give the name of one .tdz file");
}

// SPDX-License-Identifier: Apache-2.0
// How to keep what a CUDA kernel computes: a kernel makes 16-bit numbers in device memory, tdz encodes them
// there, and a .tdz file is written. Any tdz restores it:
//
//     device_output wave.i16.tdz && tdz -d wave.i16.tdz
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <tdz/device_encoder.hpp>
#include <vector>

namespace {

constexpr std::size_t kNumbers = std::size_t{64} << 20;

/// Two waves and a little noise.
__global__ void make_wave(std::int16_t* numbers, std::size_t count) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * blockDim.x) {
    const float t = static_cast<float>(i % 1000000) * 0.001f;
    const unsigned noise = static_cast<unsigned>(i) * 2654435761u >> 29;
    numbers[i] =
        static_cast<std::int16_t>(9000.0f * sinf(t) + 3000.0f * cosf(7.0f * t) + static_cast<float>(noise));
  }
}

/// Differences of order 1 in blocks that a GPU codes: the kind of plan that `tdz --gpu` looks for.
tdz::Plan plan_of_numbers() {
  constexpr std::uint32_t kRun = 2048;
  tdz::Column column{2, 1, {}};
  column.steps.push_back(tdz::DifferenceStep{1, 1, kRun});
  column.steps.push_back(tdz::ZigzagStep{});
  column.steps.push_back(tdz::TokensStep{1, {4, 2}, kRun});
  return {tdz::Coding::uniform, {column}};
}

enum class Where { device, pinned };

/// Memory until the end of the program's work.
class Memory {
 public:
  Memory(Where where, std::size_t bytes) : where_(where) {
    const auto done = where == Where::device ? cudaMalloc(&data_, bytes) : cudaHostAlloc(&data_, bytes, 0);
    if (done != cudaSuccess) data_ = nullptr;
  }
  ~Memory() { where_ == Where::device ? cudaFree(data_) : cudaFreeHost(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  Where where_;
  void* data_ = nullptr;
};

int failed(const char* message) {
  std::fprintf(stderr, "device_output: %s\n", message);
  return 1;
}
int failed(const tdz::Error& error) {
  return failed(error.message.c_str());
}

int run(const char* name) {
  tdz::DeviceStreamOptions stream_options;
  stream_options.plan = plan_of_numbers();
  stream_options.type = "i16";
  const std::size_t bytes = kNumbers * sizeof(std::int16_t);
  auto encoder = tdz::DeviceEncoder::open_stream(bytes, stream_options, {.to_host = true});
  if (!encoder) return failed(encoder.error());
  const auto sizes = encoder->sizes();
  if (auto done = encoder->prepare(); !done) return failed(done.error());

  const Memory numbers(Where::device, bytes), scratch(Where::device, sizes.scratch + 1),
      packed(Where::pinned, sizes.packed);
  if (numbers.data() == nullptr || scratch.data() == nullptr || packed.data() == nullptr)
    return failed("too little memory");
  cudaStream_t stream = nullptr;
  cudaStreamCreate(&stream);
  make_wave<<<256, 256, 0, stream>>>(reinterpret_cast<std::int16_t*>(numbers.data()), kNumbers);
  // Behind the kernel on its stream, so that the encoder sees all numbers.
  if (auto done = encoder->encode(numbers.data(), packed.data(), scratch.data(), stream); !done)
    return failed(done.error());
  const auto encoded = encoder->finish();
  if (!encoded) return failed(encoded.error());
  cudaStreamDestroy(stream);

  std::ofstream file(name, std::ios::binary);
  file.write(reinterpret_cast<const char*>(packed.data()), static_cast<std::streamsize>(encoded->bytes));
  file.close();
  if (!file) return failed("the file cannot be written");
  std::printf("%zu numbers, %zu bytes, packed to %llu\n", kNumbers, bytes,
              static_cast<unsigned long long>(encoded->bytes));
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return count == 2 ? run(arguments[1]) : failed("give the name of the .tdz file to write");
}

// SPDX-License-Identifier: Apache-2.0
// Columns of several chunks in device memory, as a launch that undoes a step takes them: rows, gaps, odd
// addresses; and a look at every byte that no step may write.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <deque>

#include "kernels/cuda/steps/step_batch.hpp"
#include "tests/cuda/device_buffer.hpp"

namespace tdz::testing {

using Bytes = std::vector<std::byte>;

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// Where the words of one side lie.
struct SideLayout {
  cuda::RowShape rows;
  std::size_t skew = 0;  ///< added to an address that is a multiple of 16

  std::size_t place(std::size_t i, std::size_t width) const {
    return rows.bytes == 0 ? i * width : i / rows.words * rows.bytes + i % rows.words * width;
  }
  std::size_t span(std::size_t words, std::size_t width) const {
    return words == 0 ? 0 : place(words - 1, width) + width;
  }
};

/// One chunk: its words side by side, the status it begins with, what came out.
struct ChunkWordsOnHost {
  Bytes words;
  std::uint32_t status = 0;
  Bytes result;
};

class StepChunks {
 public:
  /// `in_place`: input and output are the same memory; then `out` does not count.
  StepChunks(std::size_t width, SideLayout in, SideLayout out, bool in_place)
      : width_(width), in_(in), out_(in_place ? in : out), in_place_(in_place) {}

  std::deque<ChunkWordsOnHost>& chunks() { return chunks_; }
  void add(Bytes words, std::uint32_t status = 0) { chunks_.push_back({std::move(words), status, {}}); }

  /// Calls launch(batch), then takes the results and the status of every chunk.
  template <class Launch>
  void run(const Launch& launch) {
    Bytes in, out;
    std::vector<std::size_t> in_at, out_at;
    for (const auto& chunk : chunks_) {
      in_at.push_back(append(in, chunk, in_, true));
      out_at.push_back(append(out, chunk, out_, false));
    }
    const Bytes before = in_place_ ? in : out;
    const DeviceBuffer input(in), output(out);
    std::byte* to = in_place_ ? input.data() : output.data();
    std::vector<cuda::StepChunk> table;
    std::vector<std::uint32_t> status;
    cuda::StepBatch batch;
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
      const auto words = static_cast<std::uint32_t>(chunks_[k].words.size() / width_);
      table.push_back({input.data() + in_at[k], to + (in_place_ ? in_at[k] : out_at[k]), words,
                       static_cast<std::uint32_t>(chunks_.size() - 1 - k)});
      status.insert(status.begin(), chunks_[k].status);
      batch.most_words = batch.most_words < words ? words : batch.most_words;
    }
    const DeviceBuffer table_bytes(bytes_of(table)), status_bytes(bytes_of(status));
    batch.chunks = reinterpret_cast<const cuda::StepChunk*>(table_bytes.data());
    batch.count = static_cast<std::uint32_t>(table.size());
    batch.width = static_cast<std::uint8_t>(width_);
    batch.in = in_.rows;
    batch.out = out_.rows;
    batch.status = reinterpret_cast<std::uint32_t*>(status_bytes.data());
    check(launch(batch), "launch");
    check(cudaDeviceSynchronize(), "step");
    take(in_place_ ? input.get() : output.get(), before, in_place_ ? in_at : out_at, status_bytes.get());
  }

 private:
  static constexpr std::byte kUnwritten{0xA5};

  std::size_t append(Bytes& memory, const ChunkWordsOnHost& chunk, const SideLayout& side, bool fill) const {
    const std::size_t at = (memory.size() + 15) / 16 * 16 + side.skew;
    const std::size_t words = chunk.words.size() / width_;
    memory.resize(at + side.span(words, width_) + 19, kUnwritten);
    for (std::size_t i = 0; fill && i < words; ++i) {
      std::memcpy(memory.data() + at + side.place(i, width_), chunk.words.data() + i * width_, width_);
    }
    return at;
  }

  void take(Bytes memory, const Bytes& before, const std::vector<std::size_t>& at, const Bytes& status) {
    for (std::size_t k = 0; k < chunks_.size(); ++k) {
      auto& chunk = chunks_[k];
      chunk.result.resize(chunk.words.size());
      for (std::size_t i = 0; i < chunk.words.size() / width_; ++i) {
        const std::size_t place = at[k] + out_.place(i, width_);
        std::memcpy(chunk.result.data() + i * width_, memory.data() + place, width_);
        std::memcpy(memory.data() + place, before.data() + place, width_);
      }
      std::memcpy(&chunk.status, status.data() + 4 * (chunks_.size() - 1 - k), 4);
    }
    CHECK(memory == before);  // the gaps
  }

  std::size_t width_;
  SideLayout in_, out_;
  bool in_place_;
  std::deque<ChunkWordsOnHost> chunks_;
};

}  // namespace tdz::testing

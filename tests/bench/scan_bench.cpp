// SPDX-License-Identifier: Apache-2.0
// How fast the kernels are: share of a device-to-device copy of the same bytes, measured beside each cell.
// usage: scan_bench KEY=LIST ...   words=1,2,4,8 orders=1,2 tuples=1,8 shapes=batch,chain methods=stream
// bytes=1073741824
//                                  layout=interleaved warps=4 stages=2 repeats=7
// Prints CSV: method,shape,layout,word,order,tuple,ms,share. A cell that gives a wrong value prints WRONG and
// no time.
#include <algorithm>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>

#include "kernels/cuda/launch/launch.hpp"
#include "tests/bench/device_bench.hpp"
#include "tests/bench/scan_methods.hpp"
#include "tests/cuda/naive.hpp"

namespace {

using namespace tdz;
using namespace tdz::bench;
using testing::check;
using testing::DeviceBuffer;
using testing::median_ms;

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

class Arguments {
 public:
  Arguments(int count, char** values) {
    for (int i = 1; i < count; ++i) {
      const std::string pair = values[i];
      values_[pair.substr(0, pair.find('='))] = pair.substr(pair.find('=') + 1);
    }
  }
  std::vector<std::string> list(const std::string& key) const { return split(values_.at(key)); }
  std::vector<unsigned long> numbers(const std::string& key) const {
    std::vector<unsigned long> result;
    for (const std::string& each : list(key)) result.push_back(std::stoul(each));
    return result;
  }
  unsigned long number(const std::string& key) const { return numbers(key).front(); }

 private:
  std::map<std::string, std::string> values_ = {{"words", "1,2,4,8"},
                                                {"orders", "1,2,3,4,5,6,7,8"},
                                                {"tuples", "1,2,3,4,5,6,7,8"},
                                                {"shapes", "batch"},
                                                {"methods", "stream"},
                                                {"bytes", "1073741824"},
                                                {"chunk", "1048576"},
                                                {"layout", "interleaved"},
                                                {"warps", "0"},
                                                {"stages", "0"},
                                                {"repeats", "7"}};
};

struct Cell {
  Method method;
  std::string shape, layout;
  Pass steps;
  cuda::ScanTuning tuning;
  std::uint64_t chunk_bytes;
};

Layout layout_named(const std::string& name) {
  if (name == "planes") return Layout::planes;
  if (name == "tuple-planes") return Layout::tuple_planes;
  if (name == "bit-planes") return Layout::bit_planes;
  if (name == "interleaved") return Layout::interleaved;
  throw std::out_of_range("no layout is called " + name);
}

/// Compares a small buffer of the same shape with the definition: whole rows for tuples up to 8, but not
/// whole tiles.
bool is_right(const Cell& cell) {
  const std::size_t bytes = 6720 * 513, chunk = cell.shape == "chain" ? bytes + 8 : 1 << 20;
  const naive::Bytes values = naive::noise(bytes, 7);
  const naive::Bytes residuals = naive::forward_batch(cell.steps, values, chunk);
  const bool forwards = cell.method.direction == cuda::Direction::difference;
  const DeviceBuffer in(forwards ? values : residuals);
  DeviceBuffer out(bytes);
  out.poison();
  const cuda::ChunkBatch batch = cuda::cut({in.data(), out.data(), bytes}, chunk);
  if (!cell.method.supports(cell.steps)) return false;
  check(cell.method.run(cell.steps, batch, cell.tuning), cell.method.name);
  check(cudaDeviceSynchronize(), cell.method.name);
  return out.get() == (forwards ? residuals : values);
}

void measure(const Cell& cell, const DeviceBuffer& in, DeviceBuffer& out, int repeats) {
  std::printf("%s,%s,%s,%u,%u,%u,", cell.method.name, cell.shape.c_str(), cell.layout.c_str(),
              cell.steps.word, cell.steps.order, cell.steps.tuple);
  try {
    if (!is_right(cell)) {
      std::printf("WRONG,0\n");
      return;
    }
  } catch (const std::exception& error) {
    std::printf("%s,0\n", error.what());
    return;
  }
  const cuda::ChunkBatch batch = cuda::cut({in.data(), out.data(), in.bytes()}, cell.chunk_bytes);
  const double copy = median_ms(1, repeats, [&] {
    check(cudaMemcpyAsync(out.data(), in.data(), in.bytes(), cudaMemcpyDeviceToDevice), "cudaMemcpyAsync");
  });
  const double own = median_ms(
      1, repeats, [&] { check(cell.method.run(cell.steps, batch, cell.tuning), cell.method.name); });
  std::printf("%.4f,%.3f\n", own, copy / own);
  std::fflush(stdout);
}

void run(const Arguments& arguments) {
  DeviceBuffer in(arguments.number("bytes")), out(arguments.number("bytes"));
  testing::fill(in, naive::noise(std::min<std::size_t>(in.bytes(), 64u << 20), 11));
  std::printf("method,shape,layout,word,order,tuple,ms,share\n");
  for (const std::string& shape : arguments.list("shapes")) {
    for (const std::string& layout : arguments.list("layout")) {
      for (const std::string& method : arguments.list("methods")) {
        for (unsigned long word : arguments.numbers("words")) {
          for (unsigned long order : arguments.numbers("orders")) {
            for (unsigned long tuple : arguments.numbers("tuples")) {
              Pass steps{static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(order),
                         layout != "interleaved", layout_named(layout), static_cast<std::uint32_t>(tuple)};
              const cuda::ScanTuning tuning{0, static_cast<std::uint32_t>(arguments.number("warps")),
                                            static_cast<std::uint32_t>(arguments.number("stages"))};
              const std::uint64_t chunk = shape == "chain" ? in.bytes() : arguments.number("chunk");
              measure({method_named(method), shape, layout, steps, tuning, chunk}, in, out,
                      static_cast<int>(arguments.number("repeats")));
            }
          }
        }
      }
    }
  }
}

}  // namespace

int main(int count, char** values) {
  try {
    run(Arguments(count, values));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "scan_bench: %s\n", error.what());
    return 1;
  }
}

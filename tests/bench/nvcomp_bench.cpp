// SPDX-License-Identifier: Apache-2.0
// How fast and how small is nvCOMP on the same numbers? The user's copy of the library is loaded at run time;
// its functions are declared here (interface of version 6). Each codec codes the values, and the residuals as
// tdz makes them: difference, zigzag, byte planes of each piece. zstd on the CPU stands beside them.
//
//     nvcomp_bench LIBNVCOMP FILE WIDTH TUPLE ORDER MIB
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <zstd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/bench/device_bench.hpp"

namespace {

using namespace tdz::testing;

constexpr int kRounds = 6;       // the first one does not count
constexpr double kEnough = 400;  // milliseconds: no round begins later

// ---- nvCOMP's batched interface. Options of every codec are 64 bytes, handed over by value.

struct Options {
  alignas(8) unsigned char bytes[64] = {};

  template <class T>
  Options& put(std::size_t at, T value) {
    std::memcpy(bytes + at, &value, sizeof value);
    return *this;
  }
};
using CompressTemp = int (*)(std::size_t, std::size_t, Options, std::size_t*, std::size_t, cudaStream_t);
using CompressRoom = int (*)(std::size_t, Options, std::size_t*);
using Compress = int (*)(const void* const*, const std::size_t*, std::size_t, std::size_t, void*, std::size_t,
                         void* const*, std::size_t*, Options, int*, cudaStream_t);
using DecompressTemp = int (*)(std::size_t, std::size_t, Options, std::size_t*, std::size_t, cudaStream_t);
using Decompress = int (*)(const void* const*, const std::size_t*, const std::size_t*, std::size_t*,
                           std::size_t, void*, std::size_t, void* const*, Options, int*, cudaStream_t);

void good(int status, const char* what) {
  if (status != 0)
    throw std::runtime_error(std::string(what) + ": nvCOMP's status " + std::to_string(status));
}

class Library {
 public:
  explicit Library(const char* path) : handle_(dlopen(path, RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) throw std::runtime_error(dlerror());
  }
  template <class Function>
  Function find(const std::string& codec, const char* name) const {
    void* found = dlsym(handle_, ("nvcompBatched" + codec + name).c_str());
    if (found == nullptr) throw std::runtime_error("no function " + codec + name);
    return reinterpret_cast<Function>(found);
  }

 private:
  void* handle_;  // never closed
};

struct Codec {
  std::string name, label;
  std::size_t piece;  ///< bytes that are coded together
  Options compress, decompress;
};

/// nvcompType_t of unsigned words.
std::int32_t type_of(unsigned width) {
  return width == 1 ? 1 : width == 2 ? 3 : width == 4 ? 5 : 7;
}

std::vector<Codec> codecs_for(unsigned width) {
  const std::int32_t type = type_of(width);
  Options any_type;  // of ANS: bits
  any_type.put<std::int32_t>(4, 0xFF);
  const Options bitcomp = Options().put<std::int32_t>(4, type);
  const Options level1 = Options().put<std::int32_t>(0, 1);  // the default of both
  std::vector<Codec> all;                                    // the slow ones last
  all.push_back({"ANS", "ANS", 256u << 10, {}, any_type});
  all.push_back({"Bitcomp", "Bitcomp 0", 256u << 10, bitcomp, {}});
  all.push_back({"Bitcomp", "Bitcomp 1", 256u << 10, Options(bitcomp).put<std::int32_t>(0, 1), {}});
  const auto cascaded = Options()
                            .put<std::int32_t>(0, type)
                            .put<std::int32_t>(4, 1)
                            .put<std::uint64_t>(8, 1)
                            .put<std::uint64_t>(24, 7)
                            .put<std::uint8_t>(32, 3);
  all.push_back({"Cascaded", "Cascaded", 256u << 10, cascaded, Options().put<std::int32_t>(8, 0xFF)});
  all.push_back({"Snappy", "Snappy", 64u << 10, {}, {}});
  const std::int32_t lz4_type = width == 8 ? 0 : type;
  all.push_back({"LZ4", "LZ4", 64u << 10, Options().put<std::int32_t>(0, lz4_type),
                 Options().put<std::int32_t>(8, lz4_type)});
  all.push_back({"Gdeflate", "GDeflate", 64u << 10, level1, {}});
  all.push_back({"Deflate", "Deflate", 64u << 10, level1, {}});
  all.push_back({"Zstd", "Zstd", 64u << 10, {}, {}});
  return all;
}

// ---- Numbers

struct Numbers {
  unsigned width, tuple, order;
};

std::uint64_t word_at(const Bytes& bytes, std::size_t at, unsigned width) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, width);
  return word;
}

/// Difference, zigzag and byte planes of each piece.
Bytes residuals_of(const Bytes& values, const Numbers& is, std::size_t piece) {
  Bytes made(values.size());
  for (std::size_t begin = 0; begin < values.size(); begin += piece) {
    const std::size_t words = std::min(piece, values.size() - begin) / is.width;
    std::vector<std::uint64_t> x(words);
    for (std::size_t i = 0; i < words; ++i) x[i] = word_at(values, begin + i * is.width, is.width);
    for (unsigned order = 0; order < is.order; ++order)
      for (std::size_t i = words; i-- > is.tuple;) x[i] -= x[i - is.tuple];
    const unsigned above = 64 - 8 * is.width;
    for (std::size_t i = 0; i < words; ++i) {
      const std::uint64_t up = x[i] << above, sign = 0 - (up >> 63);
      const std::uint64_t folded = (x[i] << 1 ^ sign);
      for (unsigned b = 0; b < is.width; ++b)
        made[begin + b * words + i] = static_cast<std::byte>(folded >> (8 * b));
    }
  }
  return made;
}

// ---- Measurement

double device_ms(const std::function<void()>& run) {
  DeviceTimer timer;
  std::vector<double> times;
  double spent = 0;
  for (int i = 0; i < kRounds && (times.empty() || spent < kEnough); ++i) {
    const double ms = timer.once(run);
    spent += ms;
    if (i > 0) times.push_back(ms);
  }
  return median(times);
}

/// Are they the file's bytes, repeated?
bool repeats(const DeviceBuffer& all, const Bytes& bytes) {
  Bytes found(bytes.size());
  for (std::size_t at = 0; at < all.bytes(); at += bytes.size()) {
    const std::size_t here = std::min(bytes.size(), all.bytes() - at);
    check(cudaMemcpy(found.data(), all.data() + at, here, cudaMemcpyDeviceToHost), "values");
    if (std::memcmp(found.data(), bytes.data(), here) != 0) return false;
  }
  return true;
}

void measure(const Library& library, const Codec& codec, const char* of, const Bytes& bytes,
             std::size_t most) {
  const std::size_t pieces = most / codec.piece, all = pieces * codec.piece;
  const DeviceBuffer in(all), out(all);
  fill(in, bytes);
  check(cudaMemset(out.data(), 0xA5, all), "cudaMemset");
  std::size_t room = 0, temp_in = 0, temp_out = 0;
  const auto c = [&]<class F>(const char* name) { return library.find<F>(codec.name, name); };
  good(c.operator()<CompressRoom>("CompressGetMaxOutputChunkSize")(codec.piece, codec.compress, &room),
       "room");
  room = (room + 255) / 256 * 256;
  good(c.operator()<CompressTemp>("CompressGetTempSize")(pieces, codec.piece, codec.compress, &temp_in, all,
                                                         nullptr),
       "room to compress");
  good(c.operator()<DecompressTemp>("DecompressGetTempSize")(pieces, codec.piece, codec.decompress, &temp_out,
                                                             all, nullptr),
       "room to decompress");
  const DeviceBuffer packed(room * pieces), temp(std::max(temp_in, temp_out) + 1);
  std::vector<void*> from, to, middle;
  for (std::size_t i = 0; i < pieces; ++i) {
    from.push_back(in.data() + i * codec.piece), to.push_back(out.data() + i * codec.piece);
    middle.push_back(packed.data() + i * room);
  }
  const DeviceTable<void*> sources(from), results(to), places(middle);
  const std::vector<std::size_t> zeros(pieces);
  const DeviceTable<std::size_t> lengths(std::vector<std::size_t>(pieces, codec.piece)),
      packed_lengths(zeros), found(zeros);
  const DeviceTable<int> states(std::vector<int>(pieces, 0));
  const auto compress = c.operator()<Compress>("CompressAsync");
  const auto decompress = c.operator()<Decompress>("DecompressAsync");
  const double ms_in = device_ms([&] {
    good(compress(sources.data(), lengths.data(), codec.piece, pieces, temp.data(), temp_in, places.data(),
                  packed_lengths.data(), codec.compress, states.data(), nullptr),
         "compress");
  });
  const double ms_out = device_ms([&] {
    good(decompress(places.data(), packed_lengths.data(), lengths.data(), found.data(), pieces, temp.data(),
                    temp_out, results.data(), codec.decompress, states.data(), nullptr),
         "decompress");
  });
  std::size_t sum = 0, wrong = 0;
  for (const std::size_t length : packed_lengths.get()) sum += length;
  for (const int state : states.get()) wrong += state != 0 ? 1u : 0u;
  const double giga = static_cast<double>(all) / 1e6;
  std::printf("  %-10s nvCOMP %-10s ratio %6.3f  compress %7.1f  decompress %7.1f GB/s%s\n", of,
              codec.label.c_str(), static_cast<double>(all) / static_cast<double>(sum), giga / ms_in,
              giga / ms_out, wrong == 0 && repeats(out, bytes) ? "" : "  WRONG");
  std::fflush(stdout);
}

void measure_zstd(const Bytes& bytes, std::size_t most) {
  constexpr std::size_t kPiece = 1u << 20;
  std::vector<Bytes> frames;
  std::size_t packed = 0, unpacked = 0;
  for (std::size_t at = 0; at + kPiece <= bytes.size(); at += kPiece) {
    Bytes frame(ZSTD_compressBound(kPiece));
    frame.resize(ZSTD_compress(frame.data(), frame.size(), bytes.data() + at, kPiece, 3));
    packed += frame.size(), unpacked += kPiece;
    frames.push_back(std::move(frame));
  }
  if (frames.empty()) return;
  const unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t each = std::max<std::size_t>(1, most / kPiece / threads);
  std::vector<double> times;
  for (int round = 0; round < 3; ++round) {
    const auto begin = Clock::now();
    {
      std::vector<std::jthread> workers;
      for (unsigned t = 0; t < threads; ++t)
        workers.emplace_back([&, t] {
          Bytes out(kPiece);
          ZSTD_DCtx* context = ZSTD_createDCtx();
          for (std::size_t i = 0; i < each; ++i) {
            const Bytes& frame = frames[(t + i) % frames.size()];
            ZSTD_decompressDCtx(context, out.data(), out.size(), frame.data(), frame.size());
          }
          ZSTD_freeDCtx(context);
        });
    }
    times.push_back(since(begin) / 1000);
  }
  std::printf("  %-10s zstd -3, %2u threads of the CPU: ratio %6.3f  decompress %7.1f GB/s\n", "values",
              threads, static_cast<double>(unpacked) / static_cast<double>(packed),
              static_cast<double>(each * threads * kPiece) / median(times) / 1e9);
}

int run(int count, char** arguments) {
  if (count != 7) return std::puts("nvcomp_bench LIBNVCOMP FILE WIDTH TUPLE ORDER MIB"), 2;
  const auto number = [&](int i) { return static_cast<unsigned>(std::strtoul(arguments[i], nullptr, 10)); };
  const Library library(arguments[1]);
  const Numbers is{number(3), number(4), number(5)};
  const std::size_t most = std::size_t{number(6)} << 20, unit = std::size_t{256} << 10;
  std::ifstream file(arguments[2], std::ios::binary);
  Bytes values(std::size_t{16} << 20);
  file.read(reinterpret_cast<char*>(values.data()), std::ssize(values));
  values.resize(static_cast<std::size_t>(file.gcount()) / unit * unit);
  if (values.empty()) return std::puts("the file is too short"), 2;
  std::printf("%s width %u tuple %u order %u, %zu MiB\n", arguments[2], is.width, is.tuple, is.order,
              most >> 20);
  measure_zstd(values, most);
  const auto of_values = codecs_for(is.width), of_residuals = codecs_for(1);
  for (std::size_t i = 0; i < of_values.size(); ++i)
    for (const bool raw : {true, false}) {
      const Codec& codec = raw ? of_values[i] : of_residuals[i];
      try {
        measure(library, codec, raw ? "values" : "residuals",
                raw ? values : residuals_of(values, is, codec.piece), most);
      } catch (const std::exception& error) {
        std::printf("  %s: %s\n", codec.label.c_str(), error.what());
      }
      std::fflush(stdout);
    }
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  return run(count, arguments);
}

// SPDX-License-Identifier: Apache-2.0
// How long does the search take, beside the compression that it serves? search_bench FILE...
//
// Processor time on one thread, the least of several runs: of the search on the file as it is, and, of the
// file repeated to 256 MiB in memory, of the search and of the whole compression.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iterator>
#include <string>

#include "codec/memory_io.hpp"
#include "codec/options.hpp"
#include "codec/search/prepare.hpp"
#include "tdz/tdz.hpp"

namespace {

using namespace tdz;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kLong = std::size_t{256} << 20;
constexpr int kRuns = 5;

double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

template <class Work>
double least_of(int runs, Work work) {
  double least = 1e9;
  for (int run = 0; run < runs; ++run) {
    const double begin = processor_seconds();
    work();
    least = std::min(least, processor_seconds() - begin);
  }
  return least;
}

Bytes read(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes repeated(const Bytes& bytes) {
  Bytes out;
  out.reserve(kLong);
  while (!bytes.empty() && out.size() < kLong)
    out.insert(out.end(), bytes.begin(),
               bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), kLong - out.size())));
  return out;
}

class NowhereSink : public Sink {
 public:
  Status write(std::span<const std::byte>) override { return ok(); }
};

double search_seconds(const Bytes& bytes, const CompressOptions& options) {
  return least_of(kRuns, [&] {
    MemorySource memory(bytes);
    PrefixSource source(memory);
    if (!prepare(source, options, **choose_backend(options.backend))) std::exit(1);
  });
}

void measure(const std::string& name) {
  const Bytes file = read(name);
  const Bytes longer = repeated(file);
  CompressOptions options;
  options.search.emplace();
  options.threads = 1;
  const double alone = search_seconds(file, options);
  const double search = search_seconds(longer, options);
  const double whole = least_of(3, [&] {
    MemorySource from(longer);
    NowhereSink to;
    if (!compress(from, to, options)) std::exit(1);
  });
  std::printf("| %s | %.0f | %.0f | %.0f | %.1f %% |\n", name.substr(name.rfind('/') + 1).c_str(),
              alone * 1e3, search * 1e3, whole * 1e3, 100 * search / whole);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  std::puts(
      "| file | search ms | search of 256 MiB ms | compression of 256 MiB ms | share "
      "|\n|---|---|---|---|---|");
  for (int i = 1; i < count; ++i) measure(words[i]);
}

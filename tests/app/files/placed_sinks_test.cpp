// SPDX-License-Identifier: Apache-2.0
// Does a file in memory get every byte, by several threads, and what if it gets no more pages?
#include "app/files/placed_sinks.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <thread>
#include <vector>

using namespace tdz;
using namespace tdz::app;
using Bytes = std::vector<std::byte>;

namespace {

constexpr std::size_t kStep = 65536;

struct MemoryFile {
  Fd fd{memfd_create("file", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
  Interrupts interrupts{[] {}};
  FdSink direct{fd.get(), "file", Placement::anywhere, interrupts};

  Bytes bytes() const {
    const off_t length = lseek(fd.get(), 0, SEEK_END);
    Bytes read(static_cast<std::size_t>(length));
    REQUIRE(pread(fd.get(), read.data(), read.size(), 0) == length);
    return read;
  }
};

Bytes numbers(std::size_t bytes) {
  std::mt19937 random(1);
  Bytes made(bytes);
  for (std::byte& one : made) one = static_cast<std::byte>(random());
  return made;
}

/// Pieces of odd lengths, in any order, by four threads. Returns the first error.
Status put_all(PlacedSink& sink, const Bytes& bytes) {
  std::vector<std::size_t> borders = {0, bytes.size()};
  std::mt19937 random(2);
  for (int i = 0; i < 60; ++i) borders.push_back(random() % bytes.size());
  std::ranges::sort(borders);
  std::vector<std::size_t> pieces(borders.size() - 1);
  for (std::size_t i = 0; i < pieces.size(); ++i) pieces[i] = i;
  std::ranges::shuffle(pieces, random);
  std::vector<Status> done(pieces.size(), ok());
  {
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 4; ++thread)
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < pieces.size(); i = next++) {
          const std::size_t at = borders[pieces[i]], end = borders[pieces[i] + 1];
          done[i] = sink.write_at(at, std::span(bytes).subspan(at, end - at));
        }
      });
  }
  const auto failed = std::ranges::find_if(done, [](const Status& one) { return !one; });
  return failed == done.end() ? ok() : *failed;
}

}  // namespace

TEST_CASE("a file in memory gets every byte, and its length") {
  MemoryFile file;
#ifdef TDZ_LINUX_CALLS
  REQUIRE(MappedSink::suits(file.fd.get()));
#else
  REQUIRE_FALSE(MappedSink::suits(file.fd.get()));  // write() then puts every byte
#endif
  for (const std::size_t length : {std::size_t{1}, kStep, kStep + 1, 7 * kStep, 9 * kStep + 12345}) {
    CAPTURE(length);
    const Bytes original = numbers(length);
    MappedSink sink(file.direct, file.fd.get(), kStep);
    REQUIRE(put_all(sink, original));
    REQUIRE(sink.finish());
    CHECK(file.bytes() == original);
    REQUIRE(ftruncate(file.fd.get(), 0) == 0);
  }
}

TEST_CASE("where a file gets no more pages, write() goes on, and says what is wrong") {
  MemoryFile file;
  const Bytes original = numbers(5 * kStep + 500);
  REQUIRE(ftruncate(file.fd.get(), static_cast<off_t>(original.size())) == 0);
  REQUIRE(fcntl(file.fd.get(), F_ADD_SEALS, F_SEAL_GROW) == 0);  // the last step cannot be whole
  MappedSink sink(file.direct, file.fd.get(), kStep);
  REQUIRE(put_all(sink, original));
  REQUIRE(sink.finish());
  CHECK(file.bytes() == original);
  const Status more = sink.write_at(original.size(), numbers(100));
  REQUIRE_FALSE(more);
  CHECK(more.error().message == "writing file: Operation not permitted");
}

TEST_CASE("a file of which bytes are missing") {
  MemoryFile file;
  const Bytes original = numbers(3 * kStep);
  {
    MappedSink sink(file.direct, file.fd.get(), kStep);
    REQUIRE(sink.write_at(2 * kStep, std::span(original).first(kStep / 2)));
  }
  const Bytes found = file.bytes();
  CHECK(std::equal(original.begin(), original.begin() + kStep / 2, found.begin() + 2 * kStep));
}

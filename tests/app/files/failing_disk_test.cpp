// SPDX-License-Identifier: Apache-2.0
// Does recover work if blocks cannot be read?
#include "app/files/failing_disk.hpp"

#include <doctest/doctest.h>

#include <set>

#include "codec/stream/memory_io.hpp"

using namespace tdz;
using namespace tdz::app;
using Bytes = std::vector<std::byte>;

namespace {

constexpr std::uint64_t kBlock = FailingDisk::kBlock;

/// Memory with blocks that cannot be read.
class Disk final : public RandomAccess {
 public:
  Disk(const Bytes& bytes, std::set<std::uint64_t> bad) : memory_(bytes), bad_(std::move(bad)) {}
  std::uint64_t size() const override { return memory_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    for (std::uint64_t block = offset / kBlock; block * kBlock < offset + into.size(); ++block) {
      if (!bad_.contains(block)) continue;
      ++failures;
      return Error{ErrorKind::io, "the disk fails"};
    }
    return memory_.read_at(offset, into);
  }

  int failures = 0;

 private:
  MemoryRandomAccess memory_;
  std::set<std::uint64_t> bad_;
};

Bytes counted(std::size_t bytes) {
  Bytes data(bytes);
  for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<std::byte>(i / 7 + i / 1001);
  return data;
}

/// Random bytes, which do not compress: so a block touches at most two chunks.
Bytes noise(std::size_t bytes) {
  Bytes data(bytes);
  std::uint64_t state = 1;
  for (std::byte& byte : data)
    byte = static_cast<std::byte>((state = state * 6364136223846793005u + 1) >> 56);
  return data;
}

struct Collected final : Sink {
  Bytes bytes;
  Status write(std::span<const std::byte> more) override {
    bytes.insert(bytes.end(), more.begin(), more.end());
    return ok();
  }
};

}  // namespace

TEST_CASE("everything around an unreadable block is read") {
  const Bytes data = counted(5 * kBlock + 100);
  Disk disk(data, {1, 3, 5});
  FailingDisk file(disk);
  Bytes all(data.size());
  REQUIRE(file.read_at(0, all));
  for (std::size_t block = 0; block <= 5; ++block) {
    const std::size_t from = block * kBlock, to = std::min(from + kBlock, data.size());
    CAPTURE(block);
    CHECK(std::equal(all.begin() + static_cast<std::ptrdiff_t>(from),
                     all.begin() + static_cast<std::ptrdiff_t>(to),
                     data.begin() + static_cast<std::ptrdiff_t>(from)) == (block % 2 == 0));
  }
  CHECK(file.unreadable_bytes() == 2 * kBlock + 100);
  CHECK(file.first_error()->message == "the disk fails");
}

TEST_CASE("a block that failed is not read again, whichever neighbours failed") {
  const Bytes data = counted(64 * kBlock);
  std::set<std::uint64_t> bad;
  for (std::uint64_t block = 0; block < 64; ++block) {
    if (block * 7 % 5 < 3) bad.insert(block);
  }
  Disk disk(data, bad);
  FailingDisk file(disk);
  Bytes some(3);
  for (std::uint64_t i = 0; i < 64; ++i) CHECK(file.read_at(i * 37 % 64 * kBlock + 5, some));
  CHECK(file.unreadable_bytes() == bad.size() * kBlock);
  const int failures = disk.failures;
  Bytes all(data.size());
  REQUIRE(file.read_at(0, all));
  CHECK(disk.failures == failures);
}

TEST_CASE("an unreadable disk gives another error than a damaged file") {
  const Bytes data = counted(3 * kBlock);
  Disk disk(data, {0, 1, 2});
  FailingDisk file(disk);
  Collected out;
  const auto recovered = recover(file, out);
  CHECK_FALSE(recovered);
  CHECK(file.nothing_was_read());
  Disk better(data, {0, 2});
  FailingDisk part(better);
  CHECK_FALSE(recover(part, out));
  CHECK_FALSE(part.nothing_was_read());
}

TEST_CASE("recover loses only the chunks with unreadable blocks") {
  const Bytes original = noise(320 * 1024);
  CompressOptions options;
  options.chunk_bytes = 65536;
  options.plan = plan_for("u8", 0).value();
  const Bytes stored = compress(original, options).value();
  for (std::uint64_t block = 0; block * kBlock < stored.size(); ++block) {
    CAPTURE(block);
    Disk disk(stored, {block});
    FailingDisk file(disk);
    Collected out;
    const auto recovered = recover(file, out);
    REQUIRE(recovered);
    CHECK(file.unreadable_bytes() == std::min(kBlock, stored.size() - block * kBlock));
    CHECK(out.bytes.size() == original.size());
    CHECK(recovered->recovered_bytes + 2 * 65536 >= original.size());
    for (std::size_t i = 0; i < out.bytes.size(); ++i) {
      if (out.bytes[i] != original[i] && out.bytes[i] != std::byte{0}) FAIL("other bytes at ", i);
    }
  }
}

TEST_CASE("unreadable bytes between two streams are not padding") {
  const Bytes original = noise(70000);
  const Bytes one = compress(original, {}).value();
  Bytes stored = one;
  stored.resize((stored.size() + kBlock - 1) / kBlock * kBlock);
  const std::uint64_t border = stored.size() / kBlock;
  stored.insert(stored.end(), one.begin(),
                one.begin() + kBlock);  // only the first block of a second stream
  Disk disk(stored, {border});
  FailingDisk file(disk);
  Collected out;
  const auto recovered = recover(file, out);
  REQUIRE(recovered);
  CHECK(out.bytes == original);
  CHECK_FALSE(recovered->complete());
}

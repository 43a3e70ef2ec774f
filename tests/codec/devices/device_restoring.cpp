// SPDX-License-Identifier: Apache-2.0
// Does a device restore whole files as the CPU does: the same bytes, totals, errors and order, whatever the
// device does? Host memory takes the place of the device's.
#include "codec/device_decompressing.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "codec/decompress.hpp"
#include "codec/stream/memory_io.hpp"
#include "kernels/cpu/targets.hpp"
#include "kernels/cuda/host/cuda_devices.hpp"
#include "tests/codec/devices/host_queue.hpp"
#include "tests/random.hpp"
#include "tests/rounds.hpp"

namespace tdz::test {
namespace {

constexpr std::uint64_t kBatch = 150'000;  ///< two chunks

/// i16 in one lane: difference, zigzag, tokens.
Plan plan_for_device(std::uint32_t tuple = 1) {
  return {Coding::uniform,
          {{2,
            static_cast<std::uint16_t>(tuple),
            {DifferenceStep{tuple, 1, 1024}, ZigzagStep{}, TokensStep{tuple, {3, 1}, 1024}}}}};
}

/// Chunks for the device, chunks for the CPU, chunks for the device, in three streams.
struct Mixed {
  Bytes original = walk(400'000, 2, 1) + walk(100'000, 2, 2) + walk(150'001, 2, 3);
  Bytes stored = packed(part(0, 400'000), options_for(plan_for_device())) +
                 packed(part(400'000, 100'000), options_for("i16")) +
                 packed(part(500'000, 150'001), options_for(plan_for_device(2)));

  Bytes part(std::size_t at, std::size_t bytes) const {
    const auto first = original.begin() + static_cast<std::ptrdiff_t>(at);
    return {first, first + static_cast<std::ptrdiff_t>(bytes)};
  }
};

/// A file, and how the device is used for it.
struct Rig {
  explicit Rig(const Bytes& stored) : file(stored) {
    use.file = &file;
    use.batch = kBatch;
    use.memory = 64u << 20;
    use.largest_chunk = 65536;
    second.number = 1;
    use.make = [this] { return queues(); };
  }

  Result<cuda::DecodeQueues> queues() {
    if (!starts) return unsupported("it does not start");
    cuda::DecodeQueues made;
    made.devices.push_back({.name = "host memory"});
    if (two) made.devices.push_back(made.devices[0]);
    for (unsigned i = 0; i < use.batches; ++i)
      made.queues.push_back(std::make_unique<HostQueue>(two && i % 2 != 0 ? second : device));
    return made;
  }

  Result<Totals> run(Sink* to, DecompressOptions options = one_thread()) {
    options.warn = [this](std::string_view line) { warnings.emplace_back(line); };
    options.note = [this](std::string_view line) { notes.emplace_back(line); };
    return decompress_on_device(use, to, options);
  }

  MemoryRandomAccess file;
  HostDevice device, second;
  bool starts = true, two = false;
  DecompressingUse use;
  std::vector<std::string> warnings, notes;
};

/// Waits for the device before anything is decoded.
void require(Rig& rig) {
  rig.use.required = true;
}

void check_same(const Error& found, const Error& wanted) {
  CHECK(found.kind == wanted.kind);
  CHECK(found.message == wanted.message);
  CHECK(found.where == wanted.where);
}

/// What a call with an ordered sink gave.
struct Restored {
  Result<Totals> totals = Error{};
  Bytes bytes;
  std::vector<std::uint64_t> progress;  ///< bytes of original and stored, in turn
};

Restored by_cpu(const Bytes& stored, DecompressOptions options = one_thread()) {
  Restored found;
  MemorySource source(stored);
  CollectingSink sink;
  options.progress = [&](const Progress& now) {
    found.progress.insert(found.progress.end(), {now.original_bytes, now.stored_bytes});
  };
  found.totals = decompress(source, sink, options);
  found.bytes = std::move(sink.collected);
  return found;
}

Restored by_device(Rig& rig, DecompressOptions options = one_thread()) {
  Restored found;
  CollectingSink sink;
  options.progress = [&](const Progress& now) {
    found.progress.insert(found.progress.end(), {now.original_bytes, now.stored_bytes});
  };
  found.totals = rig.run(&sink, options);
  found.bytes = std::move(sink.collected);
  return found;
}

/// Bytes, totals, progress and error.
void check_same(const Restored& found, const Restored& wanted) {
  CHECK(found.bytes == wanted.bytes);
  CHECK(found.progress == wanted.progress);
  REQUIRE(bool(found.totals) == bool(wanted.totals));
  if (!found.totals) return check_same(found.totals.error(), wanted.totals.error());
  CHECK(found.totals->original_bytes == wanted.totals->original_bytes);
  CHECK(found.totals->stored_bytes == wanted.totals->stored_bytes);
  CHECK(found.totals->chunks == wanted.totals->chunks);
  CHECK(found.totals->streams == wanted.totals->streams);
  CHECK(found.totals->digest == wanted.totals->digest);
}

}  // namespace

TEST_CASE("bytes, totals and progress are those of the CPU") {
  const Mixed mixed;
  for (const unsigned threads : {1u, 2u, 5u})
    for (const std::uint64_t batch : {std::uint64_t{1}, kBatch, std::uint64_t{10'000'000}})
      for (const bool digest : {false, true}) {
        DecompressOptions options = one_thread();
        options.threads = threads, options.compare_digest = digest;
        Rig rig(mixed.stored);
        require(rig);
        rig.use.batch = batch;
        const Restored found = by_device(rig, options);
        check_same(found, by_cpu(mixed.stored, options));
        CHECK(found.bytes == mixed.original);
        CHECK(found.totals->gpu_chunks == 9);
        CHECK(rig.warnings.empty());
        CHECK(rig.notes == std::vector<std::string>{"host memory decodes 9 of 12 chunks: "});
      }
}

TEST_CASE("frames that are longer than a piece of pinned memory, and chunks that stand in two pieces") {
  Bytes original(9'000'000);
  Random random(5);
  for (std::byte& byte : original) byte = static_cast<std::byte>(random());
  const Bytes stored = packed(original, options_for(plan_for_device()));
  REQUIRE(stored.size() > 2 * cuda::kPieceBytes);
  for (const unsigned threads : {1u, 2u}) {
    DecompressOptions options = one_thread();
    options.threads = threads;
    Rig rig(stored);
    require(rig);
    rig.use.batch = 10'000'000;
    rig.use.memory = 256u << 20;
    const Restored found = by_device(rig, options);
    REQUIRE(found.totals);
    CHECK(found.bytes == original);
    CHECK(found.totals->gpu_chunks == found.totals->chunks);
  }
}

TEST_CASE("a sink that takes bytes at any place") {
  const Mixed mixed;
  Rig rig(mixed.stored);
  PositionedSink sink;
  DecompressOptions options = one_thread();
  options.threads = 4;
  REQUIRE(rig.run(&sink, options));
  CHECK(sink.collected == mixed.original);
}

TEST_CASE("without a sink no value comes back, and damage is found") {
  const Mixed mixed;
  Rig rig(mixed.stored);
  require(rig);
  rig.use.batch = 10'000'000;
  CHECK(rig.run(nullptr)->original_bytes == mixed.original.size());
  Bytes damaged = mixed.stored;
  damaged[damaged.size() / 4] ^= std::byte{1};
  Rig bad(damaged);
  MemorySource source(damaged);
  const auto wanted = verify_stream(source, one_thread());
  const auto found = bad.run(nullptr);
  REQUIRE_FALSE(wanted);
  REQUIRE_FALSE(found);
  check_same(found.error(), wanted.error());
}

TEST_CASE("ranges") {
  const Mixed mixed;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    DecompressOptions options = one_thread();
    options.range = Range{{chance.below(mixed.original.size() + 20)}, {}};
    if (!chance.once_in(4)) options.range->length = Extent{chance.below(400'000)};
    Rig rig(mixed.stored);
    check_same(by_device(rig, options), by_cpu(mixed.stored, options));
  }
}

TEST_CASE("what the device refuses, the CPU decodes without a word") {
  const Mixed mixed;
  Rig rig(mixed.stored);
  require(rig);
  rig.device.refused = {1};
  check_same(by_device(rig), by_cpu(mixed.stored));
  CHECK(rig.warnings.empty());
}

TEST_CASE("a device that restores wrong bytes is not used again") {
  const Mixed mixed;
  Rig rig(mixed.stored);
  rig.use.required = true;
  rig.device.spoiled = {0};
  check_same(by_device(rig), by_cpu(mixed.stored));
  CHECK(rig.device.jobs == 1);
  CHECK(rig.warnings ==
        std::vector<std::string>{"device 0 failed, so the CPU continues: it restored a chunk that does not "
                                 "match its digest"});
}

TEST_CASE("damaged and cut files: the same prefix and the same error as from the CPU") {
  const std::uint64_t rounds = rounds_by_chance(150);
  const Mixed mixed;
  std::size_t bad = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    CAPTURE(seed);
    Chance chance(seed);
    Bytes stored = mixed.stored;
    for (std::uint64_t flips = 1 + chance.below(2); flips > 0; --flips)
      stored[chance.below(stored.size())] ^= static_cast<std::byte>(1u << chance.below(8));
    if (chance.once_in(5)) stored.resize(static_cast<std::size_t>(chance.below(stored.size())));
    Rig rig(stored);
    rig.use.required = chance.once_in(2);
    const Restored wanted = by_cpu(stored), found = by_device(rig);
    check_same(found, wanted);
    if (!wanted.totals) ++bad;
    CHECK(rig.warnings.empty());
  }
  CHECK(bad * 3 > rounds * 2);
}

TEST_CASE("any call of the device may fail: the bytes are right, with one warning") {
  const Mixed mixed;
  for (const ErrorKind kind : {ErrorKind::io, ErrorKind::limit}) {
    unsigned calls = 1, failures = 0;
    for (unsigned n = 1; n <= calls; ++n) {
      CAPTURE(n);
      Rig rig(mixed.stored);
      require(rig);
      rig.device.fails_at = n, rig.device.kind = kind;
      check_same(by_device(rig), by_cpu(mixed.stored));
      if (n == 1) {
        Rig whole(mixed.stored);
        require(whole);
        REQUIRE(by_device(whole).totals);
        calls = whole.device.calls;
      }
      REQUIRE(rig.warnings.size() == 1);
      CHECK(rig.warnings[0] ==
            "device 0 failed, so the CPU continues: call " + std::to_string(n) + " failed");
      ++failures;
    }
    CHECK(failures > 20);
  }
}

TEST_CASE("two devices share a file; if one fails, the other goes on") {
  const Bytes stored = packed(walk(2'000'000, 2), options_for(plan_for_device()));
  DecompressOptions options = one_thread();
  options.threads = 2;
  const Restored wanted = by_cpu(stored, options);
  std::uint64_t most = 0;
  for (const bool fails : {false, true}) {
    Rig rig(stored);
    require(rig);
    rig.two = true;
    rig.device.beside = &rig.second, rig.second.beside = &rig.device;
    rig.second.lost = fails;
    const Restored found = by_device(rig, options);
    check_same(found, wanted);
    CHECK(rig.notes[0].starts_with("2 GPUs decode "));
    if (fails) {
      CHECK(rig.warnings ==
            std::vector<std::string>{"device 1 failed, so the CPU continues: the device is lost"});
      CHECK(rig.second.jobs == 1);
      CHECK(rig.device.jobs > 1);
      CHECK(found.totals->gpu_chunks < most);
    } else {
      CHECK(rig.warnings.empty());
      most = found.totals->gpu_chunks;
    }
    CHECK(found.totals->gpu_chunks > 0);
  }
}

TEST_CASE("a device that does not start") {
  const Mixed mixed;
  Rig rig(mixed.stored);
  rig.starts = false;
  check_same(by_device(rig), by_cpu(mixed.stored));
  CHECK(rig.warnings.empty());
  CHECK(rig.notes == std::vector<std::string>{"the CPU decodes: it does not start"});
  Rig asked(mixed.stored);
  asked.starts = false;
  require(asked);
  const Restored found = by_device(asked);
  REQUIRE_FALSE(found.totals);
  CHECK(found.totals.error().kind == ErrorKind::unsupported);
  CHECK(found.bytes.empty());
  CHECK_FALSE(asked.run(nullptr));
}

TEST_CASE("a stop ends the work") {
  const Mixed mixed;
  for (const bool before : {true, false}) {
    std::stop_source stop;
    if (before) stop.request_stop();
    Rig rig(mixed.stored);
    rig.use.batch = 1;
    DecompressOptions options = one_thread();
    options.stop = stop.get_token();
    options.progress = [&](const Progress&) { stop.request_stop(); };
    CollectingSink sink;
    const auto found = rig.run(&sink, options);
    REQUIRE_FALSE(found);
    CHECK(found.error().kind == ErrorKind::cancelled);
    CHECK(sink.collected.size() < mixed.original.size());
  }
}

TEST_CASE("limits of memory and of the output") {
  const Mixed mixed;
  for (const std::uint64_t memory : {std::uint64_t{1}, std::uint64_t{500'000}, std::uint64_t{4'000'000}}) {
    DecompressOptions options = one_thread();
    options.memory = memory;
    Rig rig(mixed.stored);
    rig.use.memory = memory / 4;
    check_same(by_device(rig, options), by_cpu(mixed.stored, options));
    CHECK(rig.warnings.empty());
  }
  DecompressOptions options = one_thread();
  options.max_output = 300'000;
  Rig rig(mixed.stored);
  check_same(by_device(rig, options), by_cpu(mixed.stored, options));
  options.max_output = ~std::uint64_t{0};
  Rig little(mixed.stored);
  require(little);
  little.use.device_memory = 250;
  check_same(by_device(little, options), by_cpu(mixed.stored));
  CHECK(little.device.calls == 0);
}

TEST_CASE("an error of the sink ends the work") {
  class FullSink final : public Sink {
   public:
    Status write(std::span<const std::byte>) override { return Error{ErrorKind::io, "the disk is full"}; }
    bool positioned() const override { return true; }
    Status write_at(std::uint64_t, std::span<const std::byte> bytes) override { return write(bytes); }
  };
  const Mixed mixed;
  Rig rig(mixed.stored);
  require(rig);
  FullSink sink;
  const auto found = rig.run(&sink);
  REQUIRE_FALSE(found);
  CHECK(found.error().message == "the disk is full");
  CHECK(rig.warnings.empty());
}

// ---- The choice

namespace {

std::string reason(Source& from, const DecompressOptions& options, const Sink* to = nullptr) {
  const auto use = decompressing_use(from, to, options);
  if (!use) return "error";
  CHECK(use->file == nullptr);
  return use->reason;
}

}  // namespace

TEST_CASE("which inputs a device is for") {
  const Mixed mixed;
  const bool there = [] {
    const auto all = backends();
    return std::ranges::find(all, "cuda", &BackendInfo::name)->available;
  }();
  MemorySource source(mixed.stored);
  CHECK(reason(source, {.backend = BackendChoice::cpu}).empty());
  CHECK(reason(source, {}).empty());
  PieceSource pipe(mixed.stored, 1, 1000);
  CHECK(reason(pipe, {}) == "the input is not a file");
  const DecompressOptions asked{.backend = BackendChoice::cuda};
  CHECK(reason(pipe, asked) == (there ? "the input is not a file" : "error"));
  const Bytes general = packed(walk(100'000), options_for("i16"));
  MemorySource without(general);
  CHECK(reason(without, asked) == (there ? "the file has no frames for a GPU" : "error"));
  const auto use = decompressing_use(source, nullptr, asked);
  REQUIRE(use);
  CHECK(use->file != nullptr);
  CHECK(use->required);
  CHECK(use->largest_chunk == 65536);
  CHECK(reason(source, {.memory = 100'000, .backend = BackendChoice::cuda}) ==
        (there ? "the chunks are too long for the memory that a GPU may use" : "error"));
}

TEST_CASE("files that are too small for any GPU, and work at which none is faster") {
  const Bytes stream = packed(walk(1'000'000, 2), options_for(plan_for_device()));
  Bytes stored;
  while (stored.size() < 64u << 20) stored.insert(stored.end(), stream.begin(), stream.end());
  MemorySource source(stored);
  CHECK(reason(source, {}).ends_with(" GiB are too few for a GPU"));
  CollectingSink sink;
  CHECK(reason(source, {}, &sink) == "no GPU does this faster");
}

TEST_CASE("the error for a device that does not exist gives the reason") {
  const Status found = check_device({.numbers = {200}});
  REQUIRE_FALSE(found);
  CHECK(found.error().kind == ErrorKind::unsupported);
  CHECK(found.error().message.starts_with("the cuda backend is not available: "));
}

TEST_CASE("backends describe themselves, or say why they are not available") {
  const std::vector<BackendInfo> infos = backends();
  REQUIRE(infos.size() == 2);
  CHECK(infos[0].name == "cpu");
  CHECK(infos[0].available);
  CHECK(infos[0].detail == cpu::supported_targets().front().name);
  CHECK(infos[1].name == "cuda");
  CHECK((infos[1].available || !infos[1].detail.empty()));
}

TEST_CASE("chips that were measured") {
  for (const std::string_view name : {"NVIDIA H200", "NVIDIA H100 80GB HBM3"}) {
    REQUIRE(paying_chip(name) != nullptr);
    CHECK(paying_chip(name)->verify_from == std::uint64_t{8} << 30);
    CHECK(paying_chip(name)->restore_from == ~std::uint64_t{0});
    CHECK(paying_chip(name)->compress_from == std::uint64_t{16} << 30);
  }
  CHECK(paying_chip("NVIDIA H100 PCIe") == nullptr);  // not measured
  CHECK(paying_chip("NVIDIA H100 80GB HBM3 MIG 1g.10gb") == nullptr);
}

}  // namespace tdz::test

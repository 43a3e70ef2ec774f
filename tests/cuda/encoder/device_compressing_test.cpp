// SPDX-License-Identifier: Apache-2.0
// Does a device compress whole files as the CPU does: the same bytes, totals and errors, whatever the device
// does? Host memory takes the place of the device's.
#include "tests/cuda/encoder/host_encode_queue.hpp"

#include <chrono>
#include <future>
#include <limits>
#include <set>
#include <thread>

#include "codec/device_compressing.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"
#include "codec/stream/stream_writer.hpp"
#include "tdz/device_decoder.hpp"
#include "tests/codec/support.hpp"
#include "tests/cuda/encoder/encoder_cases.hpp"

namespace {

using namespace tdz;
using testing::Bytes;
using testing::HostDevice;

/// The memory of a device. Calls count together with those of the encoding queue.
class HostMemoryQueue final : public cuda::DecodeQueue {
 public:
  explicit HostMemoryQueue(HostDevice& device) : device_(device) {}

  int device() const override { return 0; }
  Status make_current() override { return device_.call(); }
  CUstream_st* stream() const override { return nullptr; }
  Result<std::span<std::byte>> pinned(std::size_t bytes) override {
    if (auto fails = device_.call(); !fails) return fails.error();
    return pinned_.take(bytes);
  }
  Result<std::byte*> memory(std::size_t bytes) override {
    if (auto fails = device_.call(); !fails) return fails.error();
    const auto room = memory_.take(bytes + kDeviceAlignment);
    const auto address = reinterpret_cast<std::uintptr_t>(room.data());
    return room.data() + (kDeviceAlignment - address % kDeviceAlignment) % kDeviceAlignment;
  }
  Status make_pieces(unsigned) override { return unsupported("no decoding"); }
  Result<std::span<std::byte>> piece(unsigned) override { return unsupported("no decoding"); }
  Status send(unsigned, std::byte*, std::size_t) override { return unsupported("no decoding"); }
  bool is_pinned(std::span<const std::byte>) const override { return false; }
  std::uint64_t step_scratch_bytes(const cuda::StepRun&) const override { return 0; }
  std::uint64_t step_scratch_bytes(const cuda::PackedRun&) const override { return 0; }
  Status prepare(const cuda::DecodeJob&) override { return unsupported("no decoding"); }
  Status enqueue(const cuda::DecodeJob&, const cuda::DecodeMemory&, CUstream_st*) override {
    return unsupported("no decoding");
  }
  Status wait() override { return device_.call(); }
  Status copy_down(std::span<std::byte>, const std::byte*) override { return unsupported("no decoding"); }
  Status gather(std::span<std::byte>, const std::byte*, std::span<const cuda::PutPiece>) override {
    return unsupported("no decoding");
  }
  Status copy_up(std::byte* to, std::span<const std::byte> from) override {
    std::ranges::copy(from, to);
    if (device_.flips) to[from.size() / 2] ^= std::byte{1};
    return device_.call();
  }

 private:
  HostDevice& device_;
  Buffer pinned_, memory_;
};

/// A file, and what came of compressing it.
struct Outcome {
  Result<Totals> totals = Error{};
  Bytes stored;
  std::vector<std::uint64_t> progress;
  std::vector<std::string> warnings, notes;
};

Outcome by_cpu(const Bytes& original, CompressOptions options) {
  Outcome outcome;
  MemorySource source(original);
  MemorySink sink;
  options.progress = [&](const Progress& now) { outcome.progress.push_back(now.stored_bytes); };
  outcome.totals = compress(source, sink, options);
  outcome.stored = std::move(sink).take();
  return outcome;
}

Prepared prepared_for(Source& source, const CompressOptions& options) {
  PrefixSource prefix(source);
  return prepare(prefix, options).value();
}

struct Rig {
  HostDevice device = {};
  bool starts = true;
  std::uint64_t batch = 150'000;  ///< two chunks
  std::function<Result<Totals>(const std::string& why)> by_cpu = {};

  Outcome run(Source& source, Prepared prepared) {
    Outcome outcome;
    MemorySink sink;
    CompressOptions& options = prepared.options;
    options.progress = [&](const Progress& now) { outcome.progress.push_back(now.stored_bytes); };
    options.warn = [&](std::string_view line) { outcome.warnings.emplace_back(line); };
    options.note = [&](std::string_view line) { outcome.notes.emplace_back(line); };
    auto use = compressing_use(source, prepared);
    REQUIRE(use);
    use->room = room_on_device(prepared, batch).value();
    DeviceStart start([&] { return queues(slots_of(use->batches)); });
    if (starts) REQUIRE(start.wait());
    const auto make = [this] {
      return Result<std::unique_ptr<cuda::EncodeQueue>>(std::make_unique<testing::HostEncodeQueue>(device));
    };
    outcome.totals = by_cpu ? compress_if_one_starts(*use, sink, prepared, start, make, by_cpu)
                            : compress_on_device(*use, sink, prepared, start, make);
    outcome.stored = std::move(sink).take();
    return outcome;
  }
  Outcome run(const Bytes& original, const CompressOptions& options) {
    MemorySource source(original);
    return run(source, prepared_for(source, options));
  }

 private:
  Result<cuda::DecodeQueues> queues(std::size_t count) {
    if (!starts) return unsupported("it does not start");
    cuda::DecodeQueues made;
    made.devices.push_back({.name = "host memory"});
    while (made.queues.size() < count) made.queues.push_back(std::make_unique<HostMemoryQueue>(device));
    return made;
  }
};

CompressOptions usual_options() {
  return test::options_for(testing::usual_stream().plan);
}

void check_same(const Outcome& found, const Outcome& wanted) {
  REQUIRE(wanted.totals);
  REQUIRE(found.totals);
  CHECK(found.stored == wanted.stored);
  CHECK(found.progress == wanted.progress);
  CHECK(found.totals->original_bytes == wanted.totals->original_bytes);
  CHECK(found.totals->stored_bytes == wanted.totals->stored_bytes);
  CHECK(found.totals->chunks == wanted.totals->chunks);
  CHECK(found.totals->gpu_chunks == wanted.totals->gpu_chunks);
  CHECK(found.totals->digest == wanted.totals->digest);
}

std::string encoded(std::size_t done, std::size_t chunks) {
  return "host memory encodes " + std::to_string(done) + " of " + std::to_string(chunks) +
         " chunks: as asked for";
}

}  // namespace

TEST_CASE("whole files: whole chunks, a remainder, a raw prefix, short frames, several threads") {
  struct Case {
    std::size_t bytes, on_device;
    std::uint64_t prefix = 0;
    std::uint32_t frame = 0;
    unsigned threads = 1;
  };
  for (const Case& one : {Case{4 * 65536, 4},
                          {3 * 65536 + 777, 3},
                          {5 * 65536 + 100'000, 5, 100'000},
                          {3 * 65536, 3, 0, 40'000},
                          {9 * 65536 + 1, 9, 0, 0, 3},
                          {65536, 1, 0, 0, 2}}) {
    CAPTURE(one.bytes);
    CAPTURE(one.threads);
    const Bytes original = testing::original_of(one.bytes, one.bytes);
    CompressOptions options = usual_options();
    options.raw_prefix = one.prefix, options.frame_bytes = one.frame, options.threads = one.threads;
    options.digest = one.prefix == 0;
    Rig rig;
    const Outcome found = rig.run(original, options), wanted = by_cpu(original, options);
    check_same(found, wanted);
    CHECK(found.warnings.empty());
    REQUIRE(found.notes.size() == 1);
    CHECK(found.notes[0] == encoded(one.on_device, found.totals->chunks));
  }
}

TEST_CASE("rows before uniform frames") {
  const Bytes original = testing::rows_original();
  CompressOptions options = test::options_for(testing::rows_plan(Coding::uniform, 2, 721));
  options.threads = 2;
  Rig rig;
  const Outcome found = rig.run(original, options);
  check_same(found, by_cpu(original, options));
  CHECK(found.notes.at(0) == encoded(11, 11));
}

TEST_CASE("random plans of a device") {
  std::uint32_t on_device = 0;
  for (std::uint64_t seed = 200; seed < 206; ++seed) {
    CAPTURE(seed);
    const testing::EncodeCase made = testing::random_case(seed, 8);
    CompressOptions options = test::options_for(made.plan);
    options.threads = 2;
    MemorySource source(made.words);
    if (!compressing_use(source, prepared_for(source, options))) continue;
    Rig rig;
    rig.batch = 1'000'000;
    check_same(rig.run(made.words, options), by_cpu(made.words, options));
    on_device += rig.device.chunks;
  }
  CHECK(on_device > 0);
}

TEST_CASE("chunks of several plans, some of them for the CPU") {
  constexpr std::size_t kChunk = 65536;
  Bytes original;
  for (std::uint32_t i = 0; i < 3; ++i)
    for (const Bytes& kind :
         {testing::original_of(i, 2 * kChunk), test::walk(kChunk, 4, i), test::walk(kChunk, 1, i)})
      original.insert(original.end(), kind.begin(), kind.end());
  MemorySource source(original);
  Prepared prepared = prepared_for(source, usual_options());
  prepared.options.threads = 2, prepared.chunk_sample = kChunk;
  for (const Plan& plan : {plan_for("u32").value(), testing::fused_plan(1, {3, 1}, 1, true, 1024, 1, 1024)})
    prepared.found.recipes.push_back(recipe_of(plan));

  MemorySink sink;
  StreamWriter writer(sink, stream_header(prepared.options, original.size()), true);
  ChunkEncoder encoder(prepared.options.level);
  Trial trial(kDefaultLevel);
  std::set<std::size_t> chosen;
  for (std::size_t at = 0; at < original.size(); at += kChunk) {
    const auto chunk = std::span(original).subspan(at, kChunk);
    const std::size_t choice = choose_recipe(chunk, prepared.found.recipes, kChunk, trial).value();
    chosen.insert(choice);
    EncodedChunk encoded;
    REQUIRE(encoder.encode(chunk, prepared.found.recipes[choice], kChunk, encoded));
    REQUIRE(writer.write_chunk(chunk, encoded));
  }
  REQUIRE(writer.finish());
  CHECK(chosen.size() == 3);

  Rig rig;
  rig.batch = 7 * kChunk;
  const Outcome found = rig.run(source, std::move(prepared));
  CHECK(found.stored == std::move(sink).take());
  CHECK(found.notes.at(0) == encoded(9, 12));
}

TEST_CASE("any call of the device may fail: the CPU goes on") {
  const Bytes original = testing::original_of(7, 3 * 65536 + 777);
  const Outcome wanted = by_cpu(original, usual_options());
  Rig good;
  check_same(good.run(original, usual_options()), wanted);
  const unsigned calls = good.device.calls;
  CHECK(calls > 15);
  for (unsigned n = 1; n <= calls; ++n) {
    CAPTURE(n);
    Rig rig;
    rig.device.fails_at = n;
    const Outcome found = rig.run(original, usual_options());
    check_same(found, wanted);
    if (rig.device.calls < n) continue;
    CHECK(rig.device.calls < n + 3);  // the device is not used again
    REQUIRE(found.warnings.size() <= 1);
  }
}

TEST_CASE("a device that contradicts itself is left alone") {
  const Bytes original = testing::original_of(8, 4 * 65536);
  Rig rig;
  rig.device.lies = true;
  const Outcome found = rig.run(original, usual_options());
  check_same(found, by_cpu(original, usual_options()));
  REQUIRE(found.warnings.size() == 1);
  CHECK(found.warnings[0].starts_with("device 0 failed, so the CPU continues: "));
  CHECK(found.notes.at(0) == encoded(0, 4));
}

TEST_CASE("a bit that changes on the way to the device changes nothing") {
  for (const unsigned threads : {1u, 3u}) {
    const Bytes original = testing::original_of(12, 7 * 65536 + 100);
    CompressOptions options = usual_options();
    options.threads = threads;
    Rig rig;
    rig.device.flips = true;
    const Outcome found = rig.run(original, options);
    check_same(found, by_cpu(original, options));
    REQUIRE(found.warnings.size() == 1);
    CHECK(found.warnings[0].ends_with(": it encoded other bytes than those of the file"));
    CHECK(found.notes.at(0) == encoded(0, 8));
  }
}

TEST_CASE("without a device nothing is written") {
  Rig rig;
  rig.starts = false;
  const Outcome found = rig.run(testing::original_of(9, 10 * 65536), usual_options());
  REQUIRE_FALSE(found.totals);
  CHECK(found.totals.error().kind == ErrorKind::unsupported);
  CHECK(found.totals.error().message == "it does not start");
  CHECK(found.stored.empty());
}

TEST_CASE("chosen by the library, a device that does not start means the CPU") {
  const Bytes original = testing::original_of(10, 10 * 65536);
  for (const bool starts : {true, false}) {
    std::string reason;
    Rig rig;
    rig.starts = starts;
    rig.by_cpu = [&](const std::string& why) -> Result<Totals> {
      reason = why;
      return Totals{.chunks = 77};
    };
    const Outcome found = rig.run(original, usual_options());
    CHECK(reason == (starts ? "" : "it does not start"));
    if (starts) check_same(found, by_cpu(original, usual_options()));
    if (starts) continue;
    CHECK(found.totals.value().chunks == 77);
    CHECK(found.stored.empty());
    CHECK(found.progress.empty());
    CHECK(found.notes.empty());
  }
}

namespace {

/// A file that ends, or grows, while it is read.
class Changing final : public RandomAccess {
 public:
  Changing(std::uint64_t end, std::uint64_t later) : end_(end), later_(later) {}
  std::uint64_t size() const override { return was_read_ ? later_ : kAtFirst; }
  bool parallel_reads() const override { return true; }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    was_read_ = true;
    std::ranges::fill(into, std::byte{1});
    return offset + into.size() <= end_ ? ok() : Status(Error{ErrorKind::io, "no more"});
  }
  static constexpr std::uint64_t kAtFirst = 4 * 65536;

 private:
  const std::uint64_t end_, later_;
  std::atomic<bool> was_read_ = false;
};

class ChangingSource final : public Source {
 public:
  ChangingSource(std::uint64_t end, std::uint64_t later) : file_(end, later) {}
  Result<std::size_t> read(std::span<std::byte>) override { return std::size_t{0}; }
  std::optional<std::uint64_t> size() const override { return file_.size(); }
  RandomAccess* random_access() override { return &file_; }

 private:
  Changing file_;
};

}  // namespace

TEST_CASE("a file that cannot be read is an error") {
  ChangingSource source(3 * 65536, Changing::kAtFirst);
  Rig rig;
  const Outcome found = rig.run(source, prepared_for(source, usual_options()));
  REQUIRE_FALSE(found.totals);
  CHECK(found.totals.error().message == "no more");
}

TEST_CASE("a file that changes its length is an error") {
  for (const std::uint64_t later : {Changing::kAtFirst - 1, Changing::kAtFirst + 65536}) {
    ChangingSource source(Changing::kAtFirst, later);
    Rig rig;
    const Outcome found = rig.run(source, prepared_for(source, usual_options()));
    REQUIRE_FALSE(found.totals);
    CHECK(found.totals.error().kind == ErrorKind::io);
    CHECK(found.totals.error().message ==
          "the input changed while it was read: 262144 bytes were expected, " + std::to_string(later) +
              " are there");
  }
}

TEST_CASE("nobody waits in take(), also while another thread waits for the devices") {
  std::promise<void> may_start;
  DeviceStart start([&]() -> Result<cuda::DecodeQueues> {
    may_start.get_future().wait();
    return unsupported("none");
  });
  std::promise<void> begun;
  std::jthread waiting([&] {
    begun.set_value();
    CHECK_FALSE(start.wait());
  });
  begun.get_future().wait();
  for (int i = 0; i < 20; ++i) {
    const auto queue = start.take();
    REQUIRE(queue);
    CHECK(*queue == nullptr);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  may_start.set_value();
  waiting.join();
  CHECK_FALSE(start.take());
}

TEST_CASE("recipes are tried on a chunk at most") {
  const Bytes original = testing::original_of(1, 65536);
  MemorySource source(original);
  Prepared prepared = prepared_for(source, usual_options());
  const std::uint64_t alone = encoding_needs(prepared).worker;
  prepared.chunk_sample = std::numeric_limits<std::size_t>::max();
  CHECK(encoding_needs(prepared).worker == alone);
  prepared.found.recipes.push_back(prepared.found.recipes.front());
  const std::uint64_t several = encoding_needs(prepared).worker;
  CHECK(several > alone + 3 * 65536);
  prepared.chunk_sample = 65536;
  CHECK(encoding_needs(prepared).worker == several);
}

TEST_CASE("what the CPU compresses, and why") {
  const Bytes original = testing::original_of(1, 4 * 65536);
  const auto reason = [&](const CompressOptions& options, Source&& source) {
    const auto use = compressing_use(source, prepared_for(source, options));
    return use ? std::string() : use.error().message;
  };
  const std::string too_long = "a chunk is longer than the file, or than the memory allows";
  CompressOptions options = usual_options();
  CHECK(reason(options, MemorySource(original)).empty());
  CHECK(reason(options, test::PieceSource(original, 1, 100)) == "the input is not a file");
  CHECK(reason(options, MemorySource(std::span(original).first(1000))) == "the file is too short");
  options.chunk_bytes = 5 * 65536;
  CHECK(reason(options, MemorySource(original)) == too_long);
  options = usual_options();
  options.memory = 1u << 20;
  CHECK_FALSE(reason(options, MemorySource(original)).empty());
  options = usual_options();
  options.device.memory = 100'000;
  CHECK(reason(options, MemorySource(original)) == too_long);
  options = usual_options();
  options.flush_after = std::chrono::milliseconds(1);
  CHECK(reason(options, MemorySource(original)) == "chunks may have to end early, to be written in time");
  CHECK(reason(test::options_for("i16"), MemorySource(original)) == "no GPU makes frames with these steps");
}

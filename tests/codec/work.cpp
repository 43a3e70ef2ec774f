// SPDX-License-Identifier: Apache-2.0
// Does the work grow as the file does, also where the file was made to take long? Three things are counted
// while a file of n records, of 2n and of 4n is read: bytes read, bytes allocated, and the steps of recovery
// in memory. No time is measured. A program of its own, because it counts every allocation.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>

#include "codec/decompress.hpp"
#include "codec/recover/groups.hpp"
#include "codec/recover/record_scan.hpp"
#include "codec/stream/memory_io.hpp"
#include "formats/digest.hpp"
#include "formats/stream/parity.hpp"
#include "tests/codec/streams/composed_stream.hpp"

using namespace tdz;
using namespace tdz::test;
using formats::RecordKind;

namespace {

std::atomic<std::uint64_t> allocated_bytes = 0;

void* counted(std::size_t bytes, std::size_t alignment) {
  allocated_bytes += bytes;
  const std::size_t rounded = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  void* const memory =
      alignment > alignof(std::max_align_t) ? std::aligned_alloc(alignment, rounded) : std::malloc(rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes, 1);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace {

/// A file in memory that counts the bytes read, from its beginning too.
class CountedFile final : public RandomAccess {
 public:
  explicit CountedFile(std::span<const std::byte> bytes) : file_(bytes) {}
  std::uint64_t size() const override { return file_.size(); }
  Status read_at(std::uint64_t offset, std::span<std::byte> into) override {
    bytes_read += into.size();
    return file_.read_at(offset, into);
  }
  std::uint64_t bytes_read = 0;

 private:
  MemoryRandomAccess file_;
};

class CountedSource final : public Source {
 public:
  explicit CountedSource(RandomAccess& file) : file_(file) {}
  Result<std::size_t> read(std::span<std::byte> into) override {
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(into.size(), file_.size() - at_));
    if (auto done = file_.read_at(at_, into.first(bytes)); !done) return done.error();
    at_ += bytes;
    return bytes;
  }
  RandomAccess* random_access() override { return &file_; }

 private:
  RandomAccess& file_;
  std::uint64_t at_ = 0;
};

/// Takes bytes in any order, and counts them.
class CountingSink final : public Sink {
 public:
  Status write(std::span<const std::byte> bytes) override { return write_at(0, bytes); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t, std::span<const std::byte> bytes) override {
    bytes_written += bytes.size();
    return ok();
  }
  std::uint64_t bytes_written = 0;
};

struct Work {
  std::uint64_t read = 0, allocated = 0, steps = 0;
};

/// What a call costs. Whether it succeeds is not asked here.
template <class Call>
Work work_of(const Bytes& bytes, const Call& call) {
  CountedFile file(bytes);
  Work work;
  const std::uint64_t before = allocated_bytes;
  work.steps = call(file);
  work.allocated = allocated_bytes - before;
  work.read = file.bytes_read;
  return work;
}

std::uint64_t do_recover(CountedFile& file) {
  CountingSink to;
  (void)recover(file, to, {.max_output = 1u << 30});
  return to.bytes_written;
}

std::uint64_t do_group(CountedFile& file) {
  std::uint64_t steps = 0;
  Grouping grouping(steps);
  RecordScan scan(file);
  REQUIRE(scan.run(grouping));
  REQUIRE(streams_of_file(std::move(grouping).streams(), file));
  return steps;
}

std::uint64_t do_verify(CountedFile& file) {
  CountedSource from(file);
  (void)verify_stream(from, one_thread());
  return 0;
}

std::uint64_t do_decompress(CountedFile& file) {
  CountedSource from(file);
  CountingSink to;
  (void)decompress(from, to, one_thread());
  return to.bytes_written;
}

/// All but the first bytes, through the index where that is possible.
std::uint64_t do_range(CountedFile& file) {
  CountedSource from(file);
  CountingSink to;
  auto options = one_thread();
  options.range = Range{{2}, {}};
  (void)decompress(from, to, options);
  return to.bytes_written;
}

std::uint64_t do_info(CountedFile& file) {
  std::uint64_t chunks = 0;
  const auto streams = inspect(file);
  if (!streams) return 0;
  for (const StreamInfo& stream : *streams)
    (void)for_each_chunk(file, stream, [&](const ChunkInfo&) { return ++chunks > 0; });
  return chunks;
}

// ---- Files of n records -----------------------------------------------------------------------------------

/// n chunks of four bytes, which are all different.
std::vector<Bytes> originals(std::size_t n) {
  std::vector<Bytes> all;
  for (std::size_t i = 0; i < n; ++i) {
    Bytes bytes;
    formats::put_le(bytes, static_cast<std::uint32_t>(i));
    all.push_back(std::move(bytes));
  }
  return all;
}

/// An index in parts of so many chunks.
Composition composition(std::size_t n, std::size_t part) {
  Composition wanted{.originals = originals(n), .parts = std::vector<std::size_t>(n / part, part)};
  if (n % part != 0) wanted.parts.push_back(n % part);
  return wanted;
}

Bytes plain(std::size_t n) {
  return composed(composition(n, n));
}
Bytes a_part_for_each_chunk(std::size_t n) {
  return composed(composition(n, 1));
}
Bytes with_notes(std::size_t n) {
  auto wanted = composition(n, 3);
  wanted.notes = true;
  return composed(wanted);
}

/// Puts a byte in before each chunk.
Bytes shifted(const Bytes& stream) {
  Bytes out;
  for (const Piece& piece : dissect(stream)) {
    if (piece.kind == RecordKind::chunk) out.push_back(std::byte{1});
    out.insert(out.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return out;
}
Bytes chunks_shifted(std::size_t n) {
  return shifted(plain(n));
}
Bytes chunks_and_parts_shifted(std::size_t n) {
  return shifted(a_part_for_each_chunk(n));
}
Bytes shifted_without_index(std::size_t n) {
  auto pieces = dissect(plain(n));
  pieces.resize(n + 1);
  return shifted(joined(pieces));
}

Bytes chunks_reversed(std::size_t n) {
  auto pieces = dissect(plain(n));
  std::reverse(pieces.begin() + 1, pieces.begin() + 1 + static_cast<std::ptrdiff_t>(n));
  return joined(pieces);
}
Bytes each_chunk_twice(std::size_t n) {
  Bytes out;
  for (const Piece& piece : dissect(plain(n))) {
    for (int i = piece.kind == RecordKind::chunk ? 2 : 1; i > 0; --i)
      out.insert(out.end(), piece.bytes.begin(), piece.bytes.end());
  }
  return out;
}
Bytes one_chunk_many_times(std::size_t n) {
  auto pieces = dissect(plain(4));
  pieces.insert(pieces.begin() + 2, n, pieces[2]);
  return joined(pieces);
}
Bytes damaged_copies(std::size_t n) {
  const Bytes one = shifted(plain(4));
  Bytes out;
  for (std::size_t i = 0; i < n / 4; ++i) out.insert(out.end(), one.begin(), one.end());
  return out;
}
Bytes many_streams(std::size_t n) {
  const Bytes one = plain(1);
  Bytes out;
  for (std::size_t i = 0; i < n; ++i) out.insert(out.end(), one.begin(), one.end());
  return out;
}

/// Behind n chunks stand n parts that list other ones, one each.
Bytes parts_that_contradict(std::size_t n) {
  auto pieces = dissect(plain(n));
  auto part = formats::IndexPart{.tag = formats::read_prefix(pieces[1].bytes, 0)->tag};
  part.plans = {formats::serialize(plain_plan())};
  pieces.resize(n + 1);
  Bytes file = joined(pieces);
  for (std::size_t i = 0; i < n; ++i) {
    part.offset = file.size();
    part.first_chunk = i;
    part.previous = i == 0 ? formats::kNone : 0;
    part.entries = {{.original_offset = 4 * i, .digest = i, .original_bytes = 4, .stored_bytes = 100}};
    const Bytes record = formats::serialize(part);
    file.insert(file.end(), record.begin(), record.end());
  }
  return file;
}

Bytes many_headers(std::size_t n) {
  const Bytes header = dissect(plain(1)).front().bytes;
  Bytes file;
  for (std::size_t i = 0; i < n; ++i) file.insert(file.end(), header.begin(), header.end());
  const Bytes stream = plain(3);
  return file + stream;
}

/// Of streams that begin at one header.
Bytes many_ends(std::size_t n) {
  const auto pieces = dissect(composed({}));
  Bytes file = pieces.front().bytes;
  auto end = formats::parse_end(pieces.back().bytes, {}, 0).value();
  for (std::size_t i = 0; i < n; ++i) {
    end.stream_bytes = file.size() + formats::kEndLength;
    const Bytes record = formats::serialize(end);
    file.insert(file.end(), record.begin(), record.end());
  }
  return file;
}

/// The first bytes of records, each right, of which each claims half of the file.
Bytes heads_that_overlap(std::size_t n) {
  const Bytes long_one = formats::build_record(RecordKind::chunk, 7, Bytes(n / 2 * 32));
  const Bytes first = head(long_one, formats::kPrefixBytes);
  Bytes file;
  for (std::size_t i = 0; i < n; ++i) file.insert(file.end(), first.begin(), first.end());
  return file + Bytes(long_one.size());
}

/// Chunks of one stream, whose frames all end where `behind` begins.
Bytes chunks_that_overlap(std::size_t n, const Bytes& behind, std::size_t before_behind) {
  formats::ChunkRecord chunk{
      .tag = 7, .chain = formats::kFirstChain, .plan = formats::serialize(plain_plan())};
  chunk.substreams = {1};
  chunk.frames = {{1, 1}};
  const std::size_t record_bytes = formats::serialize(chunk).size();
  Bytes file;
  for (; chunk.number < n; ++chunk.number) {
    const auto frames = static_cast<std::uint32_t>((n - 1 - chunk.number) * record_bytes + before_behind);
    chunk.offset = file.size();
    chunk.digest = chunk.number;
    chunk.original_bytes = chunk.substreams[0] = std::max(frames, 1u);
    chunk.frames[0] = {std::max(frames, 4u), std::max(frames, 1u)};
    const Bytes record = formats::serialize(chunk);
    file.insert(file.end(), record.begin(), record.end());
    chunk.original_offset += chunk.original_bytes;
    chunk.chain = formats::next_chain(chunk.chain, chunk.digest);
  }
  return file + Bytes(before_behind, std::byte{1}) + behind;
}

/// They end at a long record of another stream.
Bytes frames_up_to_a_long_record(std::size_t n) {
  return chunks_that_overlap(n, formats::build_record(RecordKind::chunk, 9, Bytes(100 * n)), 8);
}
Bytes frames_up_to_the_end(std::size_t n) {
  return chunks_that_overlap(n, {}, 100 * n);
}

/// Each note claims an area of 16 MiB, at a place of its own.
Bytes notes_of_long_areas(std::size_t n) {
  Bytes file = dissect(plain(1)).front().bytes;
  const formats::Area area{.bytes = 1u << 24, .piece_bits = 15, .parity = 2, .stripes = 64};
  for (std::size_t i = 0; i < n / 20; ++i) {
    formats::ParityNote note{.area = area, .tag = 7, .offset = (i + 1) << 26, .parity = Bytes(1u << 15)};
    note.digests.assign(8, i);
    file = std::move(file) + formats::serialize(note);
  }
  return file;
}

/// Each note is the last of 32640 that an area of one piece for each stripe would have.
Bytes notes_of_many_stripes(std::size_t n) {
  Bytes file = dissect(plain(1)).front().bytes;
  const formats::Area area{.bytes = 255u << 9, .piece_bits = 9, .parity = 128, .stripes = 255};
  for (std::size_t i = 0; i < n; ++i) {
    formats::ParityNote note{.area = area, .tag = 7 + i, .offset = 1u << 28, .r = 1, .parity = Bytes(512)};
    file = std::move(file) + formats::serialize(note);
  }
  return file;
}

/// Each has a byte that is damaged.
Bytes many_damaged_areas(std::size_t n) {
  Bytes file;
  for (std::size_t i = 0; i < n / 10; ++i) {
    auto options = options_for(plain_plan());
    options.protect = 5;
    Bytes stream = packed(noise(700, static_cast<std::uint32_t>(i)), options);
    stream[300] ^= std::byte{1};
    file = std::move(file) + stream;
  }
  return file;
}

/// All chunks have one plan of 50 KB, which stands in the index once.
Bytes a_long_plan(std::size_t n) {
  Plan plan;
  plan.columns.resize(
      48, Column{.width = 2, .count = 256, .steps = {LanesStep{.lanes = std::vector<LaneRule>(256)}}});
  auto wanted = composition(n, n);
  const Bytes bytes = formats::serialize(plan);
  wanted.chunk = [](formats::ChunkRecord& chunk) { chunk.plan = formats::serialize(plain_plan()); };
  wanted.plans.assign(n, bytes);
  return composed(wanted);
}

struct Shape {
  const char* name;
  Bytes (*make)(std::size_t);
};
constexpr Shape kShapes[] = {
    {"plain", plain},
    {"a part for each chunk", a_part_for_each_chunk},
    {"notes", with_notes},
    {"notes of long areas", notes_of_long_areas},
    {"notes of many stripes", notes_of_many_stripes},
    {"many damaged areas", many_damaged_areas},
    {"chunks shifted", chunks_shifted},
    {"chunks and parts shifted", chunks_and_parts_shifted},
    {"shifted without an index", shifted_without_index},
    {"chunks reversed", chunks_reversed},
    {"each chunk twice", each_chunk_twice},
    {"one chunk many times", one_chunk_many_times},
    {"damaged copies", damaged_copies},
    {"many streams", many_streams},
    {"parts that contradict", parts_that_contradict},
    {"many headers", many_headers},
    {"many ends", many_ends},
    {"heads that overlap", heads_that_overlap},
    {"frames up to a long record", frames_up_to_a_long_record},
    {"frames up to the end", frames_up_to_the_end},
    {"a long plan", a_long_plan},
};

struct Verb {
  const char* name;
  std::uint64_t (*run)(CountedFile&);
};
constexpr Verb kVerbs[] = {{"recover", do_recover},       {"grouping", do_group}, {"verify", do_verify},
                           {"decompress", do_decompress}, {"range", do_range},    {"info", do_info}};

/// Four times as much, and a little for logarithms. Work that grows as the square would be 16 times as much.
void check_growth(std::uint64_t once, std::uint64_t four_times) {
  CHECK(four_times <= 6 * once + 100000);
}

}  // namespace

TEST_CASE("work grows as the file does, for every verb and shape") {
  constexpr std::size_t kRecords = 600;
  for (const Shape& shape : kShapes) {
    const Bytes once = shape.make(kRecords), four_times = shape.make(4 * kRecords);
    for (const Verb& verb : kVerbs) {
      INFO(std::string(shape.name), ", ", std::string(verb.name));
      const Work a = work_of(once, verb.run), b = work_of(four_times, verb.run);
      check_growth(a.read, b.read);
      check_growth(a.allocated, b.allocated);
      check_growth(a.steps, b.steps);
    }
  }
}

TEST_CASE("chunks of one plan share it: none is copied for each of them") {
  const Bytes stored = a_long_plan(2000);
  const Work work = work_of(stored, do_info);
  CHECK(work.steps == 2000);
  CHECK(work.allocated < 20 * stored.size());
}

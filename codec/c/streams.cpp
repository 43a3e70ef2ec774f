// SPDX-License-Identifier: Apache-2.0
// Compression and decompression of tdz.h, with callbacks and in memory.
#include <cstdlib>

#include "codec/c/call.hpp"
#include "codec/c/plans.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/options.hpp"

namespace tdz::c {
namespace {

// ---- Compression

/// A plan says everything that the search would find out.
Result<CompressOptions> with_plan(const tdz_compress_options& said) {
  if (said.level != 0 || said.effort != 0 || said.gpu != 0 || said.big_endian != 0 || said.plans != nullptr)
    return usage("level, effort, gpu, big_endian and plans go without a plan: a plan says all of them");
  CompressOptions options;
  options.plan = said.plan->plan;
  options.level = options.plan.packing.level;
  if (said.type == nullptr) return options;
  auto type = checked_type(said.type);
  if (!type) return type.error();
  options.type = *std::move(type);
  return options;
}

Result<CompressOptions> options_of(const tdz_compress_options& said) {
  auto options =
      said.plan != nullptr
          ? with_plan(said)
          : compress_request({said.type, said.level, said.effort, said.gpu != 0, said.big_endian != 0});
  if (!options) return options;
  if (said.plans != nullptr) options->plans = &said.plans->plans;
  options->raw_prefix = said.raw_prefix;
  options->threads = said.threads;
  options->memory = said.memory;
  options->digest = said.no_digest == 0;
  options->protect = static_cast<unsigned>(std::min<std::uint64_t>(said.protect, kMaxProtect + 1));
  options->chunk_bytes = said.chunk_bytes;
  options->frame_bytes = said.frame_bytes;
  if (said.frame_bytes == 0 && options->plan.packing.frame_bytes != 0)
    options->frame_bytes = std::min(options->plan.packing.frame_bytes, chunk_bytes(*options));
  return options;
}

Result<Totals> run(Source& from, Sink& to, const tdz_compress_options* said) {
  const auto read = read_struct(said);
  if (!read) return read.error();
  auto options = options_of(*read);
  if (!options) return options.error();
  Watch watch(read->progress, read->progress_user);
  options->progress = watch.callback();
  options->stop = watch.token();
  auto totals = compress(from, to, *options);
  if (!totals) return totals;
  if (auto good = watch.wanted_end(); !good) return good.error();
  return totals;
}

/// Memory of malloc, which grows; tdz_free frees it.
class GrowingSink final : public Sink {
 public:
  GrowingSink() = default;
  ~GrowingSink() override { std::free(data_); }
  GrowingSink(const GrowingSink&) = delete;
  GrowingSink& operator=(const GrowingSink&) = delete;

  Status write(std::span<const std::byte> bytes) override {
    if (bytes.size() > room_ - length_) grow(length_ + bytes.size());
    std::ranges::copy(bytes, static_cast<std::byte*>(data_) + length_);
    length_ += bytes.size();
    return ok();
  }
  std::size_t length() const { return length_; }
  void* release() { return std::exchange(data_, nullptr); }

 private:
  void grow(std::size_t least) {
    const std::size_t room = std::max(least, room_ + room_ / 2);
    void* const data = std::realloc(data_, room);
    if (data == nullptr) throw std::bad_alloc();
    data_ = data;
    room_ = room;
  }

  void* data_ = nullptr;
  std::size_t length_ = 0, room_ = 0;
};

// ---- Decompression

/// The caller's memory. Chunks are written where they belong, by several threads.
class RoomSink final : public Sink {
 public:
  explicit RoomSink(std::span<std::byte> room) : room_(room) {}
  Status write(std::span<const std::byte> bytes) override { return write_at(0, bytes); }
  bool positioned() const override { return true; }
  Status write_at(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset > room_.size() || bytes.size() > room_.size() - offset)
      return Error{ErrorKind::limit, "the original is longer than the room for it"};
    std::ranges::copy(bytes, room_.begin() + static_cast<std::ptrdiff_t>(offset));
    return ok();
  }

 private:
  std::span<std::byte> room_;
};

/// The options as the library has them.
DecompressOptions options_of(const tdz_decompress_options& said) {
  DecompressOptions options;
  if (said.offset != 0 || said.length != 0) {
    options.range.emplace(Range{{said.offset}, {}});
    if (said.length != 0) options.range->length = Extent{said.length};
  }
  options.threads = said.threads;
  options.memory = said.memory;
  options.compare_digest = said.compare_digest != 0;
  if (said.max_output != 0) options.max_output = said.max_output;
  return options;
}

Result<Totals> run(Source& from, Sink& to, const tdz_decompress_options& said, std::uint64_t most) {
  auto options = options_of(said);
  options.max_output = std::min(options.max_output, most);
  Watch watch(said.progress, said.progress_user);
  options.progress = watch.callback();
  options.stop = watch.token();
  auto totals = decompress(from, to, options);
  if (!totals) return totals;
  if (auto good = watch.wanted_end(); !good) return good.error();
  return totals;
}

Status run_callbacks(const tdz_input* from, Sink& to, const tdz_decompress_options& said,
                     tdz_totals* totals) {
  const auto input = read_input(from);
  if (!input) return input.error();
  CallbackSource source(*input);
  const auto done = run(source, to, said, DecompressOptions{}.max_output);
  if (!done) return done.error();
  give(*done, totals);
  return ok();
}

}  // namespace
}  // namespace tdz::c

using namespace tdz;
using namespace tdz::c;

tdz_status tdz_compress(const tdz_input* from, const tdz_output* to, const tdz_compress_options* options,
                        tdz_totals* totals, tdz_error* error) {
  return guarded(error, {}, [&]() -> Status {
    const auto input = read_input(from);
    if (!input) return input.error();
    const auto output = read_output(to);
    if (!output) return output.error();
    if (output->write == nullptr) return usage("tdz_compress needs an output with the function write");
    CallbackSource source(*input);
    CallbackSink sink(*output);
    const auto done = run(source, sink, options);
    if (!done) return done.error();
    give(*done, totals);
    return ok();
  });
}

tdz_status tdz_compress_bytes(const void* original, size_t bytes, const tdz_compress_options* options,
                              void** stored, size_t* length, tdz_error* error) {
  return guarded(error, {{original, "original", bytes}, {stored, "stored"}, {length, "length"}},
                 [&]() -> Status {
                   MemorySource from(bytes_at(original, bytes));
                   GrowingSink to;
                   if (auto done = run(from, to, options); !done) return done.error();
                   *length = to.length();
                   *stored = to.release();
                   return ok();
                 });
}

tdz_status tdz_decompress(const tdz_input* from, const tdz_output* to, const tdz_decompress_options* options,
                          tdz_totals* totals, tdz_error* error) {
  return guarded(error, {}, [&]() -> Status {
    const auto said = read_struct(options);
    if (!said) return said.error();
    NowhereSink nowhere;
    if (to == nullptr) return run_callbacks(from, nowhere, *said, totals);
    const auto output = read_output(to);
    if (!output) return output.error();
    CallbackSink sink(*output);
    return run_callbacks(from, sink, *said, totals);
  });
}

tdz_status tdz_decompress_bytes(const void* stored, size_t bytes, const tdz_decompress_options* options,
                                void* out, size_t room, size_t* length, tdz_error* error) {
  return guarded(error, {{stored, "stored", bytes}, {out, "out", room}, {length, "length"}}, [&]() -> Status {
    const auto said = read_struct(options);
    if (!said) return said.error();
    MemorySource from(bytes_at(stored, bytes));
    RoomSink to(room_at(out, room));
    const auto done = run(from, to, *said, room);
    if (!done) return done.error();
    *length = static_cast<size_t>(done->original_bytes);
    return ok();
  });
}

tdz_status tdz_original_bytes(const void* stored, size_t bytes, uint64_t* original, tdz_error* error) {
  return guarded(error, {{stored, "stored", bytes}, {original, "original"}}, [&]() -> Status {
    MemoryRandomAccess file(bytes_at(stored, bytes));
    const auto streams = inspect(file);
    if (!streams) return streams.error();
    *original = 0;
    for (const StreamInfo& stream : *streams) *original += stream.original_bytes;
    return ok();
  });
}

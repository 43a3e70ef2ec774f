// SPDX-License-Identifier: Apache-2.0
// Decompression of tdz.h, into callbacks and into memory.
#include "codec/c/callbacks.hpp"
#include "codec/pipe/memory_io.hpp"

namespace tdz::c {
namespace {

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

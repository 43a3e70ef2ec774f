// SPDX-License-Identifier: Apache-2.0
// The ways from a file to its original.
#include <cstring>

#include "codec/stream/memory_io.hpp"
#include "tdz/tdz.h"
#include "tests/model/judge/on_device.hpp"

namespace tdz::test {
namespace {

std::optional<Range> range_of(const Question& asked) {
  Range range{{asked.offset, false}, {}};
  if (asked.count != formats::kNone) range.length = Extent{asked.count, false};
  return range;
}

/// After an error: its kind, and the bytes that were delivered before it.
std::string decompressed(Source& from, const DecompressOptions& options) {
  CollectingSink to;
  const auto done = decompress(from, to, options);
  const std::string delivered = name_of_bytes(to.collected);
  return done ? delivered : std::string(name_of(done.error().kind)) + '/' + delivered;
}

std::string whole(const Question& asked) {
  MemorySource from(asked.bytes);
  auto options = one_thread();
  options.threads = 2;
  return decompressed(from, options);
}

std::string from_pipe(const Question& asked) {
  PieceSource from(asked.bytes, 1, 1000);
  return decompressed(from, one_thread());
}

std::string with_digest(const Question& asked) {
  MemorySource from(asked.bytes);
  auto options = one_thread();
  options.compare_digest = true;
  return decompressed(from, options);
}

std::string range(const Question& asked) {
  MemorySource from(asked.bytes);
  auto options = one_thread();
  options.range = range_of(asked);
  return decompressed(from, options);
}

std::string range_from_pipe(const Question& asked) {
  PieceSource from(asked.bytes, 2, 3000);
  auto options = one_thread();
  options.range = range_of(asked);
  return decompressed(from, options);
}

// ---- The interface for C: a reader

int read_at(void* user, std::uint64_t offset, void* into, std::size_t bytes) {
  const auto& all = *static_cast<const Bytes*>(user);
  if (offset > all.size() || bytes > all.size() - offset) return 1;
  if (bytes != 0) std::memcpy(into, all.data() + offset, bytes);
  return 0;
}

/// The range as far as the original has it, in two reads; "size/" first.
std::string by_reader(const Question& asked) {
  tdz_input from{};
  from.size = sizeof from;
  from.user = const_cast<Bytes*>(&asked.bytes);
  from.read_at = read_at;
  from.bytes = asked.bytes.size();
  tdz_decompress_options options{};
  options.size = sizeof options;
  options.threads = 1;
  tdz_reader* reader = nullptr;
  if (const auto status = tdz_reader_open(&from, &options, &reader, nullptr); status != TDZ_OK)
    return tdz_status_name(status);
  const std::uint64_t size = tdz_reader_size(reader);
  std::string answer = std::to_string(size) + '/';
  const std::uint64_t begin = std::min(asked.offset, size), count = std::min(asked.count, size - begin);
  if (count > kMostRoom) answer += "limit";
  Bytes out(count > kMostRoom ? 0 : static_cast<std::size_t>(count));
  std::size_t done = 0;
  for (const std::size_t part : {out.size() / 3, out.size() - out.size() / 3}) {
    std::size_t got = 0;
    const auto status = tdz_reader_read(reader, begin + done, out.data() + done, part, &got, nullptr);
    if (status != TDZ_OK || got != part) {
      tdz_reader_free(reader);
      return answer + (status != TDZ_OK ? tdz_status_name(status) : "short");
    }
    done += got;
  }
  tdz_reader_free(reader);
  return answer + name_of_bytes(out);
}

// ---- Others

/// Whether tdz says that all is there; then what is left, byte by byte.
std::string recovered(const Question& asked) {
  MemoryRandomAccess file(asked.bytes);
  CollectingSink to;
  RecoverOptions options;
  options.fill = Fill::nothing;
  const auto done = recover(file, to, options);
  const std::string_view how = !done              ? name_of(done.error().kind)
                               : done->complete() ? "complete"
                                                  : "incomplete";
  return std::string(how) + '/' + hex_of(to.collected);
}

/// The bytes that the ends of the streams promise.
std::string informed(const Question& asked) {
  MemoryRandomAccess file(asked.bytes);
  const auto streams = inspect(file);
  if (!streams) return std::string(name_of(streams.error().kind));
  std::uint64_t bytes = 0;
  for (const StreamInfo& stream : *streams) bytes += stream.original_bytes;
  return std::to_string(bytes);
}

std::string on_device(const Question& asked) {
  HostDevice device;
  DecodeWork work(std::make_unique<HostQueue>(device), {.threads = 1});
  work.take_stream(asked.bytes);
  return device_answer(work);
}

std::string range_on_device(const Question& asked) {
  HostDevice device{asked.bytes};
  DecodeWork work(std::make_unique<HostQueue>(device), {.threads = 1, .slice = 5000});
  work.take_stream_on_device(asked.bytes.data(), asked.bytes.size());
  return device_answer(work, range_of(asked));
}

}  // namespace

const std::vector<Way>& ways_of_files() {
  static const std::vector<Way> all = {{"file", whole},
                                       {"pipe", from_pipe},
                                       {"digest", with_digest},
                                       {"range", range},
                                       {"pipe_range", range_from_pipe},
                                       {"reader", by_reader},
                                       {"recover", recovered},
                                       {"info", informed},
                                       {"device", on_device},
                                       {"device_range", range_on_device}};
  return all;
}

}  // namespace tdz::test

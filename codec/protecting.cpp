// SPDX-License-Identifier: Apache-2.0
// Parity for files that exist: reads their chunks, and writes them again with notes between them.
#include <optional>
#include <utility>

#include "codec/decompress.hpp"
#include "codec/recover/record_scan.hpp"
#include "codec/stream/memory_limit.hpp"
#include "codec/stream/pipeline.hpp"
#include "codec/stream/stream_index.hpp"
#include "codec/stream/stream_input.hpp"
#include "codec/stream/stream_writer.hpp"
#include "formats/stream/parity.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

using namespace formats;

namespace {

/// One stream of a file that was verified.
class Protector {
 public:
  Protector(RandomAccess& file, Sink& to, const ProtectOptions& options, Totals& totals)
      : file_(file), to_(to), options_(options), totals_(totals) {}

  Status run(const FoundStream& stream) {
    std::vector<std::byte> header(static_cast<std::size_t>(stream.header_bytes));
    if (auto done = file_.read_at(stream.begin, header); !done) return done;
    StreamWriter writer(to_, stream.header, std::move(header), false, Protect{options_.percent});
    auto walk = IndexWalk::begin(file_, stream);
    if (!walk) return walk.error();
    for (;;) {
      const auto more = walk->next();
      if (!more) return more.error();
      if (!*more) break;
      for (const IndexEntry& entry : walk->part().entries) {
        if (auto done = copy(stream, entry, writer); !done) return done;
      }
    }
    const auto end = writer.finish(&stream.end);
    if (!end) return end.error();
    totals_.original_bytes += end->original_bytes;
    totals_.stored_bytes += end->stored_bytes;
    totals_.chunks += end->chunks;
    ++totals_.streams;
    totals_.digest = end->digest;
    return ok();
  }

 private:
  Status copy(const FoundStream& stream, const IndexEntry& entry, StreamWriter& writer) {
    if (options_.stop.stop_requested()) return Error{ErrorKind::cancelled, "stopped on request"};
    const std::uint64_t where = stream.begin + entry.record_offset;
    auto raw = read_record(file_, {.chunk = true}, where, where + entry.stored_bytes);
    if (!raw) return raw.error();
    auto chunk = parse_chunk(raw->bytes, {}, where);
    if (!chunk) return chunk.error();
    EncodedChunk encoded;
    encoded.record = *std::move(chunk);
    const auto packed = encoded.memory.take(static_cast<std::size_t>(packed_bytes(encoded.record)));
    if (auto done = file_.read_at(where + raw->bytes.size(), packed); !done) return done;
    encoded.packed = packed;
    if (auto done = writer.write_encoded(encoded); !done) return done;
    if (options_.progress) {
      options_.progress({totals_.original_bytes + writer.original_bytes(), where + entry.stored_bytes});
    }
    return ok();
  }

  RandomAccess& file_;
  Sink& to_;
  const ProtectOptions& options_;
  Totals& totals_;
};

/// Whoever wrote notes of another kind wants them kept, and only their writer knows what they say of places.
Status check_notes(RandomAccess& file, const ProtectOptions& options) {
  std::uint64_t work = 0;
  Grouping grouping(work);
  RecordScan scan(file, options.stop);
  std::optional<std::uint64_t> other;
  scan.watch([&](RecordKind kind, const Place& place, std::span<const std::byte>) {
    const bool known = kind == RecordKind::header || kind == RecordKind::chunk || kind == RecordKind::index ||
                       kind == RecordKind::end || kind == kParityNote;
    if (!known && !other) other = place.where;
  });
  if (auto done = scan.run(grouping); !done) return done;
  if (!other) return ok();
  return Error{ErrorKind::unsupported,
               "the file has a note of another kind, which would be lost; it is not protected", *other};
}

}  // namespace

Result<Totals> protect(RandomAccess& from, Sink& to, const ProtectOptions& options) {
  if (options.percent > kMaxProtect) return usage("protect must be 0 to 100 percent");
  FileSource source(from);
  const auto good =
      verify_stream(source, {.threads = options.threads, .memory = options.memory, .stop = options.stop});
  if (!good) return good.error();
  return guarded([&]() -> Result<Totals> {
    if (auto done = check_notes(from, options); !done) return done.error();
    const auto streams = find_streams(from, memory_or_usual(options.memory));
    if (!streams) return streams.error();
    Totals totals;
    Protector protector(from, to, options, totals);
    for (const FoundStream& stream : *streams) {
      if (auto done = protector.run(stream); !done) return done.error();
    }
    return totals;
  });
}

}  // namespace tdz

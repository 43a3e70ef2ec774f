// SPDX-License-Identifier: Apache-2.0
// The two readers of streams.
#pragma once

#include <utility>
#include <variant>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/stream/memory_io.hpp"
#include "codec/stream/ranged_reader.hpp"
#include "tests/codec/support.hpp"
#include "tests/verdict.hpp"

namespace tdz::test {

/// From the beginning, as from a pipe.
inline Result<Bytes> decoded(const Bytes& stored, bool compare_digest = false) {
  PieceSource from(stored, 1, 1000);
  CollectingSink to;
  auto options = one_thread();
  options.compare_digest = compare_digest;
  auto totals = decompress(from, to, options);
  if (!totals) return totals.error();
  return to.collected;
}

/// The chunks from the one with this byte on, found through the index alone.
inline Result<Bytes> through_index(const Bytes& stored, std::uint64_t offset) {
  MemoryRandomAccess file(stored);
  auto streams = find_streams(file);
  if (!streams) return streams.error();
  IndexedReader reader(file, *std::move(streams));
  if (auto done = reader.go_to(offset); !done) return done.error();
  ChunkDecoder decoder;
  Bytes out;
  for (Buffer memory;;) {
    auto event = reader.next(memory);
    if (!event) return event.error();
    if (std::holds_alternative<EndOfInput>(*event)) return out;
    const auto& stored_chunk = std::get<StoredChunk>(*event);
    Bytes original(stored_chunk.chunk.record.original_bytes);
    if (auto done = decoder.decode(stored_chunk.chunk, stored_chunk.packed, original); !done)
      return done.error();
    out = out + original;
  }
}

}  // namespace tdz::test

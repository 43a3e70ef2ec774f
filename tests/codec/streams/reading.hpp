// SPDX-License-Identifier: Apache-2.0
// The two readers of streams, and their verdicts as words.
#pragma once

#include <string>
#include <utility>
#include <variant>

#include "codec/chunk/chunk_coder.hpp"
#include "codec/pipe/memory_io.hpp"
#include "codec/stream/indexed_reader.hpp"
#include "kernels/backend.hpp"
#include "tests/codec/support.hpp"

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
  ChunkDecoder decoder(cpu_backend());
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

/// "accepted", or the kind of the error.
template <class T>
std::string kind_of(const Result<T>& result) {
  if (result) return "accepted";
  switch (result.error().kind) {
    case ErrorKind::corrupt:
      return "corrupt";
    case ErrorKind::truncated:
      return "truncated";
    case ErrorKind::unsupported:
      return "unsupported";
    case ErrorKind::usage:
    case ErrorKind::io:
    case ErrorKind::limit:
    case ErrorKind::cancelled:
      return "another error";
  }
  return "";
}

}  // namespace tdz::test

// SPDX-License-Identifier: Apache-2.0
// Streams that no writer of tdz writes: parts of the index that are closed early, notes, and records with a
// wrong field under right checks.
#pragma once

#include <functional>
#include <vector>

#include "tests/codec/support.hpp"

namespace tdz::test {

/// A stream to compose. A hook may change a record before its checks are made; the records behind it are
/// those of the unchanged stream.
struct Composition {
  std::vector<Bytes> originals;    ///< of the chunks, which have no steps
  std::vector<std::size_t> parts;  ///< chunks of each part of the index; all chunks together
  bool notes = false;              ///< before every CHK, INDX and END
  std::vector<Bytes> plans{};      ///< that all records give, where a plan is not empty
  formats::StreamHeader header{.largest_chunk = formats::kMinChunk, .largest_frame = 4096};
  std::function<void(formats::ChunkRecord&)> chunk{};
  std::function<void(formats::IndexPart&)> part{};
  std::function<void(formats::EndRecord&)> end{};
  std::function<void(formats::Note&)> note{};
};

Bytes composed(const Composition& wanted);

/// The same record, with its checks made right.
Bytes resealed(Bytes record);

}  // namespace tdz::test

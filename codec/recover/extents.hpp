// SPDX-License-Identifier: Apache-2.0
// Which of the streams that were found are streams of the file: FORMAT.md, section 5, "After damage",
// point 5. The others lie inside frames of those, because an original may hold .tdz files.
#pragma once

#include <cstdint>
#include <vector>

#include "codec/recover/groups.hpp"
#include "tdz/tdz.hpp"

namespace tdz {

struct FileStream {
  Group group;
  bool is_at_front = false;    ///< it begins at the file's first byte, or right behind a stream that does
  bool hides_others = false;   ///< others were left out, although it is not certain that they lie in this one
  bool last_may_hide = false;  ///< they lie in the frames of its last chunk, if these frames are intact
};

/// No chunk is missing behind the last one that was found.
bool has_all_chunks(const Group& group);
/// The end of the lost rest of a stream, at most. Precondition: its length is known.
std::uint64_t farthest_end(const Group& group);
/// The first byte that is not zero, from `from` on. Error io.
Result<std::uint64_t> behind_zeros(RandomAccess& file, std::uint64_t from);

/// Takes streams in the order of their first records. Error io.
Result<std::vector<FileStream>> streams_of_file(std::vector<Group> streams, RandomAccess& file);

}  // namespace tdz

// SPDX-License-Identifier: Apache-2.0
// Which chunks of packed groups, and which plain chunks, a device decodes, and their entries for it: from CHK
// alone. Nothing of the frames is read here. Host code, pure, thread-safe.
#pragma once

#include "kernels/cuda/packed/packed_chunk.hpp"
#include "kernels/cuda/packed/plain_chunk.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz::cuda {

/// What the kernel of packed groups undoes besides them: the last of the steps before them.
struct PackedTail {
  std::size_t before = 0;  ///< steps that are left for other kernels: the column's first ones
  GroupSteps steps;
};
/// Precondition: is_packed(column), and steps that passes have before the groups.
PackedTail packed_tail(const Column& column);

/// One column of machine words in packed groups of a tuple that a device unpacks, after steps that passes of
/// the scan kernels undo: byteswap, differences without runs, zigzag.
bool is_packed_for_device(const Plan& plan);

/// Whether a device is worth it for chunks of this plan: packed groups, or uniform frames.
bool is_for_device(const Plan& plan);

/// Adds what must stand in the headers of the frames to the tables, makes room for the words if steps are
/// left, and sets `made`. False: a device does not decode this chunk, and the tables are as before. That is
/// so if the plan is not for a device, if bytes follow the last row, or if the frames are not those of
/// write_raw_frame() over all four substreams, of equal content except the last one. Precondition: the record
/// was judged, with this plan, and base.packed and base.values have room for its packed and original bytes.
bool add_packed_chunk(const Plan& plan, const formats::ChunkRecord& record, const uniform::ChunkBase& base,
                      uniform::DecodeTables& tables, PackedChunk& made);

/// One column without steps: its original stands in the frames as it is.
bool is_plain(const Plan& plan);

/// The same for a chunk of such a plan whose frames are those of write_raw_frame(): a device copies it.
bool add_plain_chunk(const Plan& plan, const formats::ChunkRecord& record, const uniform::ChunkBase& base,
                     uniform::DecodeTables& tables, PlainChunk& made);

}  // namespace tdz::cuda

// SPDX-License-Identifier: Apache-2.0
// From a selection to what a device decodes: which chunks, by which tables and launches, and where everything
// lies. No frame is read, no memory of a device is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "codec/device/chunk_store.hpp"
#include "kernels/cuda/host/decode_job.hpp"
#include "kernels/cuda/host/decode_queue.hpp"
#include "kernels/uniform/decode_plan.hpp"

namespace tdz {

/// A column that the host decodes into words side by side, because its tokens are not in uniform blocks.
struct HostColumn {
  std::size_t column = 0;
  std::uint64_t words_at = 0;  ///< side
};

/// A chunk that the device decodes.
struct DecodeOnDevice {
  std::size_t index = 0;        ///< in the selection
  std::uint64_t packed_at = 0;  ///< of the packed bytes in image and scratch, if they are there
  std::vector<uniform::OrdinaryFrame>
      frames;  ///< that the host unpacks into side bytes; offsets in the chunk
  std::vector<uniform::SubstreamPlace> substreams;
  std::vector<HostColumn> host_columns;
};

/// A chunk that the CPU decodes.
struct DecodeOnCpu {
  std::size_t index = 0;
  std::uint64_t image_at = 0;  ///< its original
};

struct DecodeLayout {
  cuda::DecodeJob job;
  uniform::DecodeTables tables;
  std::vector<DecodeOnDevice> device;  ///< one for each status
  std::vector<DecodeOnCpu> cpu;
  std::uint64_t packed_bytes = 0;  ///< of the scratch, from job.packed on; none if they are on the device
  std::uint64_t restored_at = 0;   ///< in the image: Selection::restored
  std::uint64_t image_bytes = 0, scratch_bytes = 0;
};

struct LayoutOptions {
  bool packed_on_device = false;      ///< SelectedChunk::store_at are offsets there
  const std::byte* direct = nullptr;  ///< packed bytes are in pinned memory of the caller, at store_at
  bool in_pieces = false;   ///< packed bytes are in the scratch before the job begins, and not in the image
  std::uint64_t slice = 0;  ///< bytes of values; 0: all in one
};

/// `queue` only says how much memory steps take.
DecodeLayout layout_of(const Selection& selection, const LayoutOptions& options,
                       const cuda::DecodeQueue& queue);

}  // namespace tdz

// SPDX-License-Identifier: Apache-2.0
// From a plan and lengths to what a device encodes: which chunks, by which tables, and where everything lies.
// No memory of a device is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "formats/plan/plan.hpp"
#include "formats/stream/stream_records.hpp"
#include "kernels/cuda/frames/encode_tables.hpp"
#include "kernels/cuda/host/encode_job.hpp"
#include "kernels/cuda/packed/pack_batch.hpp"

namespace tdz {

/// What lone blocks do not have.
struct EncodeStream {
  formats::StreamHeader header;
  std::vector<std::byte> header_record;
  int level = 0;
};

struct EncodeRequest {
  Plan plan;
  std::vector<std::byte> plan_bytes;
  std::vector<std::uint32_t> lengths;  ///< of the chunks' originals
  std::uint32_t frame_bytes = 0;       ///< the longest frame; 0: as long as the chunk
  std::optional<EncodeStream> stream;  ///< nothing: lone blocks
  bool to_host = false;
};

/// A chunk's original.
struct EncodePlace {
  std::uint64_t at = 0;  ///< in the values
  std::uint32_t bytes = 0;
};

/// A chunk that the device encodes.
struct EncodeOnDevice {
  std::size_t index = 0;            ///< of all chunks
  std::uint32_t before_record = 0;  ///< bytes of the index between it and the chunk before
};

struct EncodeLayout {
  cuda::EncodeJob job;
  // What the device encodes: uniform frames or packed groups, as the plan is. The other one is empty.
  cuda::frames::EncodeBatch batch;
  cuda::PackBatch groups;
  cuda::frames::EncodeTables tables;  ///< in host memory
  std::vector<EncodePlace> chunks;
  std::vector<EncodeOnDevice> device;  ///< in the order of the batch
  std::vector<std::size_t> cpu;
  std::uint64_t original = 0;
  std::uint64_t image_bytes = 0, scratch_bytes = 0, packed_bytes = 0;

  std::uint64_t output_bound() const { return batch.output_bound() + groups.output_bound(); }
  std::uint64_t records_bound() const { return batch.records_bound() + groups.records_bound(); }
};

EncodeLayout layout_of(const EncodeRequest& request);

}  // namespace tdz

// SPDX-License-Identifier: Apache-2.0
// Encodes numbers in GPU memory into lone blocks or into a .tdz stream. This header needs no CUDA header.
//
//     auto encoder = tdz::DeviceEncoder::open_blocks(plan, lengths);  // on the current device
//     auto sizes   = encoder->sizes();                   // how much memory it needs
//     encoder->prepare();                                // allocates pinned memory
//     encoder->encode(values, packed, scratch, stream);  // allocates nothing, waits for nothing
//     auto encoded = encoder->finish();                  // now the packed bytes are there
//
// encode() and finish() may be repeated with other values: sizes and memory stay.
//
// A device encodes two kinds of chunks, of at most 16 MiB, with words of 1, 2, 4 or 8 bytes:
//
// - Uniform frames (FORMAT.md, section 4) that it can cut into whole blocks: at most one difference, of order
//   1 to 3 and of the tuple of the tokens; perhaps zigzag; then tokens. No lane has words behind its last
//   block.
// - Packed groups in one column: at most one difference of a tuple up to 32, whose runs have a multiple of
//   4096 rows; perhaps zigzag; then packed, of the same tuple or of 1. No bytes stand behind the last row. In
//   a stream only the first 65,536 chunks. A chunk that packing does not make smaller is stored as it is.
//
// A plan of one column may have other steps before these: differences without runs, of any tuple (rows of a
// picture) and order; zigzag; byteswap. They take a further pass, and scratch memory as long as the values.
//
// In a stream all chunks before it are such chunks too. The CPU encodes all others, in finish(): those with
// scale, predict, lanes or grid, and those that zstd packs. The bytes are always those of encode_block and
// compress.
//
// tdz opens libtdz_cuda.so when it first needs it (docs/building.md says where it looks). Without it, and
// on a machine without a CUDA driver or device, the calls that open an encoder return Error unsupported,
// which says what is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "formats/error.hpp"
#include "formats/plan/plan.hpp"
#include "tdz/block.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz {

/// The options of compress() with the same names. No digest of the whole original is written: the bytes are
/// those of compress() with `digest = false`, no search and no raw prefix.
struct DeviceStreamOptions {
  Plan plan = plain_plan();
  std::string type = {};
  int level = 0;  ///< of zstd, for chunks of the CPU
  std::uint32_t chunk_bytes = 0;
  std::uint32_t frame_bytes = 0;
};

struct DeviceEncoderOptions {
  unsigned threads = 0;  ///< of the host, in finish(); 0: one for each core
  /// The packed bytes go to host memory, at best pinned. False: to device memory.
  bool to_host = false;
};

/// What encoding needs. Bytes, except the chunks.
struct DeviceEncoderSizes {
  std::uint64_t original = 0;  ///< of the values
  std::uint64_t packed = 0;    ///< room for packed bytes: always enough
  std::uint64_t scratch = 0;   ///< of device memory that encode() and finish() work in
  std::uint64_t pinned = 0;    ///< of host memory that prepare() allocates
  std::uint64_t chunks = 0;
  std::uint64_t cpu_chunks = 0;  ///< those that the CPU encodes
};

/// What finish() has left in the memory for packed bytes.
struct DeviceEncoded {
  std::uint64_t bytes = 0;  ///< of the stream; of all blocks, up to the end of the last one
  std::vector<PackedBlock>
      blocks;  ///< in the packed bytes, in the order of the originals; empty for a stream
  /// Chunks that the CPU encoded: DeviceEncoderSizes::cpu_chunks, and blocks that are shorter as plain
  /// bytes.
  std::uint64_t cpu_chunks = 0;
};

/// Used by one thread at a time; several encoders may be used at once, also on one device. It stays on the
/// device that was the current one when it was opened, and that one must be current in every call. Every call
/// also fails with Error limit where memory is missing, and with Error io where a call of CUDA fails.
class DeviceEncoder {
 public:
  /// Lone blocks of originals that follow one another; `lengths` are their bytes. Errors: those of
  /// encode_block; unsupported (there is no device).
  static Result<DeviceEncoder> open_blocks(const Plan& plan, std::span<const std::uint32_t> lengths,
                                           const DeviceEncoderOptions& options = {});
  /// One stream of so many bytes. Errors: those of compress for these options; unsupported (there is no
  /// device).
  static Result<DeviceEncoder> open_stream(std::uint64_t bytes, const DeviceStreamOptions& stream,
                                           const DeviceEncoderOptions& options = {});
  ~DeviceEncoder();
  DeviceEncoder(DeviceEncoder&&) noexcept;
  DeviceEncoder& operator=(DeviceEncoder&&) noexcept;

  DeviceEncoderSizes sizes() const;
  /// Allocates all that encode() needs. Call it once.
  Status prepare();
  /// Puts the work on the stream. `values` has DeviceEncoderSizes::original bytes, at any address, fastest if
  /// it is a multiple of 16. `packed` has DeviceEncoderSizes::packed bytes, in the memory that the options
  /// say. `scratch` has DeviceEncoderSizes::scratch bytes and is aligned to 256 bytes. `values` and `scratch`
  /// are device memory. Until finish() returns, nobody changes the values, and nobody uses the other two.
  /// Errors: usage (no prepare() before; an encode() that no finish() followed; a null pointer or wrong
  /// alignment). After an error the encoder may have waited for the device.
  Status encode(const std::byte* values, std::byte* packed, void* scratch, CUstream_st* stream);
  /// Waits for what encode() put on the stream, judges it, lets the CPU encode what the device did not, and
  /// puts records and index to their places. Success: all packed bytes are in their memory. Errors: usage (no
  /// encode() before); io (the device's results contradict one another). After an error the packed bytes are
  /// unspecified.
  Result<DeviceEncoded> finish();

 private:
  class Work;
  explicit DeviceEncoder(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace tdz

// SPDX-License-Identifier: Apache-2.0
// Decodes .tdz files and lone blocks into GPU memory. This header needs no CUDA header.
//
//     auto decoder = tdz::DeviceDecoder::open(file);     // on the current device
//     auto sizes   = decoder->select();                  // how much memory the values need
//     decoder->load();                                   // reads the packed bytes into pinned memory
//     decoder->decode(values, scratch, stream);          // allocates nothing, waits for nothing
//     decoder->finish();                                 // are the values right?
//
// A device decodes chunks of uniform frames (FORMAT.md, section 4), and packed groups of one column, in
// tuples of at most 32 (section 3), after byteswap, zigzag and differences without runs alone. The CPU
// decodes all others when they are loaded, and those that the device refuses in the end. So every plan is
// decoded, and errors are those of decompress and decode_block. Use no value before finish() has returned
// success.
//
// tdz opens libtdz_cuda.so when it first needs it (docs/building.md says where it looks). Without it, and
// on a machine without a CUDA driver or device, open() returns Error unsupported, which says what is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "formats/error.hpp"
#include "tdz/block.hpp"
#include "tdz/tdz.hpp"

struct CUstream_st;  // cudaStream_t is a pointer to it

namespace tdz {

/// Addresses of scratch memory are a multiple of this, as all that cudaMalloc returns are.
inline constexpr std::size_t kDeviceAlignment = 256;

/// What a selected range is, and what decoding it needs. Bytes, except the chunks.
struct DeviceSizes {
  std::uint64_t original = 0;  ///< of the values: whole chunks
  std::uint64_t skip = 0;      ///< bytes of values before the first wanted byte
  std::uint64_t wanted = 0;    ///< the bytes of the range itself
  std::uint64_t packed = 0;    ///< of all frames
  std::uint64_t scratch = 0;   ///< of device memory that decode() works in
  std::uint64_t pinned = 0;    ///< of pinned host memory that load() takes. The process keeps short blocks
                               ///< of it for the decoders after this one, 32 MiB at most
  std::uint64_t chunks = 0;
  std::uint64_t cpu_chunks = 0;  ///< those that the CPU decodes, when they are loaded
};

struct DeviceDecoderOptions {
  unsigned threads = 0;         ///< for chunks of the CPU; 0: one for each core
  std::uint64_t pinned = 0;     ///< the most pinned memory; 0: half of the machine's memory
  std::uint64_t memory = 0;     ///< for each chunk of the CPU, as in DecompressOptions
  bool parallel_reads = false;  ///< of the file: its read_at() may be called by several threads at once
  /// How many bytes of values are decoded together, while packed bytes of others are copied; rounded up to
  /// whole chunks. 0: a length that is fast.
  std::uint64_t slice = 0;
};

/// Used by one thread at a time. It stays on the device that was the current one when it was opened, and that
/// one must be current in every call. Every call also fails with Error limit where memory is missing, and
/// with Error io where a call of CUDA fails.
class DeviceDecoder {
 public:
  /// The file lives longer than the decoder. Nothing is read yet. Error unsupported: there is no device.
  static Result<DeviceDecoder> open(RandomAccess& file, const DeviceDecoderOptions& options = {});
  /// A file in host memory. If it is pinned (by one call of cudaHostAlloc or cudaHostRegister), decode()
  /// copies packed bytes from there: then they stay until finish(), and DeviceSizes::pinned is less. All of
  /// it is pinned, or nothing.
  static Result<DeviceDecoder> open(std::span<const std::byte> stored,
                                    const DeviceDecoderOptions& options = {});
  /// A file in device memory. Its frames stay there; select() copies the records to the host, load() side
  /// data of steps. Both need some 17 MiB of device memory for that, and a stream of their own: what writes
  /// the file is done before. (A cudaMemcpy from memory that is not pinned may return before its last bytes
  /// are there; cudaStreamSynchronize waits for them.)
  static Result<DeviceDecoder> open_on_device(const std::byte* stored, std::uint64_t bytes,
                                              const DeviceDecoderOptions& options = {});
  /// Lone blocks in host memory. Their originals follow one another. The list is copied, the blocks are not.
  static Result<DeviceDecoder> open_blocks(std::span<const std::span<const std::byte>> blocks,
                                           const DeviceDecoderOptions& options = {});
  /// Lone blocks in device memory, as DeviceEncoder leaves them. Their frames stay there; select() copies the
  /// records to the host, so what writes them is done before. The 64 bytes behind the last block are
  /// readable. The list is copied.
  static Result<DeviceDecoder> open_blocks_on_device(const std::byte* stored,
                                                     std::span<const PackedBlock> blocks,
                                                     const DeviceDecoderOptions& options = {});
  ~DeviceDecoder();
  DeviceDecoder(DeviceDecoder&&) noexcept;
  DeviceDecoder& operator=(DeviceDecoder&&) noexcept;

  /// Chooses a range of the original; without one, all of it. Reads all records, and no frame. The values
  /// are those of whole chunks, so that a range may have bytes before and behind it. In lone blocks a range
  /// counts bytes. Errors: those of decompress with this range; of decode_block.
  Result<DeviceSizes> select(const std::optional<Range>& range = {});
  /// Reads the packed bytes of the range, decodes what the CPU has to, and allocates all that decode() needs.
  /// Errors: those of the file. If something is wrong with a chunk, finish() says so.
  Status load();
  /// Puts all work on the stream. `values` has DeviceSizes::original bytes, `scratch` has
  /// DeviceSizes::scratch bytes and is aligned to kDeviceAlignment; both are device memory, and nobody else
  /// uses them until this work on the stream is done. May be repeated after finish(). Errors: usage (no
  /// load() before; a decode() that no finish() followed; a null pointer or wrong alignment). After an error
  /// the decoder may have waited for the device.
  Status decode(std::byte* values, void* scratch, CUstream_st* stream);
  /// Waits for what decode() put on the stream. Then it judges all chunks, and the CPU decodes those that the
  /// device refused. Success: all values are right, and on the device. Errors: those of decompress; of
  /// decode_block, with the number of the block. Then the values of all chunks before the one that the error
  /// names are right.
  Status finish();
  /// How many chunks the CPU decoded in the last finish(), because the device refused them.
  std::uint64_t refused_chunks() const;

 private:
  class Work;
  explicit DeviceDecoder(std::unique_ptr<Work> work);

  std::unique_ptr<Work> work_;
};

}  // namespace tdz

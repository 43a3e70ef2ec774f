// SPDX-License-Identifier: Apache-2.0
#include "bindings/hdf5/filter.hpp"

#include <atomic>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "bindings/hdf5/library.hpp"
#include "bindings/hdf5/values.hpp"

namespace tdz::hdf5 {
namespace {

struct FreeContext {
  void operator()(tdz_context* context) const { tdz_context_free(context); }
};
/// HDF5 frees and allocates a chunk's memory with malloc and free.
struct FreeMemory {
  void operator()(void* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<void, FreeMemory>;

/// Memory for a chunk. HDF5 frees it soon, and asks for the next one. glibc gives freed memory back to the
/// system, and then each chunk costs a page fault for every 4 KiB: a tenth of the time of reading. It keeps
/// memory of the size of blocks that it has seen freed; so it is shown one, which nobody touches, when chunks
/// are longer than before.
Memory chunk_memory(std::size_t bytes) {
  constexpr std::size_t kChunksKept = 8;
  constexpr std::size_t kMostKept = std::size_t{32} << 20;  // glibc learns nothing from longer ones
  static std::atomic<std::size_t> largest = 0;
  if (bytes > largest.load(std::memory_order_relaxed) && bytes <= kMostKept / kChunksKept) {
    largest.store(bytes, std::memory_order_relaxed);
    const Memory shown(std::malloc(kChunksKept * bytes));
    asm volatile("" : : "g"(shown.get()));  // else the compiler may leave both calls out
  }
  return Memory(std::malloc(bytes != 0 ? bytes : 1));
}

/// A thread keeps the memory of its coder for the next chunk, if the chunks are not huge.
class ThreadContext {
 public:
  explicit ThreadContext(std::size_t chunk) : keep_(chunk <= kLargestKept) {
    if (kept_) return;
    tdz_context* made = nullptr;
    if (tdz_context_new(&made, nullptr) == TDZ_OK) kept_.reset(made);
  }
  ~ThreadContext() {
    if (!keep_) kept_.reset();
  }
  ThreadContext(const ThreadContext&) = delete;
  ThreadContext& operator=(const ThreadContext&) = delete;
  tdz_context* get() const { return kept_.get(); }

 private:
  static constexpr std::size_t kLargestKept = std::size_t{16} << 20;
  static thread_local std::unique_ptr<tdz_context, FreeContext> kept_;
  bool keep_;
};
thread_local std::unique_ptr<tdz_context, FreeContext> ThreadContext::kept_;

/// The chunk's memory, as HDF5 hands it over.
struct Chunk {
  std::size_t bytes;
  std::size_t* room;
  void** buffer;

  /// Takes new bytes in place of the old ones.
  std::size_t replace(Memory with, std::size_t length, std::size_t with_room) const {
    std::free(*buffer);
    *buffer = with.release();
    *room = with_room;
    return length;
  }
};

constexpr const char* kNoLength =
    "the values of the filter do not say how long a chunk is; docs/ecosystem.md says what to do";

/// Returns the length of the block; 0 after an error, and `why` says what is wrong. decode() does the same.
std::size_t encode(const Chunk& chunk, std::span<const unsigned> from, std::string& why) {
  Values values;
  if (why = read(from, values); !why.empty()) return 0;
  if (values.chunk_bytes != chunk.bytes) {  // reading would refuse it
    why = values.chunk_bytes != 0 ? "a chunk is not as long as its data set says" : kNoLength;
    return 0;
  }
  const PlanHandle plan = plan_of(values, why);
  if (!plan) return 0;
  const std::size_t room = tdz_block_bound(chunk.bytes);
  Memory block = chunk_memory(room);
  const ThreadContext context(chunk.bytes);
  std::size_t length = 0;
  tdz_error error;
  if (!block || tdz_encode_block(context.get(), plan.get(), *chunk.buffer, chunk.bytes, block.get(), room,
                                 &length, &error) != TDZ_OK) {
    why = block ? error.message : "not enough memory";
    return 0;
  }
  return chunk.replace(std::move(block), length, room);
}

/// The sentence that says why a block may not be a chunk of this data set, or nothing. Its length must be
/// named and right: some versions of HDF5 take a shorter result for a whole chunk, and show other memory
/// beyond its end.
std::string check_length(std::uint64_t original, std::span<const unsigned> from) {
  const unsigned expected = chunk_bytes_of(from);
  if (expected == original) return {};
  if (expected == 0) return kNoLength;
  return "the original of this chunk has " + std::to_string(original) + " bytes, but a chunk has " +
         std::to_string(expected);
}

std::size_t decode(const Chunk& chunk, std::span<const unsigned> from, std::string& why) {
  tdz_error error;
  std::uint64_t original = 0;
  if (tdz_block_original_bytes(*chunk.buffer, chunk.bytes, &original, &error) != TDZ_OK) {
    why = error.message;
    return 0;
  }
  if (why = check_length(original, from); !why.empty()) return 0;
  const auto bytes = static_cast<std::size_t>(original);  // at most 1 GiB
  Memory restored = chunk_memory(bytes);
  const ThreadContext context(bytes);
  std::size_t length = 0;
  if (!restored || tdz_decode_block(context.get(), *chunk.buffer, chunk.bytes, restored.get(), bytes, &length,
                                    &error) != TDZ_OK) {
    why = restored ? error.message : "not enough memory";
    return 0;
  }
  return chunk.replace(std::move(restored), length, bytes);
}

}  // namespace

std::size_t run_filter(unsigned flags, std::size_t value_count, const unsigned values[], std::size_t bytes,
                       std::size_t* room, void** buffer) {
  const void* const caller = __builtin_return_address(0);
  try {
    const Chunk chunk{bytes, room, buffer};
    std::string why;
    const std::span<const unsigned> all(values, value_count);
    const bool reads = (flags & abi::kFlagReverse) != 0;
    const std::size_t length = reads ? decode(chunk, all, why) : encode(chunk, all, why);
    if (length == 0) tell_library(caller, "tdz: " + why);
    return length;
  } catch (const std::exception&) {  // no memory
    return 0;
  }
}

}  // namespace tdz::hdf5

// ---- What HDF5 looks for in the file of a plugin.

using namespace tdz::hdf5;

extern "C" {

__attribute__((visibility("default"))) abi::PluginType H5PLget_plugin_type(void) {
  return abi::PluginType::filter;
}

__attribute__((visibility("default"))) const void* H5PLget_plugin_info(void) {
  static const abi::FilterClass filter = {abi::kClassVersion, kFilterId, 1,         1,
                                          kFilterName,        nullptr,   set_local, run_filter};
  return &filter;
}
}

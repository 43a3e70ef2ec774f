// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/host/pinned_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "kernels/cuda/host/decode_queue.hpp"

namespace tdz::cuda {
namespace {

constexpr std::size_t kHugePage = 2u << 20;
constexpr std::size_t kWorthPages = 16u << 20;  ///< below, cudaHostAlloc is as fast
constexpr std::size_t kPage = 4096;
constexpr unsigned kTouchers = 8;

void touch(std::span<std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size(); at += kPage) bytes[at] = std::byte{0};
}

/// Pages come when they are touched, and one thread alone gets 4 to 8 GB/s.
void touch_by_threads(std::span<std::byte> bytes) {
  const std::size_t share = (bytes.size() / kTouchers + kHugePage) / kHugePage * kHugePage;
  std::vector<std::jthread> helpers;  // joined at the end
  while (!bytes.empty()) {
    const auto own = bytes.first(std::min(share, bytes.size()));
    bytes = bytes.subspan(own.size());
    try {
      helpers.emplace_back([own] { touch(own); });
    } catch (const std::system_error&) {
      touch(own);  // the system gives no more threads
    }
  }
}

/// Blocks of cudaHostAlloc that nobody uses, for whoever asks next. Thread-safe.
class SpareBlocks {
 public:
  static constexpr std::size_t kShortest = 256u << 10, kLongest = 8u << 20;
  static constexpr std::size_t kMost = 32u << 20;  ///< of all together

  /// Those of the process. They are never freed: when a process ends, CUDA may end first.
  static SpareBlocks& shared() {
    static auto* const blocks = new SpareBlocks;
    return *blocks;
  }

  /// A block of this length; empty if there is none.
  PinnedMemory take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    for (std::size_t i = 0; i < count_; ++i) {
      if (blocks_[i].bytes == bytes) return remove(i);
    }
    return {};
  }

  /// Where there is no room, the oldest ones are freed.
  void give(PinnedMemory memory, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    while (count_ == blocks_.size() || all_bytes_ + bytes > kMost) static_cast<void>(remove(0));
    blocks_[count_].memory = std::move(memory);
    blocks_[count_++].bytes = bytes;
    all_bytes_ += bytes;
  }

 private:
  struct Block {
    PinnedMemory memory;
    std::size_t bytes = 0;
  };

  /// Empty, if it is no longer there.
  PinnedMemory remove(std::size_t place) {
    PinnedMemory memory = std::move(blocks_[place].memory);
    if (!is_there(memory)) *memory.out() = nullptr;
    all_bytes_ -= blocks_[place].bytes;
    std::move(blocks_.begin() + static_cast<std::ptrdiff_t>(place) + 1,
              blocks_.begin() + static_cast<std::ptrdiff_t>(count_),
              blocks_.begin() + static_cast<std::ptrdiff_t>(place));
    --count_;
    return memory;
  }

  /// Whoever resets a device takes its memory away.
  static bool is_there(const PinnedMemory& memory) noexcept {
    cudaPointerAttributes found{};
    if (cudaPointerGetAttributes(&found, memory.get()) == cudaSuccess)
      return found.type == cudaMemoryTypeHost;
    static_cast<void>(cudaGetLastError());  // clears it
    return false;
  }

  std::mutex mutex_;
  std::array<Block, 32> blocks_;  // the oldest first
  std::size_t count_ = 0, all_bytes_ = 0;
};

}  // namespace

void PinnedPages::give_back() noexcept {
  registered_ = {};
  pages_ = {};
  if (memory_.get() != nullptr && all_.size() <= SpareBlocks::kLongest)
    SpareBlocks::shared().give(std::exchange(memory_, {}), all_.size());
  memory_ = {};
  all_ = {};
}

Result<std::span<std::byte>> PinnedPages::take(std::size_t bytes) {
  if (bytes <= all_.size()) return all_.first(bytes);
  give_back();
  if (bytes >= kWorthPages && register_pages(bytes)) {
    all_ = {pages_.get(), bytes};
    return all_;
  }
  std::size_t length = bytes;
  if (bytes <= SpareBlocks::kLongest) {
    length = std::bit_ceil(std::max(bytes, SpareBlocks::kShortest));
    memory_ = SpareBlocks::shared().take(length);
  }
  if (memory_.get() == nullptr)
    if (auto made = allocate_pinned(memory_, length); !made) return made.error();
  all_ = {static_cast<std::byte*>(memory_.get()), length};
  return all_.first(bytes);
}

/// False: CUDA does not register them here.
bool PinnedPages::register_pages(std::size_t bytes) {
  const std::size_t whole = (bytes + kHugePage - 1) / kHugePage * kHugePage;
  pages_.reset(static_cast<std::byte*>(std::aligned_alloc(kHugePage, whole)));
  if (pages_ == nullptr) return false;
  static_cast<void>(madvise(pages_.get(), whole, MADV_HUGEPAGE));  // only faster
  touch_by_threads({pages_.get(), whole});
  const bool done =
      bool(checked(cudaHostRegister(pages_.get(), whole, cudaHostRegisterDefault), "cudaHostRegister"));
  if (done)
    *registered_.out() = pages_.get();
  else
    pages_.reset();
  return done;
}

// ---- Pieces

Status PinnedPieces::make(unsigned threads) {
  if (threads <= pairs_.size()) return ok();
  auto memory = memory_.take(pieces_bytes(threads));
  if (!memory) return memory.error();
  pairs_.resize(threads);
  for (Pair& pair : pairs_) {
    for (std::size_t i = 0; i < pair.pieces.size(); ++i) {
      pair.pieces[i] = memory->first(kPieceBytes);
      *memory = memory->subspan(kPieceBytes);
      if (pair.sent[i].get() != nullptr) continue;
      if (auto made = make_event(pair.sent[i]); !made) return made;
    }
  }
  return ok();
}

Result<std::span<std::byte>> PinnedPieces::take(unsigned thread) {
  Pair& pair = pairs_[thread];
  if (auto sent = checked(cudaEventSynchronize(pair.sent[pair.turn].get()), "cudaEventSynchronize"); !sent)
    return sent.error();
  return pair.pieces[pair.turn];
}

Status PinnedPieces::send(unsigned thread, std::byte* to, std::size_t bytes, cudaStream_t stream) {
  Pair& pair = pairs_[thread];
  Status done = enqueue_copy(to, pair.pieces[pair.turn].data(), bytes, cudaMemcpyHostToDevice, stream);
  if (done) done = checked(cudaEventRecord(pair.sent[pair.turn].get(), stream), "cudaEventRecord");
  pair.turn = 1 - pair.turn;
  return done;
}

}  // namespace tdz::cuda

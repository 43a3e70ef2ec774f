// SPDX-License-Identifier: Apache-2.0
// Runs kernels on the CPU, so that tests of device code need no device. Each thread of a block is a fiber; it
// runs until it waits for its warp or its block. So the order of threads is always the same, and races stay
// hidden: tools on a device find those. Include it before the kernels; only what they use is here.
#pragma once

#include <setjmp.h>
#include <ucontext.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#define __global__ inline
#define __device__
#define __shared__ static  // one block runs at a time
#define __launch_bounds__(...)
#define __grid_constant__

struct alignas(16) uint4 {
  unsigned x, y, z, w;
};
struct alignas(8) uint2 {
  unsigned x, y;
};
struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
inline dim3 threadIdx, blockIdx, blockDim, gridDim;
using std::max;
using std::memcpy;
using std::min;

namespace tdz::simulated {

/// Where a fiber, or the scheduler, goes on. A jump needs no system call, and swapcontext needs one, because
/// it also keeps the signals that are blocked. The address sanitizer does not know jumps between stacks, and
/// with _FORTIFY_SOURCE, which some systems set for every compiler call, glibc takes them for a fault.
class Place {
 public:
#if defined(__SANITIZE_ADDRESS__) || defined(_FORTIFY_SOURCE)
  void leave_for(const Place& other) {
    swapcontext(&here_, &other.here_);
  }
  void leave_for(const ucontext_t& begin) {
    swapcontext(&here_, &begin);
  }

 private:
  ucontext_t here_;
#else
  [[gnu::noinline]] void leave_for(Place& other) {
    if (_setjmp(here_) == 0) _longjmp(other.here_, 1);
  }
  [[gnu::noinline]] void leave_for(const ucontext_t& begin) {
    if (_setjmp(here_) == 0) setcontext(&begin);
  }

 private:
  jmp_buf here_;
#endif
};

class Device {
 public:
  static Device& one() {
    static Device device;
    return device;
  }

  void run(unsigned blocks, unsigned threads, const std::function<void()>& kernel) {
    kernel_ = &kernel;
    gridDim.x = blocks, blockDim.x = threads;
    while (fibers_.size() < threads) fibers_.push_back(std::make_unique<Fiber>());
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) run_block(threads);
  }

  void wait_for_warp() { wait(Wait::warp); }
  void wait_for_block() { wait(Wait::block); }

  /// What the warp's lanes gave.
  const std::uint64_t* exchange(std::uint64_t value) {
    Fiber& own = *fibers_[threadIdx.x];
    auto& slots = slots_[threadIdx.x / 32][++own.exchanges % 2];
    slots[threadIdx.x % 32] = value;
    wait_for_warp();
    return slots;
  }

 private:
  enum class Wait { none, warp, block, done };
  static constexpr std::size_t kStack = 1u << 17;
  struct Fiber {
    ucontext_t context;  ///< where it begins
    Place place;
    bool is_begun = false;
    std::unique_ptr<char[]> stack{new char[kStack]};
    Wait wait = Wait::none;
    unsigned exchanges = 0;
  };

  static void enter() {
    Device& device = one();
    (*device.kernel_)();
    device.wait(Wait::done);
  }

  void wait(Wait for_what) {
    Fiber& own = *fibers_[threadIdx.x];
    own.wait = for_what;
    own.place.leave_for(scheduler_);
  }

  void run_block(unsigned threads) {
    for (unsigned t = 0; t < threads; ++t) start(*fibers_[t]);
    for (unsigned done = 0; done < threads;) {
      for (unsigned t = 0; t < threads; ++t) {
        if (fibers_[t]->wait != Wait::none) continue;
        threadIdx.x = t;
        resume(*fibers_[t]);
        done += fibers_[t]->wait == Wait::done;
      }
      for (unsigned first = 0; first < threads; first += 32)
        release(first, std::min(first + 32, threads), Wait::warp);
      release(0, threads, Wait::block);
    }
  }

  void resume(Fiber& fiber) {
    if (fiber.is_begun) return scheduler_.leave_for(fiber.place);
    fiber.is_begun = true;
    scheduler_.leave_for(fiber.context);
  }

  void start(Fiber& fiber) {
    fiber.wait = Wait::none;
    fiber.is_begun = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = kStack;
    makecontext(&fiber.context, enter, 0);
  }

  /// If nobody among these threads has still to arrive.
  void release(unsigned begin, unsigned end, Wait what) {
    for (unsigned t = begin; t < end; ++t)
      if (fibers_[t]->wait != what && fibers_[t]->wait != Wait::done) return;
    for (unsigned t = begin; t < end; ++t)
      if (fibers_[t]->wait == what) fibers_[t]->wait = Wait::none;
  }

  const std::function<void()>* kernel_ = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  Place scheduler_;
  std::uint64_t slots_[32][2][32];
};

/// Copies that do not wait. They arrive as late as may be: when their thread waits for them.
struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
};
inline std::vector<Copy> copies[1024];
inline void start_copy(void* to, const void* from, std::size_t bytes) {
  copies[threadIdx.x].push_back({to, from, bytes});
}
inline void wait_for_copies() {
  for (const Copy& copy : copies[threadIdx.x]) std::memcpy(copy.to, copy.from, copy.bytes);
  copies[threadIdx.x].clear();
}

/// The shared memory whose size a launch says.
inline uint4 dynamic_shared[(96 << 10) / sizeof(uint4)];

/// Runs kernels as the encoders' sequences launch them.
struct Launcher {
  template <class... Parameters, class... Arguments>
  void operator()(void (*kernel)(Parameters...), unsigned blocks, unsigned threads, unsigned shared_bytes,
                  const Arguments&... arguments) {
    if (shared_bytes > sizeof dynamic_shared)
      throw std::logic_error("a kernel wants more shared memory than the simulated device has");
    Device::one().run(blocks, threads, [&] { kernel(arguments...); });
  }
};

}  // namespace tdz::simulated

inline void __syncwarp() {
  tdz::simulated::Device::one().wait_for_warp();
}
inline void __syncthreads() {
  tdz::simulated::Device::one().wait_for_block();
}

/// Of groups of `width` lanes.
template <class T>
T __shfl_sync(unsigned, T value, unsigned lane, unsigned width = 32) {
  const unsigned first = threadIdx.x % 32 / width * width;
  return static_cast<T>(tdz::simulated::Device::one().exchange(value)[first + lane % width]);
}
template <class T>
T __shfl_xor_sync(unsigned, T value, unsigned mask) {
  return static_cast<T>(tdz::simulated::Device::one().exchange(value)[threadIdx.x % 32 ^ mask]);
}
template <class T>
T __shfl_up_sync(unsigned, T value, unsigned step) {
  const unsigned lane = threadIdx.x % 32;
  return static_cast<T>(tdz::simulated::Device::one().exchange(value)[lane < step ? lane : lane - step]);
}
inline int __any_sync(unsigned, bool value) {
  const auto* all = tdz::simulated::Device::one().exchange(value);
  return std::any_of(all, all + 32, [](auto one) { return one != 0; });
}

inline int __all_sync(unsigned, bool value) {
  const auto* all = tdz::simulated::Device::one().exchange(value);
  return std::all_of(all, all + 32, [](auto one) { return one != 0; });
}
inline unsigned __ballot_sync(unsigned, bool value) {
  const auto* all = tdz::simulated::Device::one().exchange(value);
  unsigned set = 0;
  for (unsigned lane = 0; lane < 32; ++lane) set |= (all[lane] != 0 ? 1u : 0u) << lane;
  return set;
}
inline unsigned __match_any_sync(unsigned, unsigned value) {
  const auto* all = tdz::simulated::Device::one().exchange(value);
  unsigned same = 0;
  for (unsigned lane = 0; lane < 32; ++lane) same |= (all[lane] == value ? 1u : 0u) << lane;
  return same;
}

template <class T>
T atomicAdd(T* to, T value) {
  const T before = *to;
  *to = static_cast<T>(*to + value);
  return before;
}
template <class T>
void atomicOr(T* to, T value) {
  *to |= value;
}
template <class T>
T __ldg(const T* from) {
  return *from;
}
template <class T>
T __ldcg(const T* from) {
  return *from;
}
inline int __clz(int value) {
  return std::countl_zero(static_cast<unsigned>(value));
}
inline int __clzll(long long value) {
  return std::countl_zero(static_cast<unsigned long long>(value));
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> (shift % 32));
}
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) << (shift % 32) >> 32);
}
inline uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) {
  return {x, y, z, w};
}
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned which) {
  const auto all = std::uint64_t{high} << 32 | low;
  unsigned made = 0;
  for (unsigned i = 0; i < 4; ++i)
    made |= static_cast<unsigned>(all >> (which >> (4 * i) & 7) * 8 & 255) << (8 * i);
  return made;
}
inline unsigned __dp4a(unsigned a, unsigned b, unsigned sum) {
  for (unsigned i = 0; i < 32; i += 8) sum += (a >> i & 255) * (b >> i & 255);
  return sum;
}
inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
/// Rounded towards zero: bits that a float has no place for are cut off first.
inline float __uint2float_rz(unsigned value) {
  const unsigned width = static_cast<unsigned>(std::bit_width(value)), cut = width < 24 ? 0 : width - 24;
  return static_cast<float>(value >> cut << cut);
}

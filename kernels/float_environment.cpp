// SPDX-License-Identifier: Apache-2.0
#include "kernels/float_environment.hpp"

#include <cfloat>
#include <cstdint>
#include <cstring>

// Wider registers would round twice: 32-bit x86 must compute in SSE2 (-msse2 -mfpmath=sse). That f32 may be
// computed as f64 (1) does not matter: all arithmetic is in f64.
static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1, "f64 must be computed as f64");

#if defined(__SSE2__)
#include <immintrin.h>
#elif !defined(__aarch64__)
#include <cfenv>
#endif

namespace tdz {
namespace {

#if defined(__SSE2__)

using State = unsigned int;

State current_state() {
  return _mm_getcsr();
}
void set_state(const State& state) {
  _mm_setcsr(state);
}
/// All exceptions masked, round to nearest; neither FTZ nor DAZ.
State usual_state() {
  return 0x1F80;
}

#elif defined(__aarch64__)

struct State {
  std::uint64_t control, status;
};

State current_state() {
  State state;
  asm volatile("mrs %0, fpcr" : "=r"(state.control));
  asm volatile("mrs %0, fpsr" : "=r"(state.status));
  return state;
}
void set_state(const State& state) {
  asm volatile("msr fpcr, %0" : : "r"(state.control));
  asm volatile("msr fpsr, %0" : : "r"(state.status));
}
/// Round to nearest, no traps, neither FZ nor AH.
State usual_state() {
  return {0, 0};
}

#else

struct State {
  std::fenv_t all;
};

State current_state() {
  State state;
  std::fegetenv(&state.all);
  return state;
}
void set_state(const State& state) {
  std::fesetenv(&state.all);
}
State usual_state() {
  const State before = current_state();
  std::fesetenv(FE_DFL_ENV);
  const State usual = current_state();
  std::fesetenv(&before.all);
  return usual;
}

#endif

}  // namespace

FloatEnvironment::FloatEnvironment() {
  static_assert(sizeof(State) <= sizeof(Saved));
  const State state = current_state();
  std::memcpy(&saved_, &state, sizeof(state));
  set_state(usual_state());
}

FloatEnvironment::~FloatEnvironment() {
  State state;
  std::memcpy(&state, &saved_, sizeof(state));
  set_state(state);
}

}  // namespace tdz

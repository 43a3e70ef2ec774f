// SPDX-License-Identifier: Apache-2.0
// Arguments that several functions share. Every function here returns false with an exception set.
#pragma once

#include <cstdint>

#include "bindings/python/core/python.hpp"

namespace tdz::python {

/// 0 to 2^31 - 1; 0: one for each core.
bool threads_of(int given, unsigned& threads);
/// 1 or more; null or None: 0, which is no limit.
bool max_output_of(PyObject* given, std::uint64_t& most);
/// Is there memory for these bytes at once? LimitError where they are more than the free memory of this
/// machine; `option` is the name of the argument that allows more. Whoever names a limit of their own is not
/// asked.
bool has_memory_for(const State& state, std::uint64_t bytes, const char* option);
/// 1 to 22; null or None: 0, which leaves it to the library.
bool level_of(PyObject* given, int& level);
/// "fast", "normal" or "best".
bool effort_of(const char* given, unsigned& effort);
/// A text such as "f32x3"; null or None: empty. It lives as long as the object.
bool type_of(PyObject* given, const char*& type);

}  // namespace tdz::python

// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <memory>

#include "bindings/python/core/buffer.hpp"
#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {
namespace {

constexpr std::size_t kMostContexts = 64;
/// A context keeps the memory of its largest block; one of a larger block is freed at once.
constexpr std::size_t kLargestKept = std::size_t{16} << 20;

/// A context for one call. It is made or taken from the list, and given back, while this thread holds the
/// GIL.
class Context {
 public:
  Context(State& state, std::size_t bytes) : state_(state), keep_(bytes <= kLargestKept) {
    if (!keep_ || state.contexts.empty()) return;
    context_ = state.contexts.back();
    state.contexts.pop_back();
  }
  ~Context() {
    if (context_ == nullptr) return;
    if (keep_ && state_.contexts.size() < kMostContexts)
      state_.contexts.push_back(context_);
    else
      tdz_context_free(context_);
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  /// Null where there is no memory for one; the library then makes one for the call.
  tdz_context* get() {
    if (context_ == nullptr && tdz_context_new(&context_, nullptr) != TDZ_OK) context_ = nullptr;
    return context_;
  }

 private:
  State& state_;
  bool keep_;
  tdz_context* context_ = nullptr;
};

struct FreeMemory {
  void operator()(char* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<char, FreeMemory>;

/// `out` of the caller, or memory of our own for a block of this length.
struct Room {
  Buffer given;
  Memory own;

  bool open(const State& state, PyObject* out, const Buffer& data) {
    if (out != Py_None) return given.open_output_beside(out, data);
    own.reset(static_cast<char*>(std::malloc(tdz_block_bound(data.size()) + 1)));
    return own != nullptr || raise_no_memory(state, data.size()) != nullptr;
  }
};

PyObject* encode(State& state, const Buffer& data, const tdz_plan* plan, PyObject* out) {
  Room room;
  if (!room.open(state, out, data)) return nullptr;
  char* to = room.own ? room.own.get() : room.given.data();
  const std::size_t space = room.own ? tdz_block_bound(data.size()) : room.given.size();
  std::size_t length = 0;
  tdz_error error;
  Context context(state, data.size());
  tdz_context* memory = context.get();
  const tdz_status status = without_gil(
      [&] { return tdz_encode_block(memory, plan, data.data(), data.size(), to, space, &length, &error); });
  if (status != TDZ_OK) return raise(state, status, error);
  return room.own ? PyBytes_FromStringAndSize(to, static_cast<Py_ssize_t>(length))
                  : PyLong_FromSize_t(length);
}

/// False with an exception: the original of this block is longer than the limit.
bool original_of(const State& state, const Buffer& block, std::size_t limit, std::size_t& original) {
  std::uint64_t bytes = 0;
  tdz_error error;
  const auto status = tdz_block_original_bytes(block.data(), block.size(), &bytes, &error);
  if (status != TDZ_OK) return raise(state, status, error) != nullptr;
  original = static_cast<std::size_t>(bytes);
  if (bytes <= limit) return true;
  PyErr_Format(state.limit, "the block restores %llu bytes; the limit is %zu",
               static_cast<unsigned long long>(bytes), limit);
  return false;
}

/// Returns the number of restored bytes, or -1 with an exception.
Py_ssize_t decode_into(State& state, const Buffer& block, char* to, std::size_t space) {
  std::size_t length = 0;
  tdz_error error;
  Context context(state, space);
  tdz_context* memory = context.get();
  const tdz_status status = without_gil(
      [&] { return tdz_decode_block(memory, block.data(), block.size(), to, space, &length, &error); });
  if (status == TDZ_OK) return static_cast<Py_ssize_t>(length);
  raise(state, status, error);
  return -1;
}

PyObject* decode_to_bytes(State& state, const Buffer& block, std::size_t original) {
  Ref bytes(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(original)));
  if (!bytes) return raise_no_memory(state, original);
  const Py_ssize_t length = decode_into(state, block, PyBytes_AsString(bytes.get()), original);
  if (length < 0) return nullptr;
  // Shorter only if another thread changed the block meanwhile.
  return static_cast<std::size_t>(length) == original
             ? bytes.give()
             : PyBytes_FromStringAndSize(PyBytes_AsString(bytes.get()), length);
}

}  // namespace

PyObject* encode_block(PyObject* module, PyObject* args, PyObject* kwargs) {
  State* state = state_of(module);
  static const char* names[] = {"", "", "out", nullptr};
  PyObject *given = nullptr, *given_plan = nullptr, *out = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OO|$O:encode_block", const_cast<char**>(names), &given,
                                   &given_plan, &out))
    return nullptr;
  const tdz_plan* plan = plan_in(*state, given_plan);
  Buffer data;
  if (plan == nullptr || !data.open(given)) return nullptr;
  return encode(*state, data, plan, out);
}

PyObject* decode_block(PyObject* module, PyObject* args, PyObject* kwargs) {
  State* state = state_of(module);
  static const char* names[] = {"", "out", "limit", nullptr};
  PyObject *given = nullptr, *out = Py_None;
  constexpr Py_ssize_t kNoLimit = PY_SSIZE_T_MIN;
  Py_ssize_t limit = kNoLimit;
  if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|$On:decode_block", const_cast<char**>(names), &given,
                                   &out, &limit))
    return nullptr;
  const bool is_limited = limit != kNoLimit;
  if (!is_limited) limit = static_cast<Py_ssize_t>(TDZ_MAX_BLOCK_ORIGINAL);
  if (limit < 0) return PyErr_Format(PyExc_ValueError, "`limit` must be 0 or more");
  Buffer block;
  Room room;
  if (!block.open(given) || (out != Py_None && !room.open(*state, out, block))) return nullptr;
  std::size_t original = 0;
  if (!original_of(*state, block, static_cast<std::size_t>(limit), original)) return nullptr;
  if (out == Py_None && !is_limited && !has_memory_for(*state, original, "limit")) return nullptr;
  if (out == Py_None) return decode_to_bytes(*state, block, original);
  const Py_ssize_t length = decode_into(*state, block, room.given.data(), room.given.size());
  return length < 0 ? nullptr : PyLong_FromSsize_t(length);
}

PyObject* block_size(PyObject* module, PyObject* given) {
  Buffer block;
  std::size_t original = 0;
  if (!block.open(given) || !original_of(*state_of(module), block, TDZ_MAX_BLOCK_ORIGINAL, original))
    return nullptr;
  return PyLong_FromSize_t(original);
}

PyObject* block_plan(PyObject* module, PyObject* given) {
  const State* state = state_of(module);
  Buffer block;
  if (!block.open(given)) return nullptr;
  tdz_plan* plan = nullptr;
  tdz_error error;
  const auto status = tdz_block_plan(block.data(), block.size(), &plan, &error);
  return status == TDZ_OK ? plan_object(*state, plan) : raise(*state, status, error);
}

PyObject* block_bound(PyObject*, PyObject* given) {
  const Py_ssize_t bytes = PyNumber_AsSsize_t(given, PyExc_OverflowError);
  if (bytes == -1 && PyErr_Occurred() != nullptr) return nullptr;
  const std::size_t bound = bytes > 0 ? tdz_block_bound(static_cast<std::size_t>(bytes)) : 0;
  if (bound == 0) return PyErr_Format(PyExc_ValueError, "a block has 1 byte to 1 GiB");
  return PyLong_FromSize_t(bound);
}

void free_contexts(State& state) {
  for (tdz_context* context : state.contexts) tdz_context_free(context);
  state.contexts.clear();
}

}  // namespace tdz::python

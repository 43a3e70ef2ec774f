// SPDX-License-Identifier: Apache-2.0
// The module tdz._core: its functions, and its import.
#include <new>

#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {
namespace {

PyCFunction with_keywords(PyObject* (*function)(PyObject*, PyObject*, PyObject*)) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

constexpr int kKeywords = METH_VARARGS | METH_KEYWORDS;

PyMethodDef kFunctions[] = {
    {"compress", with_keywords(compress), kKeywords,
     R"(compress($module, data, /, *, type=None, plan=None, level=None, effort='normal', threads=0,
plans=None, protect=0)
--

Compresses a buffer of numbers into one stream, as a .tdz file holds it.

The numbers are those of the buffer's dtype, or `type`, a text such as 'f32', 'i16x2' or 'u64,f32x5'. Then a
search finds the plan that packs them best, unless `plan` is given. `effort` is that of the search: 'fast',
'normal' or 'best'; it sets zstd's level to 1, 3 or 16, and `level`, 1 to 22, sets another. 'fastest' packs
numbers without zstd: larger, and faster. A plan has its own level, and was searched before.
With `plans`, a PlanCache, the plans of earlier inputs come first, and a search is for other kinds of numbers.
`threads`: 0 for one on each core; the bytes do not depend on it. `protect`: percent of parity, 0 to 100, by
which `tdz recover` of the program heals a damaged file; it takes 128 MiB of memory. A Fortran-contiguous
array is taken as it lies in memory.)"},
    {"decompress", with_keywords(decompress), kKeywords,
     R"(decompress($module, data, /, *, out=None, max_output=None, threads=0)
--

Restores the original of one or more streams, as bytes. LimitError: it has more than `max_output` bytes, or,
without this limit, more than there is free memory.

With `out`, a writable buffer, it is restored there, and its length is returned. After an error the bytes of
`out` are unspecified.)"},
    {"plan", with_keywords(search_plan), kKeywords,
     R"(plan($module, sample, /, *, type=None, level=None, effort='normal', gpu=False)
--

Searches for the plan that packs this sample best.

16 MiB of the data are plenty. `effort` is 'fast', 'normal' or 'best', and sets zstd's level to 1, 3 or 16;
`level` sets another. 'fastest' packs numbers without zstd. `gpu`: prefer what a GPU decodes quickly, where
it is at most 20 % larger.)"},
    {"plan_for", with_keywords(plan_for), kKeywords,
     R"(plan_for($module, types, /, order=1, *, level=None)
--

The plan for a type such as 'f32x3', or for the fields of a row such as 'u64,f32x5': for each column a
difference of this order (0: none), zigzag and byte planes. Nothing is searched.)"},
    {"encode_block", with_keywords(encode_block), kKeywords,
     R"(encode_block($module, data, plan, /, *, out=None)
--

Encodes 1 byte to 1 GiB as a lone block: a chunk without a stream, as Zarr and HDF5 store it.

With `out`, a writable buffer, the block is written to its front, and its length is returned; block_bound()
bytes are always enough.)"},
    {"decode_block", with_keywords(decode_block), kKeywords,
     R"(decode_block($module, block, /, *, out=None, limit=1073741824)
--

Restores the original of a lone block. LimitError: it has more than `limit` bytes, or does not fit `out`, or,
without both, the free memory.

With `out`, a writable buffer, it is restored to its front, and its length is returned. After an error the
bytes of `out` are unspecified.)"},
    {"block_size", block_size, METH_O,
     R"(block_size($module, block, /)
--

The number of original bytes, from the record at the front of a block.)"},
    {"block_plan", block_plan, METH_O,
     R"(block_plan($module, block, /)
--

The plan of a block, from the record at its front; with level 3.)"},
    {"block_bound", block_bound, METH_O,
     R"(block_bound($module, bytes, /)
--

No block of `bytes` original bytes is longer than this.)"},
    {"default_threads", default_threads, METH_NOARGS,
     R"(default_threads($module, /)
--

What threads=0 means: the cores that this process may use, within its CPU mask and the CPU quota of its
cgroup.)"},
    {"compress_stream", with_keywords(compress_stream), kKeywords, nullptr},
    {"decompress_stream", with_keywords(decompress_stream), kKeywords, nullptr},
    {"reader", with_keywords(open_reader), kKeywords, nullptr},
    {"info_json", with_keywords(info_json), kKeywords, nullptr},
    {"check_file", with_keywords(check_file), kKeywords, nullptr},
    {"device_count", device_count, METH_NOARGS, nullptr},
    {"device_decoder", open_device, METH_O, nullptr},
    {"device_decoder_on_device", open_device_on_device, METH_VARARGS, nullptr},
    {"dlpack_memory", dlpack_memory, METH_O, nullptr},
    {"check_options", with_keywords(check_options), kKeywords, nullptr},
    {"type_of", type_of_buffer, METH_O, nullptr},
    {"available_memory", available_memory, METH_NOARGS, nullptr},
    {"nbytes", nbytes, METH_O, nullptr},
    {"piece", piece, METH_VARARGS, nullptr},
    {}};

bool add_versions(PyObject* module) {
  return PyModule_AddStringConstant(module, "version", tdz_version()) == 0 &&
         PyModule_AddStringConstant(module, "format_version", tdz_format_version()) == 0 &&
         PyModule_AddStringConstant(module, "zstd_version", tdz_zstd_version()) == 0 &&
         PyModule_AddIntConstant(module, "hdf5_filter", TDZ_HDF5_FILTER) == 0;
}

/// A callback asks for the GIL of the main interpreter, so no other one may use the module.
bool is_main_interpreter() {
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) == 0) return true;
  PyErr_SetString(PyExc_ImportError, "tdz does not support sub-interpreters");
  return false;
}

int execute(PyObject* module) {
  State& state = *new (PyModule_GetState(module)) State;
  const bool done = is_main_interpreter() && add_errors(module, state) && add_plan(module, state) &&
                    add_plan_cache(module, state) && add_reader(module, state) && add_device(module, state) &&
                    add_versions(module);
  return done ? 0 : -1;
}

int traverse(PyObject* module, visitproc visit, void* arg) {
  const State* state = static_cast<State*>(PyModule_GetState(module));
  for (PyObject* error : {state->error, state->corrupt, state->truncated, state->unsupported, state->limit})
    Py_VISIT(error);
  Py_VISIT(state->plan);
  Py_VISIT(state->plan_cache);
  Py_VISIT(state->reader);
  Py_VISIT(state->device);
  return 0;
}

int clear(PyObject* module) {
  State* state = static_cast<State*>(PyModule_GetState(module));
  Py_CLEAR(state->error);
  Py_CLEAR(state->corrupt);
  Py_CLEAR(state->truncated);
  Py_CLEAR(state->unsupported);
  Py_CLEAR(state->limit);
  Py_CLEAR(state->plan);
  Py_CLEAR(state->plan_cache);
  Py_CLEAR(state->reader);
  Py_CLEAR(state->device);
  return 0;
}

void free_module(void* module) {
  State* state = static_cast<State*>(PyModule_GetState(static_cast<PyObject*>(module)));
  clear(static_cast<PyObject*>(module));
  free_contexts(*state);
  state->~State();
}

PyModuleDef_Slot kSlots[] = {{Py_mod_exec, reinterpret_cast<void*>(execute)}, {0, nullptr}};

PyModuleDef kModule = {PyModuleDef_HEAD_INIT,
                       "tdz._core",
                       nullptr,
                       sizeof(State),
                       kFunctions,
                       kSlots,
                       traverse,
                       clear,
                       free_module};

}  // namespace

}  // namespace tdz::python

PyMODINIT_FUNC PyInit__core() {
  return PyModuleDef_Init(&tdz::python::kModule);
}

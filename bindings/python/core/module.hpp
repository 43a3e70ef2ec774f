// SPDX-License-Identifier: Apache-2.0
// The functions and types that module.cpp puts into tdz._core. A function add_... returns false with an
// exception.
#pragma once

#include "bindings/python/core/python.hpp"

namespace tdz::python {

// streams.cpp: streams, in memory and over objects with read() and write().

PyObject* compress(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* decompress(PyObject* module, PyObject* args, PyObject* kwargs);
/// compress_stream(read, write, /, *, type, plan, level, effort, big_endian, threads, chunk): `read(most)`
/// returns bytes, b"" at the end; `write(bytes)` takes them all. Returns the lengths of original and stream.
PyObject* compress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
/// decompress_stream(read, write, /, *, max_output, threads): with None for `write` all is checked and
/// nothing is written.
PyObject* decompress_stream(PyObject* module, PyObject* args, PyObject* kwargs);
/// default_threads(): what threads=0 means.
PyObject* default_threads(PyObject* module, PyObject* nothing);

/// check_options(*, type, plan, level, effort, threads, chunk): raises what compress_stream would raise for
/// them.
PyObject* check_options(PyObject* module, PyObject* args, PyObject* kwargs);

/// type_of(buffer): the types of its items, or None, and whether they are big-endian.
PyObject* type_of_buffer(PyObject* module, PyObject* object);
/// available_memory(): the bytes that this process may still take, at most.
PyObject* available_memory(PyObject* module, PyObject*);
/// The bytes of a buffer.
PyObject* nbytes(PyObject* module, PyObject* object);
/// piece(buffer, at, most): a copy of a part of it.
PyObject* piece(PyObject* module, PyObject* args);

// plan.cpp: tdz.Plan: a plan that never changes, so that all threads may share it.

/// Adds the type tdz.Plan.
bool add_plan(PyObject* module, State& state);
/// A new tdz.Plan that owns the plan. Null with an exception, and the plan is freed.
PyObject* plan_object(const State& state, tdz_plan* plan);
/// Adds the type tdz.PlanCache.
bool add_plan_cache(PyObject* module, State& state);
/// The cache of a tdz.PlanCache; null with TypeError if `object` is something else.
tdz_plan_cache* plan_cache_in(const State& state, PyObject* object);
/// The plan of a tdz.Plan; null with TypeError if `object` is something else.
const tdz_plan* plan_in(const State& state, PyObject* object);
/// plan_for(types, order=1, *, level=None)
PyObject* plan_for(PyObject* module, PyObject* args, PyObject* kwargs);
/// plan(sample, /, *, type=None, level=None, effort='normal', gpu=False)
PyObject* search_plan(PyObject* module, PyObject* args, PyObject* kwargs);

// blocks.cpp: lone blocks.

PyObject* encode_block(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* decode_block(PyObject* module, PyObject* args, PyObject* kwargs);
PyObject* block_size(PyObject* module, PyObject* block);
PyObject* block_plan(PyObject* module, PyObject* block);
PyObject* block_bound(PyObject* module, PyObject* bytes);

/// Frees the contexts that wait for a next call.
void free_contexts(State& state);

// reader.cpp: a file that is read at any offset: the type Reader, and what info() tells. Both take the file
// as a descriptor (int), as memory (a buffer), or as a function read_at(offset, bytes).

bool add_reader(PyObject* module, State& state);
/// reader(file, size, /, *, max_output=None, threads=0)
PyObject* open_reader(PyObject* module, PyObject* args, PyObject* kwargs);
/// info_json(file, size, /, *, chunks=False)
PyObject* info_json(PyObject* module, PyObject* args, PyObject* kwargs);
/// check_file(file, size, /, *, max_output=None, threads=0): the number of original bytes, after all of them
/// were proved.
PyObject* check_file(PyObject* module, PyObject* args, PyObject* kwargs);

// device.cpp: blocks that are decoded into the memory of a GPU: the type DeviceDecoder, for tdz/cuda.py; and
// arrays on a GPU that other libraries describe with DLPack.

bool add_device(PyObject* module, State& state);
/// device_decoder(blocks, /): of a sequence of buffers. It reads all records, and loads the packed bytes.
PyObject* open_device(PyObject* module, PyObject* blocks);
/// device_decoder_on_device(address, places, /): of blocks in device memory, by pairs of their offset from
/// the address and their length.
PyObject* open_device_on_device(PyObject* module, PyObject* args);
/// device_count()
PyObject* device_count(PyObject* module, PyObject*);

/// dlpack_memory(capsule, /): address and bytes of a contiguous, writable array on a GPU, as what
/// __dlpack__() returned describes it. The capsule keeps the memory. TypeError or ValueError: it is something
/// else.
PyObject* dlpack_memory(PyObject* module, PyObject* capsule);

}  // namespace tdz::python

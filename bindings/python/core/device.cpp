// SPDX-License-Identifier: Apache-2.0
// GPUs: blocks that are decoded into their memory, and arrays there that other libraries describe with
// DLPack.
#include <cstdint>
#include <deque>
#include <vector>

#include "bindings/python/core/buffer.hpp"
#include "bindings/python/core/module.hpp"
#include "bindings/python/core/python.hpp"

namespace tdz::python {

// ---- Blocks

namespace {

/// The blocks stay where they are until the decoder has gone.
struct Loaded {
  std::deque<Buffer> blocks;
  tdz_device_decoder* decoder = nullptr;
  tdz_device_sizes sizes{};

  ~Loaded() { tdz_device_free(decoder); }
};

using DeviceObject = Owner<Loaded>;

/// An address of device memory, or a cudaStream_t.
void* address(unsigned long long number) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(number));
}

PyObject* decode(PyObject* self, PyObject* args) {
  unsigned long long values = 0, scratch = 0, stream = 0;
  if (!PyArg_ParseTuple(args, "KKK:decode", &values, &scratch, &stream)) return nullptr;
  tdz_error error;
  tdz_device_decoder* decoder = DeviceObject::of(self).decoder;
  const tdz_status status = without_gil([&] {
    const tdz_status put =
        tdz_device_decode(decoder, address(values), address(scratch), address(stream), &error);
    return put == TDZ_OK ? tdz_device_finish(decoder, &error) : put;
  });
  return status == TDZ_OK ? Py_BuildValue("") : raise(*state_of_instance(self), status, error);
}

PyObject* original(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(DeviceObject::of(self).sizes.original);
}

PyObject* scratch(PyObject* self, void*) {
  return PyLong_FromUnsignedLongLong(DeviceObject::of(self).sizes.scratch);
}

PyMethodDef kMethods[] = {
    {"decode", decode, METH_VARARGS,
     "decode($self, values, scratch, stream, /)\n--\n\nThe addresses are those of device memory of at least "
     "`original` and `scratch` bytes. Returns when all values are proved."},
    {}};

PyGetSetDef kProperties[] = {
    {"original", original, nullptr, "The bytes of the values.", nullptr},
    {"scratch", scratch, nullptr, "The bytes of device memory that it works in.", nullptr},
    {}};

constexpr const char* kText = "Decodes lone blocks on the GPU that is current. Used by one thread at a time.";

PyType_Slot kSlots[] = {{Py_tp_doc, const_cast<char*>(kText)},
                        {Py_tp_dealloc, reinterpret_cast<void*>(DeviceObject::dealloc)},
                        {Py_tp_methods, kMethods},
                        {Py_tp_getset, kProperties},
                        {0, nullptr}};

/// False with an exception.
bool take_blocks(PyObject* given, std::deque<Buffer>& blocks) {
  const Ref items(PySequence_Tuple(given));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  for (Py_ssize_t i = 0; i < count; ++i)
    if (!blocks.emplace_back().open(PyTuple_GetItem(items.get(), i))) return false;
  return true;
}

/// Opens a list of blocks, of host memory or of the device's.
using Open = tdz_status(const tdz_bytes*, size_t, tdz_device_decoder**, tdz_error*);

PyObject* load(Ref object, const State& state, Open& open, const std::vector<tdz_bytes>& list) {
  Loaded& loaded = DeviceObject::of(object.get());
  loaded.sizes.size = sizeof loaded.sizes;
  tdz_error error;
  const tdz_status status = without_gil([&] {
    const tdz_status opened = open(list.data(), list.size(), &loaded.decoder, &error);
    return opened == TDZ_OK ? tdz_device_load(loaded.decoder, &loaded.sizes, &error) : opened;
  });
  return status == TDZ_OK ? object.give() : raise(state, status, error);
}

/// Pairs of offset and length. False with an exception.
bool take_places(PyObject* given, unsigned long long begin, std::vector<tdz_bytes>& list) {
  const Ref items(PySequence_Tuple(given));
  if (!items) return false;
  const Py_ssize_t count = PyTuple_Size(items.get());
  for (Py_ssize_t i = 0; i < count; ++i) {
    unsigned long long offset = 0;
    Py_ssize_t bytes = 0;
    if (!PyArg_ParseTuple(PyTuple_GetItem(items.get(), i), "Kn:places", &offset, &bytes)) return false;
    list.push_back({address(begin + offset), static_cast<std::size_t>(bytes)});
  }
  return true;
}

}  // namespace

bool add_device(PyObject* module, State& state) {
  return add_type(module, "tdz._core.DeviceDecoder", sizeof(DeviceObject), kSlots, state.device);
}

PyObject* open_device(PyObject* module, PyObject* blocks) {
  const State* state = state_of(module);
  Ref object(DeviceObject::make(state->device, *state));
  if (!object || !take_blocks(blocks, DeviceObject::of(object.get()).blocks)) return nullptr;
  std::vector<tdz_bytes> list;
  for (const Buffer& block : DeviceObject::of(object.get()).blocks)
    list.push_back({block.data(), block.size()});
  return load(std::move(object), *state, tdz_device_open_blocks, list);
}

PyObject* open_device_on_device(PyObject* module, PyObject* args) {
  const State* state = state_of(module);
  unsigned long long begin = 0;
  PyObject* places = nullptr;
  if (!PyArg_ParseTuple(args, "KO:device_decoder_on_device", &begin, &places)) return nullptr;
  Ref object(DeviceObject::make(state->device, *state));
  std::vector<tdz_bytes> list;
  if (!object || !take_places(places, begin, list)) return nullptr;
  return load(std::move(object), *state, tdz_device_open_blocks_on_device, list);
}

PyObject* device_count(PyObject*, PyObject*) {
  return PyLong_FromLong(tdz_device_count());
}

// ---- DLPack

namespace {

// As dlpack.h of DLPack 1.0 has them; https://dmlc.github.io/dlpack/latest/c_api.html.

constexpr std::int32_t kCuda = 2, kCudaManaged = 13;  ///< kinds of devices
constexpr std::uint64_t kReadOnly = 1;                ///< a flag

struct DlTensor {
  void* data;
  std::int32_t device_type, device_id;
  std::int32_t dimensions;
  std::uint8_t code, bits;
  std::uint16_t lanes;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in items; null: contiguous
  std::uint64_t byte_offset;
};

/// "dltensor": it begins with the tensor. "dltensor_versioned":
struct DlManagedVersioned {
  std::uint32_t major, minor;
  void* context;
  void (*deleter)(DlManagedVersioned*);
  std::uint64_t flags;
  DlTensor tensor;
};

PyObject* refuse(PyObject* kind, const char* why) {
  PyErr_SetString(kind, why);
  return nullptr;
}

bool is_contiguous(const DlTensor& tensor) {
  if (tensor.strides == nullptr) return true;
  std::int64_t stride = 1;
  for (std::int32_t i = tensor.dimensions; i-- > 0;) {
    if (tensor.shape[i] > 1 && tensor.strides[i] != stride) return false;
    stride *= tensor.shape[i];
  }
  return true;
}

std::uint64_t bytes_of(const DlTensor& tensor) {
  std::uint64_t bits = std::uint64_t{tensor.bits} * tensor.lanes;
  for (std::int32_t i = 0; i < tensor.dimensions; ++i) bits *= static_cast<std::uint64_t>(tensor.shape[i]);
  return bits / 8;
}

PyObject* memory_of(const DlTensor& tensor) {
  if (tensor.device_type != kCuda && tensor.device_type != kCudaManaged)
    return refuse(PyExc_TypeError, "the array is not on a GPU of CUDA");
  if (!is_contiguous(tensor)) return refuse(PyExc_ValueError, "the array is not contiguous");
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset;
  return Py_BuildValue("KK", static_cast<unsigned long long>(address),
                       static_cast<unsigned long long>(bytes_of(tensor)));
}

}  // namespace

PyObject* dlpack_memory(PyObject*, PyObject* capsule) {
  if (PyCapsule_IsValid(capsule, "dltensor") != 0)
    return memory_of(*static_cast<const DlTensor*>(PyCapsule_GetPointer(capsule, "dltensor")));
  if (PyCapsule_IsValid(capsule, "dltensor_versioned") == 0)
    return refuse(PyExc_TypeError, "__dlpack__() returned no new capsule");
  const auto& managed =
      *static_cast<const DlManagedVersioned*>(PyCapsule_GetPointer(capsule, "dltensor_versioned"));
  if (managed.major != 1) return refuse(PyExc_TypeError, "the array speaks another version of DLPack than 1");
  if ((managed.flags & kReadOnly) != 0) return refuse(PyExc_ValueError, "the array is read-only");
  return memory_of(managed.tensor);
}

}  // namespace tdz::python

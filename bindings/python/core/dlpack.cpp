// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "bindings/python/core/module.hpp"

namespace tdz::python {
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

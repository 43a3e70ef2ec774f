// SPDX-License-Identifier: Apache-2.0
// The functions of the libhdf5 that called the plugin. A process may have two: the wheels of h5py and netCDF4
// bring one each, and each knows only its own identifiers. Neither is in the global scope. So the caller's
// return address says whose functions are right.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "bindings/hdf5/abi.hpp"

namespace tdz::hdf5 {

struct Library {
  abi::herr_t (*filter_by_id)(abi::hid_t, int, unsigned*, std::size_t*, unsigned*, std::size_t, char*,
                              unsigned*);
  int (*filter_at)(abi::hid_t, unsigned, unsigned*, std::size_t*, unsigned*, std::size_t, char*, unsigned*);
  abi::herr_t (*modify_filter)(abi::hid_t, int, unsigned, std::size_t, const unsigned*);
  int (*chunk_shape)(abi::hid_t, int, abi::hsize_t*);
  abi::TypeClass (*type_class)(abi::hid_t);
  std::size_t (*type_size)(abi::hid_t);
  int (*type_order)(abi::hid_t);
  abi::hid_t (*super_type)(abi::hid_t);
  int (*member_count)(abi::hid_t);
  abi::hid_t (*member_type)(abi::hid_t, unsigned);
  std::size_t (*member_offset)(abi::hid_t, unsigned);
  abi::herr_t (*close_type)(abi::hid_t);
};

/// The library that holds this address of code. Nothing: it does not show its functions, or it is older
/// than 1.10.
std::optional<Library> library_of(const void* caller);

/// Puts a sentence on the error stack of the library that holds this address, if that is possible.
void tell_library(const void* caller, const std::string& sentence);

}  // namespace tdz::hdf5

// SPDX-License-Identifier: Apache-2.0
// HDF5 without its headers: the part of its binary interface, 1.10 and later, that the plugin needs, and the
// functions of the libhdf5 that called the plugin. No library is linked: one plugin works with every libhdf5,
// whatever its file is called.
//
// A process may have two: the wheels of h5py and netCDF4 bring one each, and each knows only its own
// identifiers. Neither is in the global scope. So the caller's return address says whose functions are right.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tdz::hdf5::abi {

using hid_t = std::int64_t;
using herr_t = int;
using hsize_t = unsigned long long;

// H5Zpublic.h
inline constexpr unsigned kFlagReverse = 0x0100;  // the filter reads
inline constexpr int kClassVersion = 1;
inline constexpr int kShuffle = 2;
inline constexpr int kFletcher32 = 3;

struct FilterClass {  // H5Z_class2_t
  int version;
  int id;
  unsigned encoder_present;
  unsigned decoder_present;
  const char* name;
  int (*can_apply)(hid_t, hid_t, hid_t);
  herr_t (*set_local)(hid_t, hid_t, hid_t);
  std::size_t (*filter)(unsigned, std::size_t, const unsigned*, std::size_t, std::size_t*, void**);
};

// H5PLpublic.h
enum class PluginType : int { filter = 0 };

// H5Tpublic.h
enum class TypeClass : int {
  integer = 0,
  real = 1,
  time = 2,
  string = 3,
  bitfield = 4,
  opaque = 5,
  compound = 6,
  reference = 7,
  enumeration = 8,
  variable_length = 9,
  array = 10,
  complex = 11,
};
inline constexpr int kBigEndian = 1;

}  // namespace tdz::hdf5::abi

namespace tdz::hdf5 {

/// Functions of one libhdf5.
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

/// A function of the library that holds this address, by its name, or null.
void* function_named(const void* caller, const char* name);
template <class Function>
bool find_function(const void* caller, const char* name, Function*& function) {
  function = reinterpret_cast<Function*>(function_named(caller, name));
  return function != nullptr;
}

/// Puts a sentence on the error stack of the library that holds this address, if that is possible.
void tell_library(const void* caller, const std::string& sentence);

}  // namespace tdz::hdf5

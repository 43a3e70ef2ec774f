// SPDX-License-Identifier: Apache-2.0
// What the plugin needs of HDF5's binary interface, 1.10 and later. There is no header of HDF5 here and no
// library to link: one plugin works with every libhdf5, whatever its file is called.
#pragma once

#include <cstddef>
#include <cstdint>

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

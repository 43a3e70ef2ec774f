// SPDX-License-Identifier: Apache-2.0
// The filter's number, name and functions, as HDF5 calls them. HDF5 may call them from several threads at
// once: nothing is shared except what a thread keeps for itself.
#pragma once

#include <cstddef>
#include <span>

#include "bindings/hdf5/library.hpp"
#include "bindings/hdf5/values.hpp"

namespace tdz::hdf5 {

inline constexpr int kFilterId = TDZ_HDF5_FILTER;
inline constexpr const char* kFilterName = "tdz: differences of fixed-width numbers, byte planes, zstd";

/// Fills in what the values of the filter leave open, from type and chunk shape of a new data set.
abi::herr_t set_local(abi::hid_t properties, abi::hid_t type, abi::hid_t space);

/// The same for numbers of so many bytes in chunks of this shape. Sets word, tuple, order, row, level and
/// flags where they are open. Numbers of more than 8 bytes are bytes.
void decide_numbers(std::size_t bytes, bool big_endian, std::span<const abi::hsize_t> chunk, Values& values);

/// Writing: encodes a chunk as one lone block, by the values. Reading (the flag says so): restores it; of the
/// values only the length of a chunk counts, which the block must have. Returns the new length, or 0 after an
/// error, which leaves the buffer as it was.
std::size_t run_filter(unsigned flags, std::size_t value_count, const unsigned values[], std::size_t bytes,
                       std::size_t* room, void** buffer);

}  // namespace tdz::hdf5

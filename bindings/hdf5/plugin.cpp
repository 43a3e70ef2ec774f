// SPDX-License-Identifier: Apache-2.0
// What HDF5 looks for in the file of a plugin.
#include "bindings/hdf5/filter.hpp"

using namespace tdz::hdf5;

extern "C" {

__attribute__((visibility("default"))) abi::PluginType H5PLget_plugin_type(void) {
  return abi::PluginType::filter;
}

__attribute__((visibility("default"))) const void* H5PLget_plugin_info(void) {
  static const abi::FilterClass filter = {abi::kClassVersion, kFilterId, 1,         1,
                                          kFilterName,        nullptr,   set_local, run_filter};
  return &filter;
}
}

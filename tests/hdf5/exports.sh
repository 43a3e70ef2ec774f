#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Does the plugin show the two functions that HDF5 looks for and netCDF's, and nothing else; and does it link no libhdf5?
#     exports.sh PLUGIN
set -euo pipefail
shown=$(nm -D --defined-only "$1" | awk '{ print $3 }' | sort)
[ "$shown" = $'H5PLget_plugin_info\nH5PLget_plugin_type\nNCZ_get_codec_info' ] || { echo "it shows: $shown"; exit 1; }
if readelf -d "$1" | grep NEEDED | grep -i hdf5; then exit 1; fi
if nm -D --undefined-only "$1" | grep -E ' H5'; then echo "it needs symbols of HDF5"; exit 1; fi

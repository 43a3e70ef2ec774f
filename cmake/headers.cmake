# SPDX-License-Identifier: Apache-2.0
# Writes a header with the digest of the headers of formats/ and kernels/; see kernels/cuda/library/library.hpp.
#     cmake -DSOURCE=FOLDER -DOUTPUT=FILE -P headers.cmake
file(GLOB_RECURSE headers RELATIVE ${SOURCE} ${SOURCE}/formats/*.hpp ${SOURCE}/kernels/*.hpp)
list(SORT headers)
set(all "")
foreach(header IN LISTS headers)
  file(SHA256 ${SOURCE}/${header} digest)
  string(APPEND all "${header} ${digest}\n")
endforeach()
string(SHA256 digest "${all}")
string(SUBSTRING ${digest} 0 12 digest)
file(WRITE ${OUTPUT} "#define TDZ_HEADERS \"${digest}\"\n")

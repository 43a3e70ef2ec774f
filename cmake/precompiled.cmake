# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file includes take two thirds of the time to compile a file. So a target with many files precompiles
# them. Every file must still include what it uses, because the sanitizer builds precompile nothing and would fail. Debug builds
# precompile nothing either, because clang's tools cannot read precompiled headers of gcc.
option(TDZ_PRECOMPILED_HEADERS "Compile the headers that most files include once a target" ON)

set(TDZ_COMMON_HEADERS <algorithm> <array> <cstddef> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
                       <utility> <vector>)

# tdz_precompile(TARGET [HEADER...]): precompiles those headers, and HEADER..., which most files of TARGET include.
function(tdz_precompile target)
  if(TDZ_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${TDZ_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

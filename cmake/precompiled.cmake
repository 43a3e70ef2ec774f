# SPDX-License-Identifier: Apache-2.0
# Two thirds of what a file of this tree takes to compile are headers that nearly every file includes: a target of many files reads
# them once. Every file still includes what it uses: the builds for the sanitizers precompile nothing, and would miss it. Nor do those
# for debugging, as clang's tools cannot read what gcc has precompiled.
option(TDZ_PRECOMPILED_HEADERS "Compile the headers that most files include once a target" ON)

set(TDZ_COMMON_HEADERS <algorithm> <array> <cstddef> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
                       <utility> <vector>)

# tdz_precompile(TARGET [HEADER...]): those headers, and what else most of its files include.
function(tdz_precompile target)
  if(TDZ_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${TDZ_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

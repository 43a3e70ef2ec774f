# SPDX-License-Identifier: Apache-2.0
# Headers that nearly every file includes take two thirds of the time to compile a file. So a target with many files precompiles
# them. Every file must still include what it uses: tests/structure/own_includes.py looks for that, and builds that precompile
# nothing would fail. Debug builds precompile nothing, because clang's tools cannot read precompiled headers of gcc.
option(TDZ_PRECOMPILED_HEADERS "Compile the headers that most files include once a target" ON)

set(TDZ_COMMON_HEADERS <algorithm> <array> <cstddef> <cstdint> <functional> <memory> <optional> <span> <string> <string_view>
                       <utility> <vector>)

# tdz_precompile(TARGET [HEADER...]): precompiles those headers, and HEADER..., which most files of TARGET include.
function(tdz_precompile target)
  if(TDZ_PRECOMPILED_HEADERS)
    target_precompile_headers(${target} PRIVATE ${TDZ_COMMON_HEADERS} ${ARGN})
  endif()
endfunction()

# tdz_join_folders(TARGET FOLDER...): compiles the files of each of these folders as one, so that the headers that they share
# are read once; `.` is the folder of TARGET itself. In such a folder, names in unnamed namespaces must differ. Builds that
# precompile nothing join nothing.
function(tdz_join_folders target)
  if(NOT TDZ_PRECOMPILED_HEADERS)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE file)
    cmake_path(GET file PARENT_PATH folder)
    cmake_path(RELATIVE_PATH folder)
    if(folder IN_LIST ARGN)
      string(MAKE_C_IDENTIFIER ${folder} group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
endfunction()

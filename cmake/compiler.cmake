# SPDX-License-Identifier: Apache-2.0
# Warnings and sanitizers, for our targets only: link tdz_build_options privately.
add_library(tdz_build_options INTERFACE)

set(tdz_warnings -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast)
# A switch names every value of its enumeration: whoever adds one is told where it matters.
list(APPEND tdz_warnings -Wswitch-enum -Werror=switch -Werror=switch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # Sees overlaps in std::string's operator+ that are not there (bug 105651), and in strings and vectors that grow, copies
    # past their end.
    list(APPEND tdz_warnings -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(TDZ_SANITIZE)
    list(APPEND tdz_warnings -Wno-maybe-uninitialized)  # the sanitizers' own code misleads it
  endif()
endif()
target_compile_options(tdz_build_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${tdz_warnings}>")

if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  # Files beyond 2 GiB and times beyond 2038 need to be asked for there.
  target_compile_definitions(tdz_build_options INTERFACE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
endif()

if(TDZ_SANITIZE)
  target_compile_options(tdz_build_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TDZ_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(tdz_build_options INTERFACE -fsanitize=${TDZ_SANITIZE})
endif()

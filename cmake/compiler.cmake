# SPDX-License-Identifier: Apache-2.0
# Warnings, arithmetic and sanitizers, for our targets only: link tdz_build_options privately.
add_library(tdz_build_options INTERFACE)

# Doubles decide bytes: they find scales and choose predictors. Some processors can round a product and a sum once instead of
# twice. If the compiler used that, bytes would depend on the processor. All files have the option, so that none is forgotten.
target_compile_options(tdz_build_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)

set(tdz_warnings -Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast)
# A switch must name every value of its enumeration. So the compiler lists the places to change when a value is added.
list(APPEND tdz_warnings -Wswitch-enum -Werror=switch -Werror=switch-enum)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  if(CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # These warnings are false: they report overlaps in std::string's operator+ (bug 105651), and copies past the end of strings
    # and vectors that grow.
    list(APPEND tdz_warnings -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
  endif()
  if(TDZ_SANITIZE)
    list(APPEND tdz_warnings -Wno-maybe-uninitialized)  # false warnings in the code of the sanitizers
  endif()
endif()
target_compile_options(tdz_build_options INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:${tdz_warnings}>")

if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  # Systems of 32 bits need this for files above 2 GiB and times after 2038.
  target_compile_definitions(tdz_build_options INTERFACE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
endif()

if(TDZ_LINUX_CALLS)
  target_compile_definitions(tdz_build_options INTERFACE TDZ_LINUX_CALLS)
endif()

# tdz_show_only(TARGET MAP): the shared library shows the names that this version script of the GNU linker lists, and no others.
# What others read are these names with an underscore before each.
function(tdz_show_only target map)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  if(NOT APPLE)
    target_link_options(${target} PRIVATE -Wl,--version-script=${map})
    return()
  endif()
  file(READ ${map} text)
  string(REGEX REPLACE "#[^\n]*|local:.*" "" text "${text}")
  string(REGEX MATCHALL "[A-Za-z0-9_*]+;" names "${text}")
  string(REGEX REPLACE "([^;]+);+" "_\\1\n" names "${names}")
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${target}.names)
  file(WRITE ${list} "${names}")
  target_link_options(${target} PRIVATE -Wl,-exported_symbols_list,${list})
endfunction()

# For what a wheel holds: files without the names of their own functions, which look for others in a folder beside them.
if(APPLE)
  set(TDZ_STRIP $<$<CONFIG:Release>:-Wl,-x>)
  set(TDZ_ORIGIN @loader_path)
else()
  set(TDZ_STRIP $<$<CONFIG:Release>:-Wl,--strip-all>)
  set(TDZ_ORIGIN $ORIGIN)
endif()

if(TDZ_SANITIZE)
  target_compile_options(tdz_build_options INTERFACE
    "$<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TDZ_SANITIZE};-fno-omit-frame-pointer;-fno-sanitize-recover=all>")
  target_link_options(tdz_build_options INTERFACE -fsanitize=${TDZ_SANITIZE})
endif()

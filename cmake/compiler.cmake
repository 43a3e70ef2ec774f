# SPDX-License-Identifier: Apache-2.0
# Warnings and sanitizers, for our targets only: link tdz_build_options privately.
add_library(tdz_build_options INTERFACE)
target_compile_options(tdz_build_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast>
  # Before version 13 GCC sees overlaps in std::string's operator+ that are not there (its bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
if(TDZ_SANITIZE)
  target_compile_options(tdz_build_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${TDZ_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all>)
  target_link_options(tdz_build_options INTERFACE -fsanitize=${TDZ_SANITIZE})
endif()

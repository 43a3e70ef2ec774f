# SPDX-License-Identifier: Apache-2.0
# Included by project(): libraries that have an archive are linked from it, so that a fuzzer needs fewer files beside it.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)

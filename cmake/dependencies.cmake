# SPDX-License-Identifier: Apache-2.0
# All libraries that tdz needs come from the system. Nothing is downloaded.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(hwy REQUIRED CONFIG)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
find_package(CLI11 REQUIRED CONFIG)
find_package(spdlog REQUIRED CONFIG)
find_package(nlohmann_json REQUIRED CONFIG)
if(TDZ_TESTS)
  find_package(doctest REQUIRED CONFIG)
endif()

# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs. Users of the library link tdz::tdz, here and after find_package(tdz); in C tdz::tdz_c, or
# what `pkg-config tdz` says.
include(CMakePackageConfigHelpers)

add_library(tdz::tdz ALIAS tdz_codec)
add_library(tdz::tdz_c ALIAS tdz_c)
set_target_properties(tdz_codec PROPERTIES EXPORT_NAME tdz)
set_target_properties(tdz_kernels PROPERTIES EXPORT_NAME kernels)
set_target_properties(tdz_formats PROPERTIES EXPORT_NAME formats)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tdz)

if(TDZ_PROGRAM)
  install(TARGETS tdz_program)
endif()
if(TDZ_WITH_CUDA)
  install(TARGETS tdz_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tdz)
endif()
install(TARGETS tdz_formats tdz_kernels tdz_codec EXPORT tdz-targets)
# Apart, because it needs none of the libraries that the static ones need.
install(TARGETS tdz_c EXPORT tdz-c-targets)
install(EXPORT tdz-c-targets NAMESPACE tdz:: FILE tdzCTargets.cmake DESTINATION ${package_dir})
install(EXPORT tdz-targets NAMESPACE tdz:: FILE tdzTargets.cmake DESTINATION ${package_dir})

# The public headers include headers of formats/ and kernels/, so those are installed beside them.
install(FILES codec/include/tdz/block.hpp codec/include/tdz/device.hpp
  codec/include/tdz/device_decoder.hpp codec/include/tdz/device_encoder.hpp codec/include/tdz/plan.hpp
  codec/include/tdz/plan_cache.hpp
  codec/include/tdz/tdz.h codec/include/tdz/tdz.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz)
install(FILES formats/bytes.hpp formats/error.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats)
install(FILES formats/plan/plan.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats/plan)
file(GLOB step_headers CONFIGURE_DEPENDS formats/steps/*.hpp) # all of them: a new step is whole in its own files
install(FILES ${step_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats/steps)
install(FILES kernels/device.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/kernels)
install(FILES formats/tdz.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/tdz)
install(FILES LICENSE formats/FORMAT.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

# The source release (dist.sh), and what it depends on (packaging/sbom.py), with the versions found here.
set(found_libraries "")
foreach(library IN ITEMS zstd xxhash isal hwy nlohmann_json CLI11 spdlog seccomp CUDAToolkit doctest)
  if(${library}_VERSION)
    string(APPEND found_libraries "${library} ${${library}_VERSION}\n")
  endif()
endforeach()
if(TDZ_PYTHON)
  string(APPEND found_libraries "Python3 ${Python3_VERSION}\n")
endif()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/dependencies.txt CONTENT "${found_libraries}" @ONLY)
find_program(TDZ_PYTHON_FOR_SBOM python3)
mark_as_advanced(TDZ_PYTHON_FOR_SBOM)
set(release ${PROJECT_BINARY_DIR}/tdz-${PROJECT_VERSION})
set(write_sbom ${CMAKE_COMMAND} -E echo "python3 is missing: no list of dependencies (SPDX) was written")
if(TDZ_PYTHON_FOR_SBOM)
  set(write_sbom ${TDZ_PYTHON_FOR_SBOM} ${PROJECT_SOURCE_DIR}/packaging/sbom.py ${release}.tar.gz ${PROJECT_VERSION}
    ${PROJECT_BINARY_DIR}/dependencies.txt ${release}.spdx.json)
endif()
add_custom_target(dist VERBATIM
  COMMAND bash ${PROJECT_SOURCE_DIR}/cmake/dist.sh ${PROJECT_SOURCE_DIR} ${PROJECT_VERSION} ${PROJECT_BINARY_DIR}
  COMMAND ${write_sbom})

configure_package_config_file(cmake/tdzConfig.cmake.in ${PROJECT_BINARY_DIR}/tdzConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tdzConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tdzConfig.cmake ${PROJECT_BINARY_DIR}/tdzConfigVersion.cmake
  DESTINATION ${package_dir})

# The path of the prefix comes from the place of tdz.pc, so an installed tree may move.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_INCLUDEDIR BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
  OUTPUT_VARIABLE TDZ_PC_INCLUDE)
configure_file(cmake/tdz.pc.in ${PROJECT_BINARY_DIR}/tdz.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tdz.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

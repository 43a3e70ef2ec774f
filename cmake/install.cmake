# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` installs. Users of the library link tdz::tdz, here and after find_package(tdz).
include(CMakePackageConfigHelpers)

add_library(tdz::tdz ALIAS tdz_codec)
set_target_properties(tdz_codec PROPERTIES EXPORT_NAME tdz)
set_target_properties(tdz_kernels PROPERTIES EXPORT_NAME kernels)
set_target_properties(tdz_formats PROPERTIES EXPORT_NAME formats)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tdz)

install(TARGETS tdz_program)
install(TARGETS tdz_formats tdz_kernels tdz_codec EXPORT tdz-targets)
install(EXPORT tdz-targets NAMESPACE tdz:: FILE tdzTargets.cmake DESTINATION ${package_dir})

# The public headers include headers of formats/ and kernels/, so those are installed beside them.
install(FILES codec/include/tdz/block.hpp codec/include/tdz/device.hpp
  codec/include/tdz/device_decoder.hpp codec/include/tdz/plan.hpp codec/include/tdz/tdz.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz)
install(FILES formats/error.hpp formats/transform.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats)
install(FILES formats/plan/packing.hpp formats/plan/plan.hpp formats/plan/step_values.hpp
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats/plan)
install(FILES formats/scale/scale.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/formats/scale)
install(FILES kernels/device.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tdz/kernels)
install(FILES formats/tdz.magic DESTINATION ${CMAKE_INSTALL_DATADIR}/tdz)
install(FILES LICENSE formats/FORMAT.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

configure_package_config_file(cmake/tdzConfig.cmake.in ${PROJECT_BINARY_DIR}/tdzConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tdzConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tdzConfig.cmake ${PROJECT_BINARY_DIR}/tdzConfigVersion.cmake
  DESTINATION ${package_dir})

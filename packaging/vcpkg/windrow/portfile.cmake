# The sources are those of the checkout in which this port lies. A port of a registry would fetch a release instead.
get_filename_component(SOURCE_PATH "${CURRENT_PORT_DIR}/../../.." ABSOLUTE)

vcpkg_check_features(
  OUT_FEATURE_OPTIONS feature_options
  FEATURES models WINDROW_MODELS
           distributed WINDROW_MPI)
# The build looks for a static liburing, which a dynamic triplet does not have. A value in the cache keeps CMake from searching
# the system for one.
if(NOT "tables" IN_LIST FEATURES OR VCPKG_LIBRARY_LINKAGE STREQUAL "dynamic")
  list(APPEND feature_options -DWINDROW_URING_LIBRARY=OFF)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS ${feature_options} -DWINDROW_TOOL=OFF -DWINDROW_ONNXRUNTIME=OFF -DCMAKE_INSTALL_DOCDIR=share/${PORT}
  MAYBE_UNUSED_VARIABLES WINDROW_URING_LIBRARY)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/windrow)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/THIRD_PARTY.md")

# Install rules, the CMake package and the pkg-config files.

include(CMakePackageConfigHelpers)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/windrow DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY.md
        DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/licenses DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/windrow)
set(pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# windrow_install_component(<component> <target>): one exported target set per component, so that a
# consumer of the core does not need what the others depend on.
function(windrow_install_component component target)
  install(
    TARGETS ${target}
    EXPORT windrow-${component}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(
    EXPORT windrow-${component}
    NAMESPACE windrow::
    FILE windrow-${component}.cmake
    DESTINATION ${package_dir})
endfunction()

# windrow_install_pkgconfig(<name>): cmake/<name>.pc.in with the variables of the caller.
function(windrow_install_pkgconfig name)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${name}.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${pkgconfig_dir})
endfunction()

# A program links what a static library needs itself; a shared library has done so already.
file(RELATIVE_PATH pc_prefix /prefix/${pkgconfig_dir} /prefix)
if(BUILD_SHARED_LIBS)
  set(pc_core_libs)
  set(pc_threads_libs)
  set(pc_models_libs)
  set(pc_tables_libs)
  set(pc_distributed_libs)
else()
  set(pc_core_libs "-lhwy -lstdc++ -lm")
  set(pc_models_libs "-lpugixml -lz")
  set(pc_threads_libs "-pthread")
  set(pc_tables_libs "-pthread")
  list(JOIN MPI_C_LIBRARIES " " pc_distributed_libs)
  string(APPEND pc_distributed_libs " -pthread")
  if(missing_ring STREQUAL ring_absent)
    string(APPEND pc_tables_libs " -luring")
  endif()
endif()

windrow_install_component(core windrow)
windrow_install_pkgconfig(windrow)
windrow_install_component(threads windrow_threads)
windrow_install_pkgconfig(windrow-threads)
windrow_install_component(distributed windrow_distributed)
windrow_install_pkgconfig(windrow-distributed)
if(WINDROW_MODELS)
  windrow_install_component(models windrow_models)
  windrow_install_pkgconfig(windrow-models)
  windrow_install_component(tables windrow_tables)
  windrow_install_pkgconfig(windrow-tables)
endif()
if(WINDROW_TOOL)
  install(TARGETS windrow_tool DESTINATION ${CMAKE_INSTALL_BINDIR})
  if(EXISTS "${WINDROW_PLAYGROUND_PAGE}")
    install(FILES ${WINDROW_PLAYGROUND_PAGE} DESTINATION ${CMAKE_INSTALL_DATADIR}/windrow RENAME playground.html)
  endif()
  if(TARGET windrow_manual)
    install(FILES ${windrow_man_page_file} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  endif()
endif()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/windrow-config.cmake.in ${PROJECT_BINARY_DIR}/windrow-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/windrow-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/windrow-config.cmake
              ${PROJECT_BINARY_DIR}/windrow-config-version.cmake DESTINATION ${package_dir})

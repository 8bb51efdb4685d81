# The Python extension windrow._core, and beside it in the build tree the package's Python files.

find_package(
  Python 3.11
  REQUIRED
  COMPONENTS Interpreter Development.Module NumPy
  OPTIONAL_COMPONENTS Development.SABIModule)
if(NOT nanobind_DIR)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_STRIP_TRAILING_WHITESPACE
    OUTPUT_VARIABLE nanobind_DIR COMMAND_ERROR_IS_FATAL ANY)
endif()
find_package(nanobind CONFIG REQUIRED)

add_subdirectory(plugins/jax)

file(GLOB python_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/src/*.cc)
# Tables over ranks, which get their exchange from Python: the extension needs no MPI of the machine.
windrow_add_library_without(windrow_python_distributed python_distributed exchange_mpi ${WINDROW_DISTRIBUTED_ROOMS})
target_link_libraries(windrow_python_distributed PUBLIC windrow::windrow PRIVATE Threads::Threads)

# Sized for speed: the calls of small arrays are what this room is measured by.
nanobind_add_module(windrow_python STABLE_ABI NB_STATIC NOMINSIZE NB_SUPPRESS_WARNINGS ${python_sources})
# What runs once for a person or a model is made small.
file(GLOB small_sources ${PROJECT_SOURCE_DIR}/python/src/network*.cc)
foreach(name IN ITEMS check command explain)
  list(APPEND small_sources ${PROJECT_SOURCE_DIR}/python/src/${name}.cc)
endforeach()
set_source_files_properties(${small_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
set_source_files_properties(${PROJECT_SOURCE_DIR}/python/src/take_gil.cc PROPERTIES COMPILE_OPTIONS -fno-exceptions)
# nanobind's headers need it and do not include it, which only some C++ libraries make up for.
foreach(target IN ITEMS windrow_python nanobind-static nanobind-static-abi3)
  if(TARGET ${target})
    target_compile_options(${target} PRIVATE "SHELL:-include cstdio")
  endif()
endforeach()
target_include_directories(windrow_python PRIVATE ${PROJECT_SOURCE_DIR})
target_include_directories(windrow_python SYSTEM PRIVATE ${Python_NumPy_INCLUDE_DIRS})
target_link_libraries(windrow_python PRIVATE windrow_command windrow_jax windrow::python_distributed
                                             windrow::tables windrow::models windrow::threads)
if(TARGET windrow_onnxruntime_objects)
  target_link_libraries(windrow_python PRIVATE windrow_onnxruntime_objects)
endif()
# The plug-ins that are built on the user's machine call the C interface, all of which must be there. They find the
# extension by the name below once the package is imported, wherever it lies.
set(exports ${PROJECT_SOURCE_DIR}/python/exports.map)
target_link_options(
  windrow_python PRIVATE LINKER:--version-script=${exports}
  LINKER:-soname,libwindrow_python.so.${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
# CMake's own WHOLE_ARCHIVE, without the options --push-state and --pop-state, which not every linker has.
set(CMAKE_CXX_LINK_LIBRARY_USING_WINDROW_WHOLE "LINKER:--whole-archive" "<LINK_ITEM>" "LINKER:--no-whole-archive")
set(CMAKE_CXX_LINK_LIBRARY_USING_WINDROW_WHOLE_SUPPORTED TRUE)
set_target_properties(
  windrow_python
  PROPERTIES OUTPUT_NAME _core
             LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/python/windrow
             LINK_DEPENDS ${exports}
             LINK_LIBRARY_OVERRIDE "WINDROW_WHOLE,windrow,windrow_threads")

# The packages as importable folders: python/ in the build tree. The conformance kit is a wheel of its own.
function(stage_package source)
  get_filename_component(package ${source} NAME)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${source} ${source}/*.py ${source}/*.pyi
       ${source}/*.css ${source}/*.js)
  # A link to a file that was moved or removed goes.
  file(GLOB_RECURSE staged ${PROJECT_BINARY_DIR}/python/${package}/*)
  foreach(link IN LISTS staged)
    if(IS_SYMLINK ${link} AND NOT EXISTS ${link})
      file(REMOVE ${link})
    endif()
  endforeach()
  foreach(file IN LISTS files)
    get_filename_component(folder ${PROJECT_BINARY_DIR}/python/${package}/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    file(CREATE_LINK ${source}/${file} ${PROJECT_BINARY_DIR}/python/${package}/${file} SYMBOLIC)
  endforeach()
endfunction()
stage_package(${PROJECT_SOURCE_DIR}/python/windrow)
if(NOT SKBUILD)
  stage_package(${PROJECT_SOURCE_DIR}/conformance/windrow_conformance)
  # A link in the source tree too, which the search for files does not follow.
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/python/windrow/processes
       ${PROJECT_BINARY_DIR}/python/windrow_conformance/processes SYMBOLIC)
endif()

# What the plug-ins are made of on the user's machine: the headers of what the extension exports, and the sources.
set(plugin_headers call_cache.h c.h c_operators.h c_threads.h export.h)
set(plugin_folders openvino torch)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/python/windrow/include/windrow
     ${PROJECT_BINARY_DIR}/python/windrow/plugins)
foreach(header IN LISTS plugin_headers)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/include/windrow/${header}
       ${PROJECT_BINARY_DIR}/python/windrow/include/windrow/${header} SYMBOLIC)
endforeach()
foreach(folder IN LISTS plugin_folders)
  file(CREATE_LINK ${PROJECT_SOURCE_DIR}/plugins/${folder}
       ${PROJECT_BINARY_DIR}/python/windrow/plugins/${folder} SYMBOLIC)
endforeach()

# In the build tree the page may be made later.
if(WINDROW_PLAYGROUND_PAGE)
  if(SKBUILD)
    install(FILES ${WINDROW_PLAYGROUND_PAGE} DESTINATION windrow RENAME playground.html COMPONENT python)
  else()
    file(CREATE_LINK ${WINDROW_PLAYGROUND_PAGE} ${PROJECT_BINARY_DIR}/python/windrow/playground.html SYMBOLIC)
  endif()
elseif(SKBUILD)
  message(STATUS "The playground's page is left out: WINDROW_PLAYGROUND_PAGE names none")
endif()

# What the wheel contains of others, where tools look for it (PEP 770).
if(SKBUILD)
  set(bill_of_materials ${PROJECT_BINARY_DIR}/windrow.spdx.json)
  execute_process(COMMAND ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/write_sbom.py --leave-out windrow_distributed
                          ${bill_of_materials} COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${bill_of_materials} DESTINATION ${SKBUILD_METADATA_DIR}/sboms COMPONENT python)
endif()

# The stubs of the dialects' modules, which are made from the operator table as the modules are.
set(WINDROW_STUBS "" CACHE PATH "The stubs of a build for this processor, for another one's; empty: the extension is loaded")
set(stub_files)
foreach(dialect IN ITEMS array onnx openvino tensorrt)
  list(APPEND stub_files ${dialect}.pyi)
endforeach()
list(TRANSFORM stub_files PREPEND ${PROJECT_BINARY_DIR}/python/windrow/ OUTPUT_VARIABLE stubs)
set(make_stubs ${Python_EXECUTABLE} ${PROJECT_SOURCE_DIR}/scripts/write_stubs.py ${stubs})
if(WINDROW_STUBS)
  list(TRANSFORM stub_files PREPEND ${WINDROW_STUBS}/)
  set(make_stubs ${CMAKE_COMMAND} -E copy ${stub_files} ${PROJECT_BINARY_DIR}/python/windrow)
endif()
add_custom_command(TARGET windrow_python POST_BUILD COMMAND ${make_stubs})
if(SKBUILD)
  install(TARGETS windrow_python DESTINATION windrow COMPONENT python)
  install(FILES ${stubs} DESTINATION windrow COMPONENT python)
  list(TRANSFORM plugin_headers PREPEND ${PROJECT_SOURCE_DIR}/include/windrow/)
  install(FILES ${plugin_headers} DESTINATION windrow/include/windrow COMPONENT python)
  list(TRANSFORM plugin_folders PREPEND ${PROJECT_SOURCE_DIR}/plugins/)
  install(DIRECTORY ${plugin_folders} DESTINATION windrow/plugins COMPONENT python)
endif()

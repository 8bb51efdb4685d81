# The libraries: windrow (the core), windrow_threads, windrow_models.

set(WINDROW_CORE_ROOMS base access dialects reference plan kernels execute pooling operators explain arrow c_api)
set(WINDROW_MODEL_ROOMS models formats ranges portability)

# windrow_room_sources(<variable> <room>...): the sources of these rooms under src/, without tests.
function(windrow_room_sources variable)
  set(sources)
  foreach(room IN LISTS ARGN)
    file(GLOB_RECURSE found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*.cc)
    list(APPEND sources ${found})
  endforeach()
  list(FILTER sources EXCLUDE REGEX "_test\\.cc$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# windrow_add_library(<target> <alias> <source>...): a library of that target, also called windrow::<alias>.
function(windrow_add_library target alias)
  add_library(${target} ${ARGN})
  add_library(windrow::${alias} ALIAS ${target})
  target_compile_features(${target} PUBLIC cxx_std_20)
  target_include_directories(
    ${target}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR})
  set_target_properties(
    ${target}
    PROPERTIES EXPORT_NAME ${alias}
               DEFINE_SYMBOL ""
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
endfunction()

find_package(hwy REQUIRED)
windrow_room_sources(core_sources ${WINDROW_CORE_ROOMS})
# A loop of a few instructions that lies across two cache lines takes a third longer, and any change elsewhere may
# move it there. Kernels have no stack protector and no checked memcpy: their buffers and copies have fixed sizes, so
# that the checks find nothing, and cost a call that moves a few hundred bytes more than hardening may.
windrow_room_sources(kernel_sources kernels)
set_source_files_properties(${kernel_sources} PROPERTIES COMPILE_OPTIONS
                                                         "-falign-loops=32;-fno-stack-protector;-Wp,-U_FORTIFY_SOURCE")
# What is shown to people, the slow witness, the rules and rows by which plans are compiled and what looks for duplicates
# are made small, not fast, as what runs once for a model is.
windrow_room_sources(small_core_sources explain reference dialects)
list(APPEND small_core_sources ${PROJECT_SOURCE_DIR}/src/c_api/operators.cc ${PROJECT_SOURCE_DIR}/src/execute/find_duplicates.cc
     ${PROJECT_SOURCE_DIR}/src/operators/dense_copies.cc ${PROJECT_SOURCE_DIR}/src/operators/operator_row.cc
     ${PROJECT_SOURCE_DIR}/src/plan/describe.cc)
set_source_files_properties(${small_core_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
windrow_add_library(windrow windrow ${core_sources})
target_compile_definitions(windrow PRIVATE WINDROW_VERSION="${PROJECT_VERSION}")
target_link_libraries(windrow PRIVATE hwy::hwy)

windrow_room_sources(threads_sources threads)
find_package(Threads REQUIRED)
windrow_add_library(windrow_threads threads ${threads_sources})
target_link_libraries(windrow_threads PUBLIC windrow::windrow PRIVATE Threads::Threads)

if(WINDROW_MODELS)
  # Debian's ONNX package names protobuf's target but does not look for it.
  find_package(Protobuf REQUIRED)
  find_package(ONNX REQUIRED)
  find_package(pugixml REQUIRED)
  find_package(ZLIB REQUIRED)
  windrow_room_sources(models_sources ${WINDROW_MODEL_ROOMS})
  # What runs once for a model or a file is made small, not fast: it is a large part of the wheel.
  windrow_room_sources(analysis_sources ranges portability)
  windrow_room_sources(format_sources formats)
  list(APPEND analysis_sources src/models/function_calls.cc src/models/inspect.cc)
  set_source_files_properties(${analysis_sources} ${format_sources} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-Os>)
  windrow_add_library(windrow_models models ${models_sources})
  target_link_libraries(windrow_models PUBLIC windrow::windrow PRIVATE onnx_proto protobuf::libprotobuf
                                                                       pugixml::pugixml ZLIB::ZLIB)
endif()

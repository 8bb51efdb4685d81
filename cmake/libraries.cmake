# The libraries: windrow (the core), windrow_threads, windrow_distributed, windrow_models, windrow_tables.

set(WINDROW_CORE_ROOMS base access dialects reference plan kernels execute pooling operators explain arrow row_cache c_api)
set(WINDROW_DISTRIBUTED_ROOMS distributed)
set(WINDROW_MODEL_ROOMS models formats ranges portability)
set(WINDROW_TABLE_ROOMS tables)

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

# windrow_read_together(<target>): the compiler reads several sources of a target at a time, which takes half as long. The
# names in the unnamed namespaces of a room therefore differ. Sources with options of their own are read alone.
function(windrow_read_together target)
  # Private parts of a class may be of a source's own types.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${WINDROW_UNITY} UNITY_BUILD_BATCH_SIZE 6)
endfunction()

# windrow_add_small(<library> <source>...): more sources of a library, which are made small, not fast.
function(windrow_add_small library)
  set(target ${library}_small)
  add_library(${target} OBJECT ${ARGN})
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-Os>)
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:${library},INCLUDE_DIRECTORIES>)
  windrow_read_together(${target})
  target_sources(${library} PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

# windrow_add_library_without(<target> <alias> <twin> <room>...): a library of these rooms, but for the source of that name,
# whose twin takes its place. A program that names it alone finds the library that it needs itself beside it.
function(windrow_add_library_without target alias twin)
  windrow_room_sources(sources ${ARGN})
  list(FILTER sources EXCLUDE REGEX "/${twin}\\.cc$")
  windrow_add_library(${target} ${alias} ${sources})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN")
  windrow_read_together(${target})
endfunction()

# What is shown to people, the slow witness, the rules and rows by which plans are compiled and what looks for duplicates
# are made small, not fast, as what runs once for a model is.
windrow_room_sources(small_core_sources explain reference dialects)
foreach(source IN ITEMS c_api/operators.cc execute/find_duplicates.cc operators/dense_copies.cc operators/operator_row.cc
                        plan/describe.cc)
  list(APPEND small_core_sources ${PROJECT_SOURCE_DIR}/src/${source})
endforeach()
windrow_room_sources(core_sources ${WINDROW_CORE_ROOMS})
list(REMOVE_ITEM core_sources ${small_core_sources})
# A loop that lies across two cache lines where it could lie in one takes up to a third longer, and any change elsewhere may
# move it there. Kernels have no stack protector and no checked memcpy: their buffers and copies have fixed sizes, so
# that the checks find nothing, and cost a call that moves a few hundred bytes more than hardening may.
windrow_room_sources(kernel_sources kernels)
set(kernel_options -falign-loops=64 -fno-stack-protector)
# g++ hands what a distribution gives as -Wp,-D to the preprocessor last.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND kernel_options -Wp,-U_FORTIFY_SOURCE)
else()
  list(APPEND kernel_options -U_FORTIFY_SOURCE)
endif()
# g++ leaves out `vzeroupper` where a kernel calls a function of its own file whose registers it knows. The upper halves then
# stay in use, and both the code that runs next and the next kernel wait for about a hundred nanoseconds.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND kernel_options -fno-ipa-ra)
endif()
set_source_files_properties(${kernel_sources} PROPERTIES COMPILE_OPTIONS "${kernel_options}")
windrow_add_library(windrow windrow ${core_sources})
windrow_read_together(windrow)
windrow_add_small(windrow ${small_core_sources})
target_compile_definitions(windrow PRIVATE WINDROW_VERSION="${PROJECT_VERSION}")
target_link_libraries(windrow PRIVATE hwy::hwy)

windrow_room_sources(threads_sources threads)
find_package(Threads REQUIRED)
windrow_add_library(windrow_threads threads ${threads_sources})
target_link_libraries(windrow_threads PUBLIC windrow::windrow PRIVATE Threads::Threads)

# Tables over ranks. A twin file takes the place of MPI where there is none.
if(WINDROW_MPI)
  find_package(MPI COMPONENTS C)
endif()
if(MPI_C_FOUND)
  message(STATUS "Distributed tables: with MPI ${MPI_C_VERSION}")
  set(missing_exchange exchange_absent)
else()
  message(STATUS "Distributed tables: without MPI")
  set(missing_exchange exchange_mpi)
endif()
windrow_add_library_without(windrow_distributed distributed ${missing_exchange} ${WINDROW_DISTRIBUTED_ROOMS})
target_link_libraries(windrow_distributed PUBLIC windrow::windrow PRIVATE Threads::Threads)
if(MPI_C_FOUND)
  # An outside project that links the static library need not look for MPI, which takes the language C.
  target_link_libraries(windrow_distributed PRIVATE $<BUILD_INTERFACE:MPI::MPI_C>
                                                    $<INSTALL_INTERFACE:${MPI_C_LIBRARIES}>)
endif()
# Read alone: it defines macros of MPI's header, and programs that do not use it do not take it from a static library.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/distributed/exchange_mpi.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

if(WINDROW_MODELS)
  # What runs once for a model or a file is made small, not fast: it is a large part of the wheel.
  windrow_room_sources(small_models_sources ranges portability formats)
  foreach(source IN ITEMS function_calls.cc inspect.cc)
    list(APPEND small_models_sources ${PROJECT_SOURCE_DIR}/src/models/${source})
  endforeach()
  windrow_room_sources(models_sources ${WINDROW_MODEL_ROOMS})
  list(REMOVE_ITEM models_sources ${small_models_sources})
  windrow_add_library(windrow_models models ${models_sources})
  target_link_libraries(windrow_models PUBLIC windrow::windrow PRIVATE pugixml::pugixml ZLIB::ZLIB)
  windrow_read_together(windrow_models)
  windrow_add_small(windrow_models ${small_models_sources})
  target_link_libraries(windrow_models_small PRIVATE windrow::windrow pugixml::pugixml ZLIB::ZLIB)

  # Tables on disk. A twin file takes the place of what the machine lacks.
  find_library(WINDROW_URING_LIBRARY NAMES liburing.a)
  find_path(WINDROW_URING_INCLUDE_DIR liburing.h)
  set(uring)
  set(missing_ring ring_absent)
  if(TARGET uring::uring)
    set(uring uring::uring)
    message(STATUS "Tables on disk: with io_uring, by liburing's sources")
  elseif(WINDROW_URING_LIBRARY AND WINDROW_URING_INCLUDE_DIR)
    set(uring $<BUILD_INTERFACE:${WINDROW_URING_LIBRARY}> $<INSTALL_INTERFACE:-luring>)
    message(STATUS "Tables on disk: with io_uring (${WINDROW_URING_LIBRARY})")
  else()
    set(missing_ring ring_uring)
    message(STATUS "Tables on disk: without io_uring, for which liburing is needed")
  endif()
  windrow_add_library_without(windrow_tables tables ${missing_ring} ${WINDROW_TABLE_ROOMS})
  target_link_libraries(windrow_tables PUBLIC windrow::windrow PRIVATE windrow::models Threads::Threads ${uring})
  if(uring AND NOT TARGET uring::uring)
    target_include_directories(windrow_tables SYSTEM PRIVATE ${WINDROW_URING_INCLUDE_DIR})
  endif()
endif()

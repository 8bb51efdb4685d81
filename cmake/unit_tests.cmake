# One executable per room: <room>_test of all src/<room>/**/*_test.cc.

include(cmake/test_programs.cmake)
foreach(room IN LISTS WINDROW_CORE_ROOMS WINDROW_MODEL_ROOMS WINDROW_TABLE_ROOMS
             WINDROW_DISTRIBUTED_ROOMS ITEMS threads)
  file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*_test.cc)
  set(needs_models FALSE)
  if(room IN_LIST WINDROW_MODEL_ROOMS OR room IN_LIST WINDROW_TABLE_ROOMS)
    set(needs_models TRUE)
  endif()
  if(NOT test_sources OR (needs_models AND NOT WINDROW_MODELS))
    continue()
  endif()
  add_executable(${room}_test ${test_sources})
  target_link_libraries(${room}_test PRIVATE windrow::windrow windrow::threads)
  if(room IN_LIST WINDROW_MODEL_ROOMS)
    target_link_libraries(${room}_test PRIVATE windrow::models)
  endif()
  if(room IN_LIST WINDROW_TABLE_ROOMS)
    target_link_libraries(${room}_test PRIVATE windrow::tables)
  endif()
  if(room IN_LIST WINDROW_DISTRIBUTED_ROOMS)
    target_link_libraries(${room}_test PRIVATE windrow::distributed Threads::Threads)
  endif()
  windrow_test_program(${room}_test unit.${room} 300)
endforeach()

# The plug-in for ONNX Runtime, as far as it needs none.
if(TARGET windrow_onnxruntime_objects)
  file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/onnxruntime/*_test.cc)
  add_executable(onnxruntime_plugin_test ${test_sources})
  target_include_directories(
    onnxruntime_plugin_test SYSTEM
    PRIVATE $<TARGET_PROPERTY:windrow_onnxruntime_objects,INCLUDE_DIRECTORIES>)
  target_link_libraries(onnxruntime_plugin_test PRIVATE windrow_onnxruntime_objects windrow::windrow)
  windrow_test_program(onnxruntime_plugin_test unit.onnxruntime_plugin 300)
endif()

if(TARGET windrow_xla_ffi)
  add_executable(jax_test ${PROJECT_SOURCE_DIR}/plugins/jax/pool_test.cc ${PROJECT_SOURCE_DIR}/plugins/jax/pool.cc)
  target_link_libraries(jax_test PRIVATE windrow_xla_ffi windrow::windrow)
  windrow_test_program(jax_test unit.jax 300)
endif()

# One executable per room: <room>_test of all src/<room>/**/*_test.cc.

find_package(GTest REQUIRED)
# Seconds; an emulated processor is fifty times slower.
set(unit_timeout 300)
if(CMAKE_CROSSCOMPILING)
  set(unit_timeout 3600)
endif()
foreach(room IN LISTS WINDROW_CORE_ROOMS WINDROW_MODEL_ROOMS WINDROW_TABLE_ROOMS ITEMS threads)
  file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${room}/*_test.cc)
  set(needs_models FALSE)
  if(room IN_LIST WINDROW_MODEL_ROOMS OR room IN_LIST WINDROW_TABLE_ROOMS)
    set(needs_models TRUE)
  endif()
  if(NOT test_sources OR (needs_models AND NOT WINDROW_MODELS))
    continue()
  endif()
  add_executable(${room}_test ${test_sources})
  target_include_directories(${room}_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${room}_test PRIVATE windrow::windrow windrow::threads GTest::gtest_main)
  if(room IN_LIST WINDROW_MODEL_ROOMS)
    target_link_libraries(${room}_test PRIVATE windrow::models onnx_proto protobuf::libprotobuf)
  endif()
  if(room IN_LIST WINDROW_TABLE_ROOMS)
    target_link_libraries(${room}_test PRIVATE windrow::tables)
  endif()
  add_test(NAME unit.${room} COMMAND ${room}_test)
  set_tests_properties(
    unit.${room}
    PROPERTIES TIMEOUT ${unit_timeout} LABELS unit
               ENVIRONMENT "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/reports/unit.${room}.xml")
endforeach()

# The plug-in for ONNX Runtime, as far as it needs none.
if(TARGET windrow_onnxruntime_objects)
  file(GLOB test_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/plugins/onnxruntime/*_test.cc)
  add_executable(onnxruntime_plugin_test ${test_sources})
  target_include_directories(
    onnxruntime_plugin_test SYSTEM
    PRIVATE $<TARGET_PROPERTY:windrow_onnxruntime_objects,INCLUDE_DIRECTORIES>)
  target_link_libraries(onnxruntime_plugin_test PRIVATE windrow_onnxruntime_objects windrow::windrow
                                                        GTest::gtest_main)
  add_test(NAME unit.onnxruntime_plugin COMMAND onnxruntime_plugin_test)
  set_tests_properties(
    unit.onnxruntime_plugin
    PROPERTIES TIMEOUT 300 LABELS unit
               ENVIRONMENT "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/reports/unit.onnxruntime_plugin.xml")
endif()

if(TARGET windrow_xla_ffi)
  add_executable(jax_test ${PROJECT_SOURCE_DIR}/plugins/jax/pool_test.cc ${PROJECT_SOURCE_DIR}/plugins/jax/pool.cc)
  target_include_directories(jax_test PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(jax_test PRIVATE windrow_xla_ffi windrow::windrow GTest::gtest_main)
  add_test(NAME unit.jax COMMAND jax_test)
  set_tests_properties(
    unit.jax
    PROPERTIES TIMEOUT 300 LABELS unit
               ENVIRONMENT "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/reports/unit.jax.xml")
endif()

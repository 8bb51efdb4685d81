# What test programs have in common.

find_package(GTest REQUIRED)

# It is compiled quickly: what is tested is in the libraries, which are as fast as ever. At -O1 g++ warns of bounds that
# code respects. -fpch-preprocess is for ccache.
function(windrow_compile_as_test target)
  target_link_libraries(${target} PRIVATE GTest::gtest_main)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>
                                           "$<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overflow;-fpch-preprocess>")
endfunction()

# What most tests include, read once for all of them.
add_executable(windrow_test_headers ${PROJECT_SOURCE_DIR}/cmake/test_headers.cc)
windrow_compile_as_test(windrow_test_headers)
target_precompile_headers(
  windrow_test_headers
  PRIVATE <gtest/gtest.h>
          <algorithm>
          <array>
          <cstdint>
          <cstring>
          <functional>
          <limits>
          <memory>
          <optional>
          <random>
          <string>
          <string_view>
          <utility>
          <vector>)

# windrow_test_program(<target> <test> <timeout>): registers an executable that uses GoogleTest as a test of that name with
# a limit of that many seconds; an emulated processor, fifty times slower, gets more.
function(windrow_test_program target test timeout)
  if(CMAKE_CROSSCOMPILING)
    math(EXPR timeout "${timeout} * 48")
  endif()
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  windrow_compile_as_test(${target})
  target_precompile_headers(${target} REUSE_FROM windrow_test_headers)
  add_test(NAME ${test} COMMAND ${target})
  set_tests_properties(
    ${test} PROPERTIES TIMEOUT ${timeout}
                       ENVIRONMENT "GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/reports/${test}.xml")
endfunction()

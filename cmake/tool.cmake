# The command `windrow`.

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
file(GLOB command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/windrow/*.cc)
list(FILTER command_sources EXCLUDE REGEX "(_test|/main)\\.cc$")
# A library, because the Python package has the command too.
add_library(windrow_command STATIC ${command_sources})
target_include_directories(windrow_command PUBLIC ${PROJECT_SOURCE_DIR})
# Text and files, a large part of the wheel: small, not fast.
target_compile_options(windrow_command PRIVATE $<$<CONFIG:Release>:-Os>)
target_link_libraries(
  windrow_command
  PUBLIC windrow::models
  PRIVATE windrow::threads CLI11::CLI11 fmt::fmt nlohmann_json::nlohmann_json)
add_executable(windrow_tool ${PROJECT_SOURCE_DIR}/tools/windrow/main.cc)
target_link_libraries(windrow_tool PRIVATE windrow_command)
set_target_properties(windrow_tool PROPERTIES OUTPUT_NAME windrow RUNTIME_OUTPUT_DIRECTORY
                                                                  ${PROJECT_BINARY_DIR}/bin)

# The command `windrow`.

find_package(CLI11 REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
file(GLOB tool_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/windrow/*.cc)
list(FILTER tool_sources EXCLUDE REGEX "_test\\.cc$")
add_executable(windrow_tool ${tool_sources})
target_include_directories(windrow_tool PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(windrow_tool PRIVATE windrow::models windrow::threads CLI11::CLI11 fmt::fmt
                                           nlohmann_json::nlohmann_json)
set_target_properties(windrow_tool PROPERTIES OUTPUT_NAME windrow RUNTIME_OUTPUT_DIRECTORY
                                                                  ${PROJECT_BINARY_DIR}/bin)

# The command `windrow`.

file(GLOB command_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tools/windrow/*.cc)
list(FILTER command_sources EXCLUDE REGEX "(_test|/main)\\.cc$")
# A library, because the Python package has the command too.
add_library(windrow_command STATIC ${command_sources})
windrow_read_together(windrow_command)
target_include_directories(windrow_command PUBLIC ${PROJECT_SOURCE_DIR})
# Text and files, a large part of the wheel: small, not fast.
target_compile_options(windrow_command PRIVATE $<$<CONFIG:Release>:-Os>)
target_link_libraries(
  windrow_command
  PUBLIC windrow::models CLI11::CLI11 nlohmann_json::nlohmann_json
  PRIVATE windrow::tables windrow::threads fmt::fmt)
add_executable(windrow_tool ${PROJECT_SOURCE_DIR}/tools/windrow/main.cc)
target_link_libraries(windrow_tool PRIVATE windrow_command)
target_compile_definitions(windrow_tool PRIVATE WINDROW_DATA_FOLDER="${CMAKE_INSTALL_DATADIR}")
set_target_properties(windrow_tool PROPERTIES OUTPUT_NAME windrow RUNTIME_OUTPUT_DIRECTORY
                                                                  ${PROJECT_BINARY_DIR}/bin)

# The build tree has the page where an installed command finds it; it may be made later.
if(WINDROW_PLAYGROUND_PAGE)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/windrow)
  file(CREATE_LINK ${WINDROW_PLAYGROUND_PAGE}
       ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_DATADIR}/windrow/playground.html SYMBOLIC)
endif()

# The manual page, made from the option tables of the command; a cross-compiled program can't run here.
if(NOT CMAKE_CROSSCOMPILING)
  add_executable(windrow_man_page ${PROJECT_SOURCE_DIR}/tools/man_page/main.cc)
  target_link_libraries(windrow_man_page PRIVATE windrow_command fmt::fmt)
  set(windrow_man_page_file ${PROJECT_BINARY_DIR}/share/man/man1/windrow.1)
  add_custom_command(
    OUTPUT ${windrow_man_page_file}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/share/man/man1
    COMMAND windrow_man_page > ${windrow_man_page_file}
    DEPENDS windrow_man_page
    VERBATIM)
  add_custom_target(windrow_manual ALL DEPENDS ${windrow_man_page_file})
endif()

# Runs PROGRAM; fails unless it exits with 0 and prints what SOURCE says in the lines after "// Output:".

file(READ ${SOURCE} expected)
string(FIND "${expected}" "// Output:\n" begin)
if(begin LESS 0)
  message(FATAL_ERROR "${SOURCE} does not say what it prints")
endif()
string(SUBSTRING "${expected}" ${begin} -1 expected)
string(REPLACE "// Output:\n" "" expected "${expected}")
string(REGEX REPLACE "(^|\n)// ?" "\\1" expected "${expected}")

execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "exit code ${code} after:\n${printed}")
endif()
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "printed:\n${printed}\nexpected:\n${expected}")
endif()

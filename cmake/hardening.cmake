# What makes a fault harder to exploit, in libraries, the command and the Python extension: stack protector, checked
# calls of the C library, addresses of functions read-only once loaded, and marks of legal jump targets. Left out under
# sanitizers, which look at the same places. tests/outside/test_hardening.py reads all of it from the binaries.

option(WINDROW_HARDENING "Stack protector, FORTIFY, full RELRO and CET, where the compiler has them" ON)
if(NOT WINDROW_HARDENING OR CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  return()
endif()

include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)
foreach(flag IN ITEMS -fstack-protector-strong -fcf-protection=full)
  string(MAKE_C_IDENTIFIER "WINDROW_HAS${flag}" known)
  check_cxx_compiler_flag(${flag} ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
# Needs optimisation.
add_compile_options("$<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=2>")
foreach(flag IN ITEMS relro now noexecstack)
  check_linker_flag(CXX "LINKER:-z,${flag}" WINDROW_HAS_Z_${flag})
  if(WINDROW_HAS_Z_${flag})
    add_link_options("LINKER:-z,${flag}")
  endif()
endforeach()

# Programs at addresses of chance.
include(CheckPIESupported)
check_pie_supported(OUTPUT_VARIABLE windrow_pie_output LANGUAGES CXX)

#include <cstddef>
#include <cstdlib>
#include <exception>
#include <new>
#include <typeinfo>

#include "playground/answer.h"
#include "windrow/status.h"

// The C++ library of this target has no unwinder, so that nothing is ever caught: what is thrown
// becomes the answer, and the module ends in a trap. The page then drops this instance of the
// module and makes a new one, which is what catching at the outermost call would do.

using windrow::playground::set_failure;

extern "C" {

// As the Itanium C++ ABI names them; the compiler calls both for a `throw`.
void* __cxa_allocate_exception(std::size_t bytes) noexcept {
  void* const memory = std::malloc(bytes);
  if (memory == nullptr) __builtin_trap();
  return memory;
}

[[noreturn]] void __cxa_throw(void* thrown, std::type_info* type, void (*)(void*)) {
  if (*type == typeid(windrow::Error))
    set_failure(static_cast<const windrow::Error*>(thrown)->status());
  else if (*type == typeid(std::bad_alloc) || *type == typeid(std::bad_array_new_length))
    set_failure(windrow::Status(windrow::ErrorCode::kOutOfMemory, "not enough memory"));
  else
    set_failure(windrow::Status(windrow::ErrorCode::kInternal, type->name()));
  __builtin_trap();
}

}  // extern "C"

#include "python/src/jax_handler.h"

#include "plugins/jax/handler.h"

namespace nb = nanobind;

namespace windrow::python {

void bind_jax_handler(nb::module_& module) {
  module.def("jax_handler", []() -> nb::object {
    void* const handler = jax::ffi_handler();
    if (handler == nullptr) return nb::none();
    return nb::capsule(handler);
  });
}

}  // namespace windrow::python

#ifndef WINDROW_PYTHON_MODULE_H_
#define WINDROW_PYTHON_MODULE_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Adds jax_handler(): the function that XLA calls, in a capsule for jax.ffi.register_ffi_target(),
// or None if the package was built without the JAX plug-in.
void bind_jax_handler(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_MODULE_H_

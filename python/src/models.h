#ifndef WINDROW_PYTHON_MODELS_H_
#define WINDROW_PYTHON_MODELS_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Models as the package's Python class wraps them; their contents are plain Python values.
void bind_models(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_MODELS_H_

#ifndef WINDROW_PYTHON_FOREIGN_VALUES_H_
#define WINDROW_PYTHON_FOREIGN_VALUES_H_

#include <nanobind/nanobind.h>

#include "windrow/models.h"

namespace windrow::python {

// InferOptions::infer_others by a Python function that takes onnx_skeleton() as bytes, and gives
// rows (path of the graph, name, dtype or None, dims or None) and a text, which says what failed
// and is empty else. The GIL need not be held; a Python error ends as nanobind::python_error.
Result<GraphValueInfos> ask_python(const nanobind::handle& function, const Model& model);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FOREIGN_VALUES_H_

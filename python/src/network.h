#ifndef WINDROW_PYTHON_NETWORK_H_
#define WINDROW_PYTHON_NETWORK_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds windrow::nvinfer1 as the submodule `network`, on which the package windrow.trt is built.
void bind_network(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_H_

#ifndef WINDROW_PYTHON_NETWORK_H_
#define WINDROW_PYTHON_NETWORK_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds windrow::nvinfer1 as the submodule `network`, on which the package windrow.trt is built.
void bind_network(nanobind::module_& module);

// Builder, IBuilderConfig and IOptimizationProfile.
void bind_builder(nanobind::module_& module);

// TensorRT's objects are context managers. Here they need no management: `with` returns the object
// itself and does nothing at its end.
template <class Class>
void bind_context(Class& bound) {
  bound.def("__enter__", [](nanobind::object self) { return self; });
  bound.def("__exit__", [](nanobind::handle /*self*/, const nanobind::args& /*exception*/) {});
}

// ILogger, from which Python classes derive, and its Severity. An exception raised by log() becomes
// an unraisable exception (sys.unraisablehook), because the calls that log cannot fail.
void bind_logger(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_H_

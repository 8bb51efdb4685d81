#ifndef WINDROW_PYTHON_NETWORK_BUILDER_H_
#define WINDROW_PYTHON_NETWORK_BUILDER_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Builder, IBuilderConfig and IOptimizationProfile.
void bind_builder(nanobind::module_& module);

// TensorRT's objects are context managers. Here they need no management: `with` returns the object
// itself and does nothing at its end.
template <class Class>
void bind_context(Class& bound) {
  bound.def("__enter__", [](nanobind::object self) { return self; });
  bound.def("__exit__", [](nanobind::handle /*self*/, const nanobind::args& /*exception*/) {});
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_BUILDER_H_

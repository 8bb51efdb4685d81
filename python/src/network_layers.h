#ifndef WINDROW_PYTHON_NETWORK_LAYERS_H_
#define WINDROW_PYTHON_NETWORK_LAYERS_H_

#include <nanobind/nanobind.h>

#include "windrow/nvinfer.h"

namespace windrow::python {

// ITensor, ILayer and the class of each kind of layer.
void bind_layers(nanobind::module_& module);

// The Python object of a layer, of the class of its kind. It keeps the layer's network alive. None
// for null.
nanobind::object to_python(nvinfer1::ILayer* layer, nanobind::handle network);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_LAYERS_H_

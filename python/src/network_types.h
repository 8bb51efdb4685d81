#ifndef WINDROW_PYTHON_NETWORK_TYPES_H_
#define WINDROW_PYTHON_NETWORK_TYPES_H_

#include <nanobind/nanobind.h>

#include <string>

#include "windrow/dtype.h"
#include "windrow/nvinfer_types.h"

// Conversions of the plain types of TensorRT's network interface between Python and C++.
namespace windrow::python {

// Binds the enumerations, and type_name(DataType), the library's own name of a type.
void bind_network_types(nanobind::module_& module);

DType dtype_of(nvinfer1::DataType type) noexcept;
// Throws windrow::Error (kType) for a type that TensorRT does not have. `what` names the value in
// the message.
nvinfer1::DataType data_type_of(DType type, const std::string& what);

// Converts a windrow.trt.Dims, or anything from which one can be made. Throws Python errors.
nvinfer1::Dims dims_of(nanobind::handle shape);
// A new windrow.trt.Dims.
nanobind::object to_python(const nvinfer1::Dims& dims);

// The text of an argument. Throws a ValueError if it has a zero byte, at which C++ would stop
// reading.
const char* c_text(const std::string& text);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_TYPES_H_

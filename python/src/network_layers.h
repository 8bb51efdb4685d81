#ifndef WINDROW_PYTHON_NETWORK_LAYERS_H_
#define WINDROW_PYTHON_NETWORK_LAYERS_H_

#include <nanobind/nanobind.h>

#include <memory>
#include <string>

#include "windrow/dtype.h"
#include "windrow/nvinfer.h"
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

// The memory of a constant's weights: the array's own, or a row-major copy if the array's elements
// are in another order or of 4 bits.
class KeptWeights {
 public:
  // Takes an array or a windrow.trt.Weights. Throws windrow::Error (kType, kShape) or a Python
  // error.
  explicit KeptWeights(nanobind::handle weights);
  KeptWeights(const KeptWeights&) = delete;
  KeptWeights& operator=(const KeptWeights&) = delete;
  ~KeptWeights();

  nvinfer1::Weights weights() const noexcept { return weights_; }

 private:
  struct Owner;

  std::unique_ptr<Owner> owner_;
  nvinfer1::Weights weights_;
};

// Keeps weights alive as long as the Python object of a network.
void keep_weights(nanobind::handle network, std::unique_ptr<KeptWeights> weights);

// Registers the network of a constant, for which TensorRT's interface has no function.
void register_constant(nanobind::handle network, const nvinfer1::IConstantLayer& layer);
// The Python object of the network of a registered constant.
nanobind::object network_of(const nvinfer1::IConstantLayer& layer);

// A new one-axis array with the elements of weights.
nanobind::object to_python(const nvinfer1::Weights& weights);

// ITensor, ILayer and the class of each kind of layer.
void bind_layers(nanobind::module_& module);

// The Python object of a layer, of the class of its kind. It keeps the layer's network alive. None
// for null.
nanobind::object to_python(nvinfer1::ILayer* layer, nanobind::handle network);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_LAYERS_H_

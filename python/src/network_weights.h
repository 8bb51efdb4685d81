#ifndef WINDROW_PYTHON_NETWORK_WEIGHTS_H_
#define WINDROW_PYTHON_NETWORK_WEIGHTS_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "windrow/nvinfer.h"

namespace windrow::python {

// The memory of a constant's weights: that of the array itself, or a row-major copy where the
// array's elements lie in another order or are of 4 bits.
class KeptWeights {
 public:
  // Of an array, or of a windrow.trt.Weights. Throws windrow::Error (kType, kShape) or a Python
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

// Lets weights live as long as the Python object of a network.
void keep_weights(nanobind::handle network, std::unique_ptr<KeptWeights> weights);

// Remembers the network of a constant, which TensorRT's interface does not tell.
void register_constant(nanobind::handle network, const nvinfer1::IConstantLayer& layer);
// The Python object of the network of a registered constant.
nanobind::object network_of(const nvinfer1::IConstantLayer& layer);

// A new array with the elements of weights, of one axis.
nanobind::object to_python(const nvinfer1::Weights& weights);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_WEIGHTS_H_

#ifndef WINDROW_PYTHON_NETWORK_WEIGHTS_H_
#define WINDROW_PYTHON_NETWORK_WEIGHTS_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "windrow/nvinfer.h"

namespace windrow::python {

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

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_WEIGHTS_H_

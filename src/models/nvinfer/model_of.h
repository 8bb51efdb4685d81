#ifndef WINDROW_MODELS_NVINFER_MODEL_OF_H_
#define WINDROW_MODELS_NVINFER_MODEL_OF_H_

#include <vector>

#include "src/models/nvinfer/network.h"

namespace windrow::nvinfer1::internal {

// The model with every input of a network, the tensors of `outputs` and the layers that they need.
// Errors: as of to_model.
Result<Model> model_of(const Network& network, const std::vector<const NetworkTensor*>& outputs);

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_MODEL_OF_H_

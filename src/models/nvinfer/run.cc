#include "src/models/nvinfer/model_of.h"

namespace windrow::nvinfer1 {

Result<Model> to_model(const INetworkDefinition& network) {
  // There is no other class of networks.
  const auto& own = static_cast<const internal::Network&>(network);
  if (own.outputs().empty())
    return Status(ErrorCode::kInvalidArgument,
                  "the network has no output; markOutput says what one is");
  return internal::model_of(own, {own.outputs().begin(), own.outputs().end()});
}

Result<NamedTensors> run(const INetworkDefinition& network, const NamedViews& inputs,
                         const ModelRunOptions& options) {
  const Result<Model> model = to_model(network);
  if (!model) return model.error();
  return model->run(inputs, options);
}

}  // namespace windrow::nvinfer1

#include "src/models/nvinfer/layer_node.h"

#include "src/models/nvinfer/network.h"
#include "windrow/tensorrt.h"

namespace windrow::nvinfer1::internal {

LayerNode::LayerNode(Network& network, const char* kind, std::string name,
                     std::vector<NetworkTensor*> inputs)
    : network_(network),
      kind_(kind),
      name_(std::move(name)),
      inputs_(std::move(inputs)),
      output_(std::make_unique<NetworkTensor>(network, name_ + "_output", *this)) {}

void LayerNode::set_name(char const* name) noexcept {
  if (network_.check_name("ILayer::setName", name)) name_ = name;
}

bool LayerNode::check(const char* call, const std::string& fault) const noexcept {
  return network_.check(std::string(call) + ": layer '" + name_ + "'", fault);
}

void LayerNode::set_metadata(char const* metadata) noexcept {
  if (check("ILayer::setMetadata", metadata == nullptr ? "the text is null" : ""))
    metadata_ = metadata;
}

void LayerNode::set_input(std::int32_t index, ITensor& tensor) noexcept {
  if (index < 0 || static_cast<std::size_t>(index) >= inputs_.size())
    return network_.error("ILayer::setInput: layer '" + name_ + "' has no input " +
                          std::to_string(index));
  NetworkTensor* const found = network_.own("ILayer::setInput", "tensor", tensor);
  if (found != nullptr) inputs_[static_cast<std::size_t>(index)] = found;
}

Status LayerNode::add_to(Model& model, const ValueNames& name_of) const {
  ModelNode& node = model.nodes.emplace_back();
  node.name = name_;
  node.op_type = kind_;
  for (const NetworkTensor* input : inputs_) node.inputs.push_back(name_of(*input));
  node.outputs = {name_of(*output_)};
  node.attributes = attributes();
  node.version = tensorrt::kNewestRelease;
  return {};
}

}  // namespace windrow::nvinfer1::internal

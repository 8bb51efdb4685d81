#include "src/models/nvinfer/layers.h"

#include "src/models/nvinfer/network.h"
#include "src/models/nvinfer/network_tensor.h"
#include "src/models/value_info.h"
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

namespace {

using windrow::internal::text_of;

// Indexed by the enumerators' values.
constexpr const char* kGatherModes[] = {"DEFAULT", "ELEMENT", "ND"};
constexpr const char* kScatterModes[] = {"ELEMENT", "ND"};

}  // namespace

void GatherLayer::setMode(GatherMode mode) noexcept {
  if (check("IGatherLayer::setMode", fault_of(mode))) mode_ = mode;
}

Attributes GatherLayer::attributes() const {
  return {{"mode", std::string(kGatherModes[static_cast<std::size_t>(mode_)])},
          {"axis", std::int64_t{axis_}},
          {"num_elementwise_dims", std::int64_t{element_wise_dims_}}};
}

void ScatterLayer::setMode(ScatterMode mode) noexcept {
  if (check("IScatterLayer::setMode", fault_of(mode))) mode_ = mode;
}

Attributes ScatterLayer::attributes() const {
  return {{"mode", std::string(kScatterModes[static_cast<std::size_t>(mode_)])},
          {"axis", std::int64_t{axis_}}};
}

Attributes OneHotLayer::attributes() const { return {{"axis", std::int64_t{axis_}}}; }

bool KVCacheUpdateLayer::setCacheMode(KVCacheMode mode) noexcept {
  return check("IKVCacheUpdateLayer::setCacheMode", fault_of(mode));
}

Attributes KVCacheUpdateLayer::attributes() const { return {{"mode", std::string("LINEAR")}}; }

void CastLayer::setToType(DataType type) noexcept {
  if (check("ICastLayer::setToType", fault_of(type))) type_ = type;
}

Attributes CastLayer::attributes() const {
  return {{"to_type", std::string(dtype_name(*dtype_of(type_)))}};
}

std::string ConstantLayer::fault_of_weights(const Weights& weights) {
  if (!dtype_of(weights.type))
    return text_of({"the weights have type ", static_cast<std::int32_t>(weights.type),
                    ", which does not exist"});
  if (weights.count < 0)
    return text_of({"the count of weights is ", weights.count, ", must not be negative"});
  if (weights.count > 0 && weights.values == nullptr)
    return text_of({weights.count, " weights are at no address"});
  return {};
}

std::string ConstantLayer::fault_of_count(const Dims& dimensions, const Weights& weights) {
  const std::optional<std::int64_t> needed = element_count(to_shape(dimensions));
  if (needed == weights.count) return {};
  return text_of({"there are ", weights.count, " weights, dimensions ", to_shape(dimensions),
                  " hold ", needed ? std::to_string(*needed) : "too many"});
}

void ConstantLayer::setWeights(Weights weights) noexcept {
  if (check("IConstantLayer::setWeights", fault_of_weights(weights))) weights_ = weights;
}

void ConstantLayer::setDimensions(Dims const& dimensions) noexcept {
  if (check("IConstantLayer::setDimensions", fault_of(dimensions, 0))) dimensions_ = dimensions;
}

Status ConstantLayer::add_to(Model& model, const ValueNames& name_of) const {
  const std::string fault = fault_of_count(dimensions_, weights_);
  if (!fault.empty()) return {ErrorCode::kShape, "layer '" + name() + "': " + fault};
  // Constants are only read.
  void* const values = const_cast<void*>(weights_.values);
  model.constants[name_of(output())] =
      Tensor::adopt(*dtype_of(weights_.type), to_shape(dimensions_), values, nullptr);
  return {};
}

}  // namespace windrow::nvinfer1::internal

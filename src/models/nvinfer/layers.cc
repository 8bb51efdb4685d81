#include "src/models/nvinfer/layers.h"

#include "src/models/nvinfer/network.h"
#include "src/models/nvinfer/types.h"

namespace windrow::nvinfer1::internal {
namespace {

// By the enumerators' values.
constexpr const char* kGatherModes[] = {"DEFAULT", "ELEMENT", "ND"};
constexpr const char* kScatterModes[] = {"ELEMENT", "ND"};

template <class Mode>
std::string no_mode(const LayerNode& layer, Mode mode) {
  return "layer '" + layer.name() + "': there is no mode " +
         std::to_string(static_cast<std::int32_t>(mode));
}

}  // namespace

bool exists(GatherMode mode) noexcept {
  return mode >= GatherMode::kDEFAULT && mode <= GatherMode::kND;
}

bool exists(ScatterMode mode) noexcept {
  return mode == ScatterMode::kELEMENT || mode == ScatterMode::kND;
}

bool exists(KVCacheMode mode) noexcept { return mode == KVCacheMode::kLINEAR; }

void GatherLayer::setMode(GatherMode mode) noexcept {
  if (!exists(mode)) return network().error("IGatherLayer::setMode: " + no_mode(*this, mode));
  mode_ = mode;
}

Status GatherLayer::add_to(Model& model, const ValueNames& name_of) const {
  Attributes attributes = {{"mode", std::string(kGatherModes[static_cast<std::size_t>(mode_)])},
                           {"axis", std::int64_t{axis_}},
                           {"num_elementwise_dims", std::int64_t{element_wise_dims_}}};
  model.nodes.push_back(node(kKind, std::move(attributes), name_of));
  return {};
}

void ScatterLayer::setMode(ScatterMode mode) noexcept {
  if (!exists(mode)) return network().error("IScatterLayer::setMode: " + no_mode(*this, mode));
  mode_ = mode;
}

Status ScatterLayer::add_to(Model& model, const ValueNames& name_of) const {
  Attributes attributes = {{"mode", std::string(kScatterModes[static_cast<std::size_t>(mode_)])},
                           {"axis", std::int64_t{axis_}}};
  model.nodes.push_back(node(kKind, std::move(attributes), name_of));
  return {};
}

Status OneHotLayer::add_to(Model& model, const ValueNames& name_of) const {
  model.nodes.push_back(node(kKind, {{"axis", std::int64_t{axis_}}}, name_of));
  return {};
}

bool KVCacheUpdateLayer::setCacheMode(KVCacheMode mode) noexcept {
  if (exists(mode)) return true;
  network().error("IKVCacheUpdateLayer::setCacheMode: " + no_mode(*this, mode));
  return false;
}

Status KVCacheUpdateLayer::add_to(Model& model, const ValueNames& name_of) const {
  model.nodes.push_back(node(kKind, {{"mode", std::string("LINEAR")}}, name_of));
  return {};
}

void CastLayer::setToType(DataType type) noexcept {
  if (!dtype_of(type))
    return network().error("ICastLayer::setToType: layer '" + name() + "': there is no type " +
                           std::to_string(static_cast<std::int32_t>(type)));
  type_ = type;
}

Status CastLayer::add_to(Model& model, const ValueNames& name_of) const {
  Attributes attributes = {{"to_type", std::string(dtype_name(*dtype_of(type_)))}};
  model.nodes.push_back(node(kKind, std::move(attributes), name_of));
  return {};
}

std::string ConstantLayer::fault_of_weights(const Weights& weights) {
  if (!dtype_of(weights.type))
    return "the weights have type " + std::to_string(static_cast<std::int32_t>(weights.type)) +
           ", which does not exist";
  if (weights.count < 0)
    return "the count of weights is " + std::to_string(weights.count) + ", must not be negative";
  if (weights.count > 0 && weights.values == nullptr)
    return std::to_string(weights.count) + " weights are at no address";
  return {};
}

std::string ConstantLayer::fault_of_count(const Dims& dimensions, const Weights& weights) {
  const std::optional<std::int64_t> needed = element_count(to_shape(dimensions));
  if (needed == weights.count) return {};
  return "there are " + std::to_string(weights.count) + " weights, dimensions " +
         to_text(dimensions) + " hold " + (needed ? std::to_string(*needed) : "too many");
}

void ConstantLayer::setWeights(Weights weights) noexcept {
  const std::string fault = fault_of_weights(weights);
  if (!fault.empty())
    return network().error("IConstantLayer::setWeights: layer '" + name() + "': " + fault);
  weights_ = weights;
}

void ConstantLayer::setDimensions(Dims const& dimensions) noexcept {
  const std::string fault = fault_of(dimensions, 0);
  if (!fault.empty())
    return network().error("IConstantLayer::setDimensions: layer '" + name() + "': " + fault);
  dimensions_ = dimensions;
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

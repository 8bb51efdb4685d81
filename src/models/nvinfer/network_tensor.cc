#include "src/models/nvinfer/network_tensor.h"

#include "src/models/nvinfer/network.h"
#include "src/models/nvinfer/types.h"

namespace windrow::nvinfer1::internal {

NetworkTensor::NetworkTensor(Network& network, std::string name, const LayerNode& producer)
    : network_(network), name_(std::move(name)), producer_(&producer) {}

void NetworkTensor::setName(char const* name) noexcept {
  if (network_.check_name("ITensor::setName", name)) name_ = name;
}

void NetworkTensor::setDimensions(Dims const& dimensions) noexcept {
  if (!isNetworkInput())
    return network_.error("ITensor::setDimensions: '" + name_ +
                          "' is not a network input: its dimensions follow from its layer");
  if (network_.check("ITensor::setDimensions: '" + name_ + "'", fault_of(dimensions, -1)))
    dimensions_ = dimensions;
}

Dims NetworkTensor::getDimensions() const noexcept {
  return isNetworkInput() ? dimensions_ : network_.infer_dimensions(*this);
}

DataType NetworkTensor::getType() const noexcept {
  const NetworkTensor* tensor = this;
  // There are at most as many steps as layers, unless layers depend on themselves.
  for (std::int32_t steps = network_.getNbLayers(); tensor->producer_ != nullptr; --steps) {
    const NetworkTensor* const source = tensor->producer_->type_source();
    if (source == nullptr || steps == 0) return tensor->producer_->own_type();
    tensor = source;
  }
  return tensor->type_;
}

bool NetworkTensor::isNetworkOutput() const noexcept { return network_.is_output(*this); }

bool NetworkTensor::has_named_dimension(std::int32_t index) const noexcept {
  return isNetworkInput() && index >= 0 && index < dimensions_.nbDims;
}

void NetworkTensor::setDimensionName(std::int32_t index, char const* name) noexcept {
  if (!has_named_dimension(index))
    return network_.error("ITensor::setDimensionName: '" + name_ +
                          "' is not a network input with a dimension " + std::to_string(index));
  dimension_names_[static_cast<std::size_t>(index)] = name == nullptr ? "" : name;
}

char const* NetworkTensor::getDimensionName(std::int32_t index) const noexcept {
  if (!has_named_dimension(index)) return nullptr;
  const std::string& name = dimension_names_[static_cast<std::size_t>(index)];
  return name.empty() ? nullptr : name.c_str();
}

ValueInfo NetworkTensor::declared() const {
  ValueInfo info{name_, *dtype_of(type_), std::vector<Dim>()};
  for (std::int32_t axis = 0; axis < dimensions_.nbDims; ++axis)
    info.dims->push_back({dimensions_.d[axis], dimension_names_[static_cast<std::size_t>(axis)]});
  return info;
}

}  // namespace windrow::nvinfer1::internal

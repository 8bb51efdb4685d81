#include "src/models/nvinfer/network_tensor.h"

#include <algorithm>

#include "src/models/nvinfer/network.h"
#include "src/models/value_info.h"

namespace windrow::nvinfer1::internal {
namespace {

using windrow::internal::text_of;

// Indexed by the enumerators' values.
constexpr DType kTypes[] = {DType::kFloat32,      DType::kFloat16,    DType::kInt8,
                            DType::kInt32,        DType::kBool,       DType::kUint8,
                            DType::kFloat8E4M3FN, DType::kBFloat16,   DType::kInt64,
                            DType::kInt4,         DType::kFloat4E2M1, DType::kFloat8E8M0};

template <class Enumerator>
std::string fault_unless(bool exists, const char* what, Enumerator value) {
  if (exists) return {};
  return text_of({"there is no ", what, " ", static_cast<std::int32_t>(value)});
}

Dims no_dims(std::int64_t extent) noexcept {
  Dims dims;
  dims.nbDims = -1;
  std::fill(std::begin(dims.d), std::end(dims.d), extent);
  return dims;
}

}  // namespace

std::optional<DType> dtype_of(DataType type) noexcept {
  const auto value = static_cast<std::int64_t>(type);
  if (value < 0 || value >= std::ssize(kTypes)) return std::nullopt;
  return kTypes[value];
}

std::string fault_of(DataType type) {
  return fault_unless(dtype_of(type).has_value(), "type", type);
}

std::string fault_of(GatherMode mode) {
  return fault_unless(mode >= GatherMode::kDEFAULT && mode <= GatherMode::kND, "mode", mode);
}

std::string fault_of(ScatterMode mode) {
  return fault_unless(mode == ScatterMode::kELEMENT || mode == ScatterMode::kND, "mode", mode);
}

std::string fault_of(KVCacheMode mode) {
  return fault_unless(mode == KVCacheMode::kLINEAR, "mode", mode);
}

std::string fault_of(const Dims& dims, std::int64_t lowest) {
  if (dims.nbDims < 0 || dims.nbDims > Dims::MAX_DIMS)
    return text_of({"there are ", dims.nbDims, " dimensions, must be 0 to 8"});
  for (std::int32_t axis = 0; axis < dims.nbDims; ++axis) {
    if (dims.d[axis] < lowest)
      return text_of({"dimension ", axis, " is ", dims.d[axis], ", must be at least ", lowest});
  }
  return {};
}

Dims invalid_dims() noexcept { return no_dims(0); }

Dims unknown_dims() noexcept { return no_dims(-1); }

Dims to_dims(const SymbolicShape& shape) noexcept {
  if (!shape) return unknown_dims();
  Dims dims = no_dims(0);
  dims.nbDims = static_cast<std::int32_t>(shape->size());
  std::transform(shape->begin(), shape->end(), dims.d, [](const Dim& dim) { return dim.value; });
  return dims;
}

Shape to_shape(const Dims& dims) noexcept {
  return Shape(std::span<const std::int64_t>(dims.d, static_cast<std::size_t>(dims.nbDims)));
}

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

#ifndef WINDROW_MODELS_NVINFER_NETWORK_TENSOR_H_
#define WINDROW_MODELS_NVINFER_NETWORK_TENSOR_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "windrow/nvinfer.h"

// Conversion between TensorRT's types and dimensions and the library's own.
namespace windrow::nvinfer1::internal {

// Nothing if there is no such enumerator.
std::optional<DType> dtype_of(DataType type) noexcept;

// "there is no mode 7"; empty if there is such an enumerator.
std::string fault_of(DataType type);
std::string fault_of(GatherMode mode);
std::string fault_of(ScatterMode mode);
std::string fault_of(KVCacheMode mode);

// What is wrong with these dimensions: a rank outside [0, 8], or an extent below `lowest`. Empty if
// nothing is wrong.
std::string fault_of(const Dims& dims, std::int64_t lowest);

// The dimensions of a tensor whose layer is wrong, and of one whose rank is unknown.
Dims invalid_dims() noexcept;
Dims unknown_dims() noexcept;

// The dimensions that inference found. Precondition: a rank of at most 8.
Dims to_dims(const SymbolicShape& shape) noexcept;

// Precondition: fault_of(dims, 0) is empty.
Shape to_shape(const Dims& dims) noexcept;

class LayerNode;
class Network;

// A value of a network: an input, or the output of a layer.
class NetworkTensor final : public ITensor {
 public:
  // An input. Precondition: the type exists, and the dimensions have no fault.
  NetworkTensor(Network& network, std::string name, DataType type, const Dims& dimensions)
      : network_(network), name_(std::move(name)), type_(type), dimensions_(dimensions) {}
  // A layer's output.
  NetworkTensor(Network& network, std::string name, const LayerNode& producer);

  void setName(char const* name) noexcept override;
  char const* getName() const noexcept override { return name_.c_str(); }
  void setDimensions(Dims const& dimensions) noexcept override;
  Dims getDimensions() const noexcept override;
  DataType getType() const noexcept override;
  bool isNetworkInput() const noexcept override { return producer_ == nullptr; }
  bool isNetworkOutput() const noexcept override;
  void setDimensionName(std::int32_t index, char const* name) noexcept override;
  char const* getDimensionName(std::int32_t index) const noexcept override;

  const std::string& name() const noexcept { return name_; }
  // Null for an input.
  const LayerNode* producer() const noexcept { return producer_; }
  // The declaration of an input.
  ValueInfo declared() const;

 private:
  bool has_named_dimension(std::int32_t index) const noexcept;

  Network& network_;
  std::string name_;
  const LayerNode* producer_ = nullptr;
  DataType type_ = DataType::kFLOAT;  // of an input
  Dims dimensions_{};                 // of an input
  std::array<std::string, Dims::MAX_DIMS> dimension_names_;
};

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_NETWORK_TENSOR_H_

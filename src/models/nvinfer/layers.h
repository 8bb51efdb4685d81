#ifndef WINDROW_MODELS_NVINFER_LAYERS_H_
#define WINDROW_MODELS_NVINFER_LAYERS_H_

#include "src/models/nvinfer/layer_node.h"

// One class for each kind of layer: its settings, and its node in a model.
namespace windrow::nvinfer1::internal {

class GatherLayer final : public LayerOf<IGatherLayer, LayerType::kGATHER> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "Gather";

  void setGatherAxis(std::int32_t axis) noexcept override { axis_ = axis; }
  std::int32_t getGatherAxis() const noexcept override { return axis_; }
  void setNbElementWiseDims(std::int32_t count) noexcept override { element_wise_dims_ = count; }
  std::int32_t getNbElementWiseDims() const noexcept override { return element_wise_dims_; }
  void setMode(GatherMode mode) noexcept override;
  GatherMode getMode() const noexcept override { return mode_; }
  Attributes attributes() const override;

 private:
  GatherMode mode_ = GatherMode::kDEFAULT;
  std::int32_t axis_ = 0;
  std::int32_t element_wise_dims_ = 0;
};

class ScatterLayer final : public LayerOf<IScatterLayer, LayerType::kSCATTER> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "Scatter";

  void setMode(ScatterMode mode) noexcept override;
  ScatterMode getMode() const noexcept override { return mode_; }
  void setAxis(std::int32_t axis) noexcept override { axis_ = axis; }
  std::int32_t getAxis() const noexcept override { return axis_; }
  Attributes attributes() const override;

 private:
  ScatterMode mode_ = ScatterMode::kELEMENT;
  std::int32_t axis_ = 0;
};

class OneHotLayer final : public LayerOf<IOneHotLayer, LayerType::kONE_HOT> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "OneHot";

  void setAxis(std::int32_t axis) noexcept override { axis_ = axis; }
  std::int32_t getAxis() const noexcept override { return axis_; }
  const NetworkTensor* type_source() const noexcept override { return inputs()[1]; }
  Attributes attributes() const override;

 private:
  std::int32_t axis_ = -1;
};

class KVCacheUpdateLayer final : public LayerOf<IKVCacheUpdateLayer, LayerType::kKVCACHE_UPDATE> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "KVCacheUpdate";

  bool setCacheMode(KVCacheMode mode) noexcept override;
  KVCacheMode getCacheMode() const noexcept override { return KVCacheMode::kLINEAR; }
  Attributes attributes() const override;
};

class CastLayer final : public LayerOf<ICastLayer, LayerType::kCAST> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "Cast";

  void setToType(DataType type) noexcept override;
  DataType getToType() const noexcept override { return type_; }
  const NetworkTensor* type_source() const noexcept override { return nullptr; }
  DataType own_type() const noexcept override { return type_; }
  Attributes attributes() const override;

 private:
  DataType type_ = DataType::kFLOAT;
};

class ConstantLayer final : public LayerOf<IConstantLayer, LayerType::kCONSTANT> {
 public:
  using LayerOf::LayerOf;
  static constexpr const char* kKind = "Constant";

  // What is wrong with weights, or with dimensions for them; empty if nothing is.
  static std::string fault_of_weights(const Weights& weights);
  static std::string fault_of_count(const Dims& dimensions, const Weights& weights);

  void setWeights(Weights weights) noexcept override;
  Weights getWeights() const noexcept override { return weights_; }
  void setDimensions(Dims const& dimensions) noexcept override;
  Dims getDimensions() const noexcept override { return dimensions_; }
  const NetworkTensor* type_source() const noexcept override { return nullptr; }
  DataType own_type() const noexcept override { return weights_.type; }
  Status add_to(Model& model, const ValueNames& name_of) const override;

 private:
  Dims dimensions_{1, {0}};
  Weights weights_{DataType::kFLOAT, nullptr, 0};
};

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_LAYERS_H_

#ifndef WINDROW_MODELS_NVINFER_LAYERS_H_
#define WINDROW_MODELS_NVINFER_LAYERS_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/models/nvinfer/network_tensor.h"
#include "windrow/nvinfer.h"

namespace windrow::nvinfer1::internal {

// What every layer has, apart from TensorRT's interface of its kind: a name, inputs, one output.
class LayerNode {
 public:
  // The name that a tensor has in a model.
  using ValueNames = std::function<std::string(const NetworkTensor&)>;

  // `kind` is the operator of its node in a model, `name` the layer's until it gets another; the
  // output is named after it.
  LayerNode(Network& network, const char* kind, std::string name,
            std::vector<NetworkTensor*> inputs);
  LayerNode(const LayerNode&) = delete;
  LayerNode& operator=(const LayerNode&) = delete;
  virtual ~LayerNode() = default;

  virtual ILayer& interface() noexcept = 0;
  // The input whose type is the output's; null if the layer itself says the type.
  virtual const NetworkTensor* type_source() const noexcept { return inputs_.front(); }
  // The output's type where there is no such input.
  virtual DataType own_type() const noexcept { return DataType::kFLOAT; }
  // The attributes of the layer's node in a model.
  virtual Attributes attributes() const { return {}; }
  // Adds the layer to a model that has its inputs. Errors: kShape (a constant's weights).
  virtual Status add_to(Model& model, const ValueNames& name_of) const;

  const std::string& name() const noexcept { return name_; }
  const std::vector<NetworkTensor*>& inputs() const noexcept { return inputs_; }
  NetworkTensor& output() const noexcept { return *output_; }
  Network& network() const noexcept { return network_; }

  void set_name(char const* name) noexcept;
  const std::string& metadata() const noexcept { return metadata_; }
  void set_metadata(char const* metadata) noexcept;
  void set_input(std::int32_t index, ITensor& tensor) noexcept;

 protected:
  // Returns whether there is no fault. A fault is written to the log.
  bool check(const char* call, const std::string& fault) const noexcept;

 private:
  Network& network_;
  const char* kind_;
  std::string name_;
  std::string metadata_;
  std::vector<NetworkTensor*> inputs_;
  std::unique_ptr<NetworkTensor> output_;
};

// The members that TensorRT's interfaces of all layers have in common.
template <class Interface, LayerType kType>
class LayerOf : public Interface, public LayerNode {
 public:
  using LayerNode::LayerNode;
  static constexpr LayerType kLayerType = kType;

  ILayer& interface() noexcept override { return *this; }
  LayerType getType() const noexcept override { return kType; }
  void setName(char const* name) noexcept override { set_name(name); }
  char const* getName() const noexcept override { return name().c_str(); }
  std::int32_t getNbInputs() const noexcept override {
    return static_cast<std::int32_t>(inputs().size());
  }
  ITensor* getInput(std::int32_t index) const noexcept override {
    if (index < 0 || index >= getNbInputs()) return nullptr;
    return inputs()[static_cast<std::size_t>(index)];
  }
  std::int32_t getNbOutputs() const noexcept override { return 1; }
  ITensor* getOutput(std::int32_t index) const noexcept override {
    return index == 0 ? &output() : nullptr;
  }
  void setInput(std::int32_t index, ITensor& tensor) noexcept override { set_input(index, tensor); }
  DataType getOutputType(std::int32_t index) const noexcept override {
    return index == 0 ? output().getType() : DataType::kFLOAT;
  }
  void setMetadata(char const* metadata) noexcept override { set_metadata(metadata); }
  char const* getMetadata() const noexcept override { return metadata().c_str(); }
};

// One class for each kind of layer: its settings, and its node in a model.

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

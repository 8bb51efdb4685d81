#ifndef WINDROW_MODELS_NVINFER_LAYER_NODE_H_
#define WINDROW_MODELS_NVINFER_LAYER_NODE_H_

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

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_LAYER_NODE_H_

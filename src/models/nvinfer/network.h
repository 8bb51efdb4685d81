#ifndef WINDROW_MODELS_NVINFER_NETWORK_H_
#define WINDROW_MODELS_NVINFER_NETWORK_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/models/nvinfer/layers.h"
#include "src/models/nvinfer/network_tensor.h"

namespace windrow::nvinfer1::internal {

// The only class that implements INetworkDefinition.
class Network final : public INetworkDefinition {
 public:
  Network(IBuilder& builder, ILogger& logger, NetworkDefinitionCreationFlags flags)
      : builder_(builder), logger_(logger), flags_(flags) {}

  ITensor* addInput(char const* name, DataType type, Dims const& dimensions) noexcept override;
  IConstantLayer* addConstant(Dims const& dimensions, Weights weights) noexcept override;
  IGatherLayer* addGather(ITensor& data, ITensor& indices, std::int32_t axis) noexcept override;
  IGatherLayer* addGatherV2(ITensor& data, ITensor& indices, GatherMode mode) noexcept override;
  IScatterLayer* addScatter(ITensor& data, ITensor& indices, ITensor& updates,
                            ScatterMode mode) noexcept override;
  IOneHotLayer* addOneHot(ITensor& indices, ITensor& values, ITensor& depth,
                          std::int32_t axis) noexcept override;
  IKVCacheUpdateLayer* addKVCacheUpdate(ITensor& cache, ITensor& update, ITensor& write_indices,
                                        KVCacheMode cache_mode) noexcept override;
  ICastLayer* addCast(ITensor& input, DataType to_type) noexcept override;
  void markOutput(ITensor& tensor) noexcept override;
  void unmarkOutput(ITensor& tensor) noexcept override;
  std::int32_t getNbLayers() const noexcept override;
  ILayer* getLayer(std::int32_t index) const noexcept override;
  std::int32_t getNbInputs() const noexcept override;
  ITensor* getInput(std::int32_t index) const noexcept override;
  std::int32_t getNbOutputs() const noexcept override;
  ITensor* getOutput(std::int32_t index) const noexcept override;
  void setName(char const* name) noexcept override;
  char const* getName() const noexcept override { return name_.c_str(); }
  NetworkDefinitionCreationFlags getFlags() const noexcept override { return flags_; }
  bool getFlag(NetworkDefinitionCreationFlag flag) const noexcept override;
  IBuilder& getBuilder() const noexcept override { return builder_; }

  const std::vector<std::unique_ptr<NetworkTensor>>& inputs() const noexcept { return inputs_; }
  const std::vector<NetworkTensor*>& outputs() const noexcept { return outputs_; }
  bool is_output(const ITensor& tensor) const noexcept;

  // What inference finds for a layer's output. If a rule is broken on the way to it, the result is
  // invalid_dims() and a line in the log.
  Dims infer_dimensions(const NetworkTensor& tensor) const noexcept;
  void error(const std::string& message) const noexcept;
  // Returns whether there is no fault. A fault is written to the log.
  bool check(std::string_view call, const std::string& fault) const noexcept;
  // Returns whether the name is allowed. If not, a line in the log says why.
  bool check_name(std::string_view call, char const* name) const noexcept;
  // The network's tensor at that address; null, and a line in the log, if there is none. The tensor
  // is not read before it has been found.
  NetworkTensor* own(std::string_view call, std::string_view what, ITensor& tensor) const noexcept;

 private:
  struct Argument {
    const char* name;
    ITensor& tensor;
  };
  template <class Layer>
  Layer* add_layer(const char* call, std::initializer_list<Argument> arguments);
  NetworkTensor* find(const ITensor* tensor) const noexcept;

  IBuilder& builder_;
  ILogger& logger_;
  NetworkDefinitionCreationFlags flags_;
  std::string name_;
  std::vector<std::unique_ptr<NetworkTensor>> inputs_;
  std::vector<std::unique_ptr<LayerNode>> layers_;
  std::vector<NetworkTensor*> outputs_;
};

// The model with every input of a network, the tensors of `outputs` and the layers that they need.
// Errors: as of to_model.
Result<Model> model_of(const Network& network, const std::vector<const NetworkTensor*>& outputs);

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_NETWORK_H_

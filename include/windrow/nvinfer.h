#ifndef WINDROW_NVINFER_H_
#define WINDROW_NVINFER_H_

#include <cstddef>
#include <cstdint>

#include "windrow/export.h"
#include "windrow/models.h"
#include "windrow/nvinfer_types.h"

// TensorRT's network interface for the layers that this library has, on the CPU: names, signatures
// and defaults are TensorRT's, so that code for it compiles unchanged (windrow/compat/NvInfer.h).
// In the library windrow::models. What each layer computes: docs/operators/tensorrt.md.
//
// There are no engines: run() runs a network, to_model() turns it into a Model. Errors are reported
// as in TensorRT: the function returns null, or changes nothing, and the logger receives one line
// with the reason. Nothing is thrown. The memory that Weights refer to must stay valid until the
// last run, and the logger as long as the builder and its networks. A network may be used by one
// thread at a time.
// as long as the builder and its networks. A network is used by one thread at a time.
namespace windrow::nvinfer1 {

// The names are TensorRT's, not this library's.
// NOLINTBEGIN(readability-identifier-naming)

class ILogger {
 public:
  enum class Severity : std::int32_t {
    kINTERNAL_ERROR = 0,
    kERROR = 1,
    kWARNING = 2,
    kINFO = 3,
    kVERBOSE = 4,
  };
  virtual void log(Severity severity, AsciiChar const* msg) noexcept = 0;
  ILogger() = default;
  virtual ~ILogger() = default;

 protected:
  ILogger(ILogger const&) = default;
  ILogger& operator=(ILogger const&) = default;
};

class INoCopy {
 public:
  INoCopy(INoCopy const&) = delete;
  INoCopy& operator=(INoCopy const&) = delete;

 protected:
  INoCopy() = default;
  virtual ~INoCopy() = default;
};

// A value of a network, which owns it.
class ITensor : public INoCopy {
 public:
  // At most 4095 bytes. Inputs and outputs are told apart by their names when the network runs.
  virtual void setName(char const* name) noexcept = 0;
  virtual char const* getName() const noexcept = 0;
  // For network inputs only.
  virtual void setDimensions(Dims const& dimensions) noexcept = 0;
  // Known as far as the inputs' dimensions determine them. Where a layer's rules are broken, the
  // logger names the rule, and nbDims is -1.
  virtual Dims getDimensions() const noexcept = 0;
  virtual DataType getType() const noexcept = 0;
  virtual bool isNetworkInput() const noexcept = 0;
  virtual bool isNetworkOutput() const noexcept = 0;
  // For network inputs only: dimensions of the same name are equal in a run. Null removes the name.
  virtual void setDimensionName(std::int32_t index, char const* name) noexcept = 0;
  virtual char const* getDimensionName(std::int32_t index) const noexcept = 0;

 protected:
  ~ITensor() override = default;
};

// A layer of a network, which owns it. Its rules are checked when dimensions are asked for and when
// the network runs.
class ILayer : public INoCopy {
 public:
  virtual LayerType getType() const noexcept = 0;
  virtual void setName(char const* name) noexcept = 0;
  virtual char const* getName() const noexcept = 0;
  virtual std::int32_t getNbInputs() const noexcept = 0;
  // Null if there is none of that number.
  virtual ITensor* getInput(std::int32_t index) const noexcept = 0;
  virtual std::int32_t getNbOutputs() const noexcept = 0;
  virtual ITensor* getOutput(std::int32_t index) const noexcept = 0;
  virtual void setInput(std::int32_t index, ITensor& tensor) noexcept = 0;
  virtual DataType getOutputType(std::int32_t index) const noexcept = 0;
  // Any text. It is stored without effect.
  virtual void setMetadata(char const* metadata) noexcept = 0;
  virtual char const* getMetadata() const noexcept = 0;

 protected:
  ~ILayer() override = default;
};

class IGatherLayer : public ILayer {
 public:
  virtual void setGatherAxis(std::int32_t axis) noexcept = 0;
  virtual std::int32_t getGatherAxis() const noexcept = 0;
  virtual void setNbElementWiseDims(std::int32_t element_wise_dims) noexcept = 0;
  virtual std::int32_t getNbElementWiseDims() const noexcept = 0;
  virtual void setMode(GatherMode mode) noexcept = 0;
  virtual GatherMode getMode() const noexcept = 0;
};

class IScatterLayer : public ILayer {
 public:
  virtual void setMode(ScatterMode mode) noexcept = 0;
  virtual ScatterMode getMode() const noexcept = 0;
  virtual void setAxis(std::int32_t axis) noexcept = 0;
  virtual std::int32_t getAxis() const noexcept = 0;
};

class IOneHotLayer : public ILayer {
 public:
  virtual void setAxis(std::int32_t axis) noexcept = 0;
  virtual std::int32_t getAxis() const noexcept = 0;
};

// run() leaves the cache unchanged and returns the updated one as a tensor of its own. To update in
// place, call windrow::Plan::run of windrow::tensorrt::KVCacheUpdate with the cache as its output.
class IKVCacheUpdateLayer : public ILayer {
 public:
  virtual bool setCacheMode(KVCacheMode cache_mode) noexcept = 0;
  virtual KVCacheMode getCacheMode() const noexcept = 0;
};

// For the conversion of each element, see "Convert" in docs/formats/openvino_ir.md. A cast to kFP4
// or kE8M0 fails with kUnsupported when it runs.
class ICastLayer : public ILayer {
 public:
  virtual void setToType(DataType to_type) noexcept = 0;
  virtual DataType getToType() const noexcept = 0;
};

// Dimensions and weights may be set in any order; they must match when they are used.
class IConstantLayer : public ILayer {
 public:
  virtual void setWeights(Weights weights) noexcept = 0;
  virtual Weights getWeights() const noexcept = 0;
  virtual void setDimensions(Dims const& dimensions) noexcept = 0;
  virtual Dims getDimensions() const noexcept = 0;
};

class IBuilder;

class INetworkDefinition : public INoCopy {
 public:
  ~INetworkDefinition() override = default;

  // Each returns null if the call is wrong: a name that is already used, dimensions that no tensor
  // can have, weights whose count differs from that of the dimensions, an enumerator or a type that
  // does not exist, a tensor of another network.
  virtual ITensor* addInput(char const* name, DataType type, Dims const& dimensions) noexcept = 0;
  virtual IConstantLayer* addConstant(Dims const& dimensions, Weights weights) noexcept = 0;
  virtual IGatherLayer* addGather(ITensor& data, ITensor& indices, std::int32_t axis) noexcept = 0;
  virtual IGatherLayer* addGatherV2(ITensor& data, ITensor& indices, GatherMode mode) noexcept = 0;
  virtual IScatterLayer* addScatter(ITensor& data, ITensor& indices, ITensor& updates,
                                    ScatterMode mode) noexcept = 0;
  virtual IOneHotLayer* addOneHot(ITensor& indices, ITensor& values, ITensor& depth,
                                  std::int32_t axis) noexcept = 0;
  virtual IKVCacheUpdateLayer* addKVCacheUpdate(ITensor& cache, ITensor& update,
                                                ITensor& write_indices,
                                                KVCacheMode cache_mode) noexcept = 0;
  virtual ICastLayer* addCast(ITensor& input, DataType to_type) noexcept = 0;

  // An input cannot be an output.
  virtual void markOutput(ITensor& tensor) noexcept = 0;
  virtual void unmarkOutput(ITensor& tensor) noexcept = 0;

  // Null if there is none of that number.
  virtual std::int32_t getNbLayers() const noexcept = 0;
  virtual ILayer* getLayer(std::int32_t index) const noexcept = 0;
  virtual std::int32_t getNbInputs() const noexcept = 0;
  virtual ITensor* getInput(std::int32_t index) const noexcept = 0;
  virtual std::int32_t getNbOutputs() const noexcept = 0;
  virtual ITensor* getOutput(std::int32_t index) const noexcept = 0;

  virtual void setName(char const* name) noexcept = 0;
  virtual char const* getName() const noexcept = 0;
  virtual NetworkDefinitionCreationFlags getFlags() const noexcept = 0;
  virtual bool getFlag(NetworkDefinitionCreationFlag flag) const noexcept = 0;
  virtual IBuilder& getBuilder() const noexcept = 0;
};

// Ranges of dynamic dimensions. They are stored and returned; run() accepts any extent. Owned by
// the builder.
class IOptimizationProfile : public INoCopy {
 public:
  virtual bool setDimensions(char const* input_name, OptProfileSelector select,
                             Dims const& dims) noexcept = 0;
  virtual Dims getDimensions(char const* input_name, OptProfileSelector select) const noexcept = 0;
  // Whether each input has all three, each at least as large as the one before it.
  virtual bool isValid() const noexcept = 0;

 protected:
  ~IOptimizationProfile() override = default;
};

// Settings of an engine's builder. They are stored and returned.
class IBuilderConfig : public INoCopy {
 public:
  ~IBuilderConfig() override = default;
  virtual void setFlags(BuilderFlags flags) noexcept = 0;
  virtual BuilderFlags getFlags() const noexcept = 0;
  virtual void setFlag(BuilderFlag flag) noexcept = 0;
  virtual void clearFlag(BuilderFlag flag) noexcept = 0;
  virtual bool getFlag(BuilderFlag flag) const noexcept = 0;
  virtual void setMemoryPoolLimit(MemoryPoolType pool, std::size_t pool_size) noexcept = 0;
  // 0 unless it was set.
  virtual std::size_t getMemoryPoolLimit(MemoryPoolType pool) const noexcept = 0;
  virtual void setBuilderOptimizationLevel(std::int32_t level) noexcept = 0;
  virtual std::int32_t getBuilderOptimizationLevel() const noexcept = 0;
  virtual void setProfilingVerbosity(ProfilingVerbosity verbosity) noexcept = 0;
  virtual ProfilingVerbosity getProfilingVerbosity() const noexcept = 0;
  // The profile's number; -1 if it is null or not valid.
  virtual std::int32_t addOptimizationProfile(IOptimizationProfile const* profile) noexcept = 0;
  virtual std::int32_t getNbOptimizationProfiles() const noexcept = 0;
};

class IHostMemory : public INoCopy {
 public:
  ~IHostMemory() override = default;
  virtual void* data() const noexcept = 0;
  virtual std::size_t size() const noexcept = 0;
  virtual DataType type() const noexcept = 0;
};

// Delete the objects that it creates (except the profiles) first, and the builder last.
class IBuilder : public INoCopy {
 public:
  ~IBuilder() override = default;
  virtual INetworkDefinition* createNetworkV2(NetworkDefinitionCreationFlags flags) noexcept = 0;
  virtual IBuilderConfig* createBuilderConfig() noexcept = 0;
  virtual IOptimizationProfile* createOptimizationProfile() noexcept = 0;
  // Always returns null: there is no engine format here. The logger says that run() runs the
  // network.
  virtual IHostMemory* buildSerializedNetwork(INetworkDefinition& network,
                                              IBuilderConfig& config) noexcept = 0;
  // Whether every layer's rules hold, as far as this is known before a run.
  virtual bool isNetworkSupported(INetworkDefinition const& network,
                                  IBuilderConfig const& config) const noexcept = 0;
  virtual ILogger* getLogger() const noexcept = 0;
};

// The caller deletes it.
WINDROW_EXPORT IBuilder* createInferBuilder(ILogger& logger) noexcept;

// NOLINTEND(readability-identifier-naming)

// A model of dialect "tensorrt": every input of the network, and the layers that its outputs need.
// Its constants use the memory that Weights refer to; they are not copies. Errors: kInvalidArgument
// (no outputs, two inputs or outputs of one name, a layer that depends on itself), kShape (weights
// of another count than the dimensions).
WINDROW_EXPORT Result<Model> to_model(const INetworkDefinition& network);

// Runs a network. `inputs` has, for each network input by its name, a tensor of the declared type
// and shape, with any extent where that is -1. Errors: those of to_model() and of Model::run.
WINDROW_EXPORT Result<NamedTensors> run(const INetworkDefinition& network, const NamedViews& inputs,
                                        const ModelRunOptions& options = {});

}  // namespace windrow::nvinfer1

#endif  // WINDROW_NVINFER_H_

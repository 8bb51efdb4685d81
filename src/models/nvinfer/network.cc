#include "src/models/nvinfer/network.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string>

#include "src/models/nvinfer/layers.h"
#include "src/models/nvinfer/network_tensor.h"
#include "src/models/value_info.h"

namespace windrow::nvinfer1::internal {
namespace {

using windrow::internal::text_of;

constexpr std::size_t kLongestName = 4095;

// The item at `index` of a list of raw or owning pointers; null if there is none.
template <class Items>
auto* at(const Items& items, std::int32_t index) noexcept {
  const bool exists = index >= 0 && index < std::ssize(items);
  return exists ? std::to_address(items[static_cast<std::size_t>(index)]) : nullptr;
}

}  // namespace

void Network::error(const std::string& message) const noexcept {
  logger_.log(ILogger::Severity::kERROR, message.c_str());
}

bool Network::check(std::string_view call, const std::string& fault) const noexcept {
  if (!fault.empty()) error(std::string(call) + ": " + fault);
  return fault.empty();
}

bool Network::check_name(std::string_view call, char const* name) const noexcept {
  const std::size_t length = name == nullptr ? 0 : std::strlen(name);
  std::string fault;
  if (length == 0) fault = "the name is empty";
  if (length > kLongestName) fault = text_of({"the name has ", length, " bytes, more than 4095"});
  return check(call, fault);
}

NetworkTensor* Network::find(const ITensor* tensor) const noexcept {
  for (const auto& input : inputs_)
    if (input.get() == tensor) return input.get();
  for (const auto& layer : layers_)
    if (&layer->output() == tensor) return &layer->output();
  return nullptr;
}

NetworkTensor* Network::own(std::string_view call, std::string_view what,
                            ITensor& tensor) const noexcept {
  NetworkTensor* const found = find(&tensor);
  check(call, found == nullptr ? std::string(what) + " is not a tensor of this network" : "");
  return found;
}

template <class Layer>
Layer* Network::add_layer(const char* call, std::initializer_list<Argument> arguments) {
  std::vector<NetworkTensor*> tensors;
  for (const Argument& argument : arguments) {
    tensors.push_back(own(call, argument.name, argument.tensor));
    if (tensors.back() == nullptr) return nullptr;
  }
  std::string name = text_of({"(Unnamed Layer* ", layers_.size(), ") [", Layer::kKind, "]"});
  auto layer = std::make_unique<Layer>(*this, Layer::kKind, std::move(name), std::move(tensors));
  Layer* const added = layer.get();
  layers_.push_back(std::move(layer));
  return added;
}

ITensor* Network::addInput(char const* name, DataType type, Dims const& dimensions) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addInput";
  if (!check_name(kCall, name)) return nullptr;
  std::string fault = fault_of(type);
  if (fault.empty()) fault = fault_of(dimensions, -1);
  if (std::any_of(inputs_.begin(), inputs_.end(),
                  [name](const auto& input) { return input->name() == name; }))
    fault = "there is an input of this name already";
  if (!check(std::string(kCall) + ": '" + name + "'", fault)) return nullptr;
  inputs_.push_back(std::make_unique<NetworkTensor>(*this, name, type, dimensions));
  return inputs_.back().get();
}

IConstantLayer* Network::addConstant(Dims const& dimensions, Weights weights) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addConstant";
  std::string fault = fault_of(dimensions, 0);
  if (fault.empty()) fault = ConstantLayer::fault_of_weights(weights);
  if (fault.empty()) fault = ConstantLayer::fault_of_count(dimensions, weights);
  if (!check(kCall, fault)) return nullptr;
  auto* const layer = add_layer<ConstantLayer>(kCall, {});
  layer->setDimensions(dimensions);
  layer->setWeights(weights);
  return layer;
}

IGatherLayer* Network::addGather(ITensor& data, ITensor& indices, std::int32_t axis) noexcept {
  auto* const layer = add_layer<GatherLayer>("INetworkDefinition::addGather",
                                             {{"data", data}, {"indices", indices}});
  if (layer != nullptr) layer->setGatherAxis(axis);
  return layer;
}

IGatherLayer* Network::addGatherV2(ITensor& data, ITensor& indices, GatherMode mode) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addGatherV2";
  if (!check(kCall, fault_of(mode))) return nullptr;
  auto* const layer = add_layer<GatherLayer>(kCall, {{"data", data}, {"indices", indices}});
  if (layer != nullptr) layer->setMode(mode);
  return layer;
}

IScatterLayer* Network::addScatter(ITensor& data, ITensor& indices, ITensor& updates,
                                   ScatterMode mode) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addScatter";
  if (!check(kCall, fault_of(mode))) return nullptr;
  auto* const layer =
      add_layer<ScatterLayer>(kCall, {{"data", data}, {"indices", indices}, {"updates", updates}});
  if (layer != nullptr) layer->setMode(mode);
  return layer;
}

IOneHotLayer* Network::addOneHot(ITensor& indices, ITensor& values, ITensor& depth,
                                 std::int32_t axis) noexcept {
  auto* const layer =
      add_layer<OneHotLayer>("INetworkDefinition::addOneHot",
                             {{"indices", indices}, {"values", values}, {"depth", depth}});
  if (layer != nullptr) layer->setAxis(axis);
  return layer;
}

IKVCacheUpdateLayer* Network::addKVCacheUpdate(ITensor& cache, ITensor& update,
                                               ITensor& write_indices,
                                               KVCacheMode cache_mode) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addKVCacheUpdate";
  if (!check(kCall, fault_of(cache_mode))) return nullptr;
  return add_layer<KVCacheUpdateLayer>(
      kCall, {{"cache", cache}, {"update", update}, {"writeIndices", write_indices}});
}

ICastLayer* Network::addCast(ITensor& input, DataType to_type) noexcept {
  constexpr const char* kCall = "INetworkDefinition::addCast";
  if (!check(kCall, fault_of(to_type))) return nullptr;
  auto* const layer = add_layer<CastLayer>(kCall, {{"input", input}});
  if (layer != nullptr) layer->setToType(to_type);
  return layer;
}

void Network::markOutput(ITensor& tensor) noexcept {
  constexpr const char* kCall = "INetworkDefinition::markOutput";
  NetworkTensor* const found = own(kCall, "tensor", tensor);
  if (found == nullptr) return;
  const std::string name = std::string(kCall) + ": '" + found->name() + "' ";
  if (found->isNetworkInput())
    return error(
        name +
        "is an input, which cannot be an output; a cast to its own type gives another tensor");
  if (is_output(*found)) return error(name + "is an output already");
  outputs_.push_back(found);
}

void Network::unmarkOutput(ITensor& tensor) noexcept {
  constexpr const char* kCall = "INetworkDefinition::unmarkOutput";
  NetworkTensor* const found = own(kCall, "tensor", tensor);
  if (found == nullptr) return;
  if (std::erase(outputs_, found) == 0)
    error(std::string(kCall) + ": '" + found->name() + "' is not an output");
}

bool Network::is_output(const ITensor& tensor) const noexcept {
  return std::find(outputs_.begin(), outputs_.end(), &tensor) != outputs_.end();
}

std::int32_t Network::getNbLayers() const noexcept {
  return static_cast<std::int32_t>(layers_.size());
}

ILayer* Network::getLayer(std::int32_t index) const noexcept {
  LayerNode* const layer = at(layers_, index);
  return layer == nullptr ? nullptr : &layer->interface();
}

std::int32_t Network::getNbInputs() const noexcept {
  return static_cast<std::int32_t>(inputs_.size());
}

ITensor* Network::getInput(std::int32_t index) const noexcept { return at(inputs_, index); }

std::int32_t Network::getNbOutputs() const noexcept {
  return static_cast<std::int32_t>(outputs_.size());
}

ITensor* Network::getOutput(std::int32_t index) const noexcept { return at(outputs_, index); }

void Network::setName(char const* name) noexcept {
  if (check_name("INetworkDefinition::setName", name)) name_ = name;
}

bool Network::getFlag(NetworkDefinitionCreationFlag flag) const noexcept {
  const auto bit = static_cast<std::uint32_t>(flag);
  return bit < 32 && ((flags_ >> bit) & 1U) != 0;
}

Dims Network::infer_dimensions(const NetworkTensor& tensor) const noexcept {
  const std::string call = "ITensor::getDimensions: '" + tensor.name() + "': ";
  const Result<Model> model = model_of(*this, {&tensor});
  if (!model) return error(call + model.error().message()), invalid_dims();
  const Result<Inference> inference = model->infer();
  const Status status = inference ? inference->first_broken_rule() : inference.error();
  if (!status) return error(call + status.message()), invalid_dims();
  const SymbolicShape& shape = inference->values().find(model->outputs.front().name)->second.dims;
  if (!shape || shape->size() <= Dims::MAX_DIMS) return to_dims(shape);
  error(call + "it has rank " + std::to_string(shape->size()) + ", more than Dims can hold");
  return invalid_dims();
}

}  // namespace windrow::nvinfer1::internal

namespace windrow::nvinfer1::internal {
namespace {

// Walks from the outputs to what they need. Inputs and outputs keep their names; inner values get
// another one where theirs is taken.
class ModelBuilder {
 public:
  explicit ModelBuilder(const Network& network) : network_(network) { model_.dialect = "tensorrt"; }

  Status add_inputs() {
    for (const auto& input : network_.inputs()) {
      if (Status status = reserve(*input); !status) return status;
      model_.inputs.push_back(input->declared());
    }
    return {};
  }

  Status add_outputs(const std::vector<const NetworkTensor*>& outputs) {
    for (const NetworkTensor* output : outputs) {
      if (Status status = reserve(*output); !status) return status;
      model_.outputs.push_back({output->name(), DType::kAbsent, std::nullopt});
    }
    for (const NetworkTensor* output : outputs) {
      if (Status status = add_layers_of(*output); !status) return status;
    }
    return {};
  }

  Model take() { return std::move(model_); }

 private:
  // A layer on the way from an output, and the next of its inputs to look at.
  struct Visit {
    const LayerNode* layer;
    std::size_t next = 0;
  };
  enum class State : std::uint8_t { kNew, kOpen, kAdded };

  Status reserve(const NetworkTensor& tensor) {
    names_[&tensor] = tensor.name();
    if (taken_.insert(tensor.name()).second) return {};
    return {ErrorCode::kInvalidArgument,
            "two inputs or outputs of the network are called '" + tensor.name() + "'"};
  }

  const std::string& name_of(const NetworkTensor& tensor) {
    std::string& name = names_[&tensor];
    if (!name.empty()) return name;
    name = tensor.name();
    while (!taken_.insert(name).second) name += '\'';
    return name;
  }

  // Depth first, without recursion: a network may be deep.
  Status add_layers_of(const NetworkTensor& output) {
    std::vector<Visit> path;
    if (Status status = open(output, path); !status) return status;
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next < visit.layer->inputs().size()) {
        const NetworkTensor& input = *visit.layer->inputs()[visit.next++];
        if (Status status = open(input, path); !status) return status;
      } else {
        if (Status status = add(*visit.layer); !status) return status;
        path.pop_back();
      }
    }
    return {};
  }

  Status open(const NetworkTensor& tensor, std::vector<Visit>& path) {
    const LayerNode* const layer = tensor.producer();
    if (layer == nullptr) return {};
    State& state = states_[layer];
    if (state == State::kOpen)
      return {ErrorCode::kInvalidArgument, "layer '" + layer->name() + "' depends on itself"};
    if (state == State::kAdded) return {};
    state = State::kOpen;
    path.push_back({layer});
    return {};
  }

  Status add(const LayerNode& layer) {
    states_[&layer] = State::kAdded;
    return layer.add_to(model_, [this](const NetworkTensor& tensor) { return name_of(tensor); });
  }

  const Network& network_;
  Model model_;
  std::map<const NetworkTensor*, std::string> names_;
  std::set<std::string> taken_;
  std::map<const LayerNode*, State> states_;
};

}  // namespace

Result<Model> model_of(const Network& network, const std::vector<const NetworkTensor*>& outputs) {
  ModelBuilder builder(network);
  if (Status status = builder.add_inputs(); !status) return status;
  if (Status status = builder.add_outputs(outputs); !status) return status;
  return builder.take();
}

}  // namespace windrow::nvinfer1::internal

namespace windrow::nvinfer1 {

Result<Model> to_model(const INetworkDefinition& network) {
  // There is no other class of networks.
  const auto& own = static_cast<const internal::Network&>(network);
  if (own.outputs().empty())
    return Status(ErrorCode::kInvalidArgument,
                  "the network has no output; markOutput says what one is");
  return internal::model_of(own, {own.outputs().begin(), own.outputs().end()});
}

Result<NamedTensors> run(const INetworkDefinition& network, const NamedViews& inputs,
                         const ModelRunOptions& options) {
  const Result<Model> model = to_model(network);
  if (!model) return model.error();
  return model->run(inputs, options);
}

}  // namespace windrow::nvinfer1

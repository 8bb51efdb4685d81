#include <map>
#include <set>
#include <string>

#include "src/models/nvinfer/network.h"

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

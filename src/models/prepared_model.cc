#include "windrow/prepared_model.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/shelf.h"
#include "src/models/check_inputs.h"
#include "src/models/host_ops/host_ops.h"
#include "src/models/infer_node.h"
#include "src/models/program.h"
#include "src/models/ready_run.h"
#include "src/models/value_info.h"
#include "src/models/walk_model.h"
#include "windrow/counted.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"

namespace windrow {
namespace internal {

struct PreparedState {
  static constexpr std::size_t kMostReadyRuns = 16;

  std::shared_ptr<const Program> program;
  PrepareOptions options;
  // The positions of the caller's inputs in Program::given().
  std::vector<std::size_t> order;
  mutable Shelf<ReadyRun, kMostReadyRuns> ready_runs;
  mutable std::atomic<std::size_t> kept_bytes = 0;  // of those on the shelf
};

namespace {

// Roughly the bytes that a step of a ReadyRun takes. A model whose steps would take more than the
// limit keeps none.
constexpr std::size_t kBytesPerStep = 2048;

const TensorView kAbsentView = {};

// Pointers to one tensor per input of Program::given(), on the stack for most models.
class GivenViews {
 public:
  explicit GivenViews(std::size_t count) : count_(count) {
    if (count > few_.size()) many_.resize(count, &kAbsentView);
    few_.fill(&kAbsentView);
  }
  GivenViews(const GivenViews&) = delete;
  GivenViews& operator=(const GivenViews&) = delete;
  const TensorView*& operator[](std::size_t position) { return data()[position]; }
  std::span<const TensorView* const> views() { return {data(), count_}; }

 private:
  const TensorView** data() { return many_.empty() ? few_.data() : many_.data(); }

  std::size_t count_;
  std::array<const TensorView*, 16> few_;
  std::vector<const TensorView*> many_;
};

// Puts each tensor at the position of its name. Returns false if a name is not that of an input.
bool sort_by_name(const Program& program, const NamedViews& inputs, GivenViews& given) {
  for (std::size_t i = 0; i < program.given().size(); ++i) given[i] = &kAbsentView;
  std::size_t position = 0;
  for (const auto& [name, view] : inputs) {
    while (position < program.given().size() && program.given()[position].name < name) ++position;
    if (position == program.given().size() || program.given()[position].name != name) return false;
    given[position] = &view;
  }
  return true;
}

void put_back(const PreparedState& state, std::unique_ptr<ReadyRun> ready) {
  const std::size_t most = state.options.most_kept_bytes;
  if (state.kept_bytes + ready->byte_count() > most) ready->drop_buffers();
  if (state.kept_bytes + ready->byte_count() > most) return;
  state.kept_bytes += ready->byte_count();
  const std::unique_ptr<ReadyRun> dropped = state.ready_runs.put(std::move(ready));
  if (dropped != nullptr) state.kept_bytes -= dropped->byte_count();
}

// Runs with inputs of types and shapes that no kept run has, and keeps what it finds out.
Result<std::vector<Tensor>> run_new(const PreparedState& state,
                                    std::span<const TensorView* const> given,
                                    const RunOptions& options,
                                    const PreparedModel::OnNote& on_note) {
  const Program& program = *state.program;
  std::vector<TensorView> views;
  NamedViews named;
  for (std::size_t i = 0; i < given.size(); ++i) {
    views.push_back(*given[i]);
    if (!given[i]->is_absent()) named.emplace(program.given()[i].name, *given[i]);
  }
  if (Status status = check_inputs(program.model(), named); !status) return status;
  const bool record = program.steps().size() <= state.options.most_kept_bytes / kBytesPerStep;
  Result<RanModel> ran =
      run_first(program, views,
                {.call = state.options.call, .run = options, .on_note = on_note, .record = record});
  if (!ran) return ran.error();
  std::vector<Tensor> outputs = std::move(ran->outputs);
  if (record) put_back(state, std::make_unique<ReadyRun>(program, views, *std::move(ran)));
  return outputs;
}

Result<std::vector<Tensor>> run_given(const PreparedState& state,
                                      std::span<const TensorView* const> given,
                                      const RunOptions& options,
                                      const PreparedModel::OnNote& on_note) {
  std::unique_ptr<ReadyRun> ready =
      state.ready_runs.take([given](const ReadyRun& run) { return run.fits(given); });
  if (ready == nullptr) return run_new(state, given, options, on_note);
  state.kept_bytes -= ready->byte_count();
  std::optional<Result<std::vector<Tensor>>> outputs = ready->run(given, options);
  if (!outputs) return run_new(state, given, options, on_note);
  if (on_note)
    for (const std::string& note : ready->notes()) on_note(note);
  put_back(state, std::move(ready));
  return *std::move(outputs);
}

}  // namespace
}  // namespace internal

Result<NamedTensors> PreparedModel::run(const NamedViews& inputs, const RunOptions& options,
                                        const OnNote& on_note) const {
  const internal::Program& program = *state_->program;
  internal::GivenViews given(program.given().size());
  NamedViews renamed;
  if (!internal::sort_by_name(program, inputs, given)) {
    Result<NamedViews> names = internal::with_value_names(program.model(), inputs);
    if (!names) return names.error();
    renamed = *std::move(names);
    if (!internal::sort_by_name(program, renamed, given))
      return internal::check_inputs(program.model(), renamed);
  }
  Result<std::vector<Tensor>> tensors =
      internal::run_given(*state_, given.views(), options, on_note);
  if (!tensors) return tensors.error();
  NamedTensors outputs;
  outputs.reserve(tensors->size());
  for (std::size_t i = 0; i < tensors->size(); ++i)
    outputs.emplace_back(program.model().outputs[i].name, std::move((*tensors)[i]));
  return outputs;
}

Result<std::vector<Tensor>> PreparedModel::run(std::span<const TensorView> inputs,
                                               const RunOptions& options,
                                               const OnNote& on_note) const {
  const std::vector<std::size_t>& order = state_->order;
  if (inputs.size() > order.size())
    return internal::argument_error(counted(inputs.size(), "input is", "inputs are"),
                                    " given, the model takes ", order.size());
  internal::GivenViews given(order.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) given[order[i]] = &inputs[i];
  return internal::run_given(*state_, given.views(), options, on_note);
}

const Model& PreparedModel::model() const noexcept { return state_->program->model(); }

Result<PreparedModel> Model::prepare(const PrepareOptions& options) const {
  auto program = internal::Program::of(std::make_shared<const Model>(*this));
  if (!program) return program.error();
  auto state = std::make_shared<internal::PreparedState>();
  state->program = *std::move(program);
  state->options = options;
  for (const auto* inputs :
       {&state->program->model().inputs, &state->program->model().default_inputs})
    for (const ValueInfo& input : *inputs)
      state->order.push_back(state->program->position_of(input.name));
  return PreparedModel(std::move(state));
}

Result<PreparedModel> Model::prepare() const { return prepare(PrepareOptions()); }

Result<NamedTensors> Model::run(const NamedViews& inputs, const ModelRunOptions& options) const {
  // The model outlives the run, so this pointer need not own it.
  const std::shared_ptr<const Model> model(std::shared_ptr<void>(), this);
  const auto program = internal::Program::of(model);
  if (!program) return program.error();
  const Result<NamedViews> named = internal::with_value_names(*this, inputs);
  if (!named) return named.error();
  if (Status status = internal::check_inputs(*this, *named); !status) return status;
  std::vector<TensorView> given;
  for (const internal::GivenInput& input : (*program)->given()) {
    const auto found = named->find(input.name);
    given.push_back(found == named->end() ? TensorView() : found->second);
  }
  Result<internal::RanModel> ran = internal::run_first(**program, given,
                                                       {.call = options.call,
                                                        .run = options.run,
                                                        .on_note = options.on_note,
                                                        .reference = options.reference});
  if (!ran) return ran.error();
  NamedTensors named_outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    named_outputs.emplace_back(outputs[i].name, std::move(ran->outputs[i]));
  return named_outputs;
}

namespace {

// The number of nodes that a message names.
constexpr std::size_t kShown = 5;

// The text before ", nodes ..." for a node that cannot run here.
std::string describe(const Model& model, const internal::NodeOperators& operators,
                     const ModelNode& node) {
  if (model.dialect != "onnx") {
    if (!node.unsupported.empty()) return node.op_type + " (" + node.unsupported + ")";
    return node.op_type + (node.version ? " (version " + std::to_string(*node.version) + ")" : "");
  }
  const std::string text = node.op_type + " (domain " + internal::domain_name(node.domain);
  if (!node.unsupported.empty()) return text + ": " + node.unsupported + ")";
  const Result<int> opset = internal::opset_of(model, node.domain);
  if (!opset) return text + ": " + opset.error().message() + ")";
  if (!operators.has_operator(node.op_type)) return text + ")";
  const Result<OperatorInfo> newest = find_operator({model.dialect, node.op_type, std::nullopt});
  const bool too_old = newest && newest->domain == node.domain;
  return text + (too_old ? ", opset " + std::to_string(*opset) + ")" : ")");
}

// The nodes of one entry.
struct Nodes {
  std::vector<std::string> first;  // at most kShown
  std::size_t count = 0;
};

std::string list_nodes(const Nodes& nodes) {
  std::string text = nodes.count == 1 ? ", node " : ", nodes ";
  for (std::size_t i = 0; i < nodes.first.size(); ++i)
    text += (i == 0 ? "" : ", ") + nodes.first[i];
  if (nodes.count > kShown) text += " and " + std::to_string(nodes.count - kShown) + " more";
  return text;
}

}  // namespace

std::vector<std::string> Model::unsupported() const {
  internal::NodeOperators operators(*this);
  std::map<std::string, Nodes> nodes_of;
  for (const ModelNode& node : nodes) {
    if (internal::is_constant(node) || internal::is_identity(node) ||
        internal::is_convert(*this, node))
      continue;
    const Result<const internal::NodeOperator*> found = operators.find(node);
    const bool no_version = dialect == "onnx" && !opset_imports.contains(node.domain);
    if (found || (found.error().code() != ErrorCode::kUnsupported && !no_version)) continue;
    Nodes& same = nodes_of[describe(*this, operators, node)];
    if (same.count++ < kShown)
      same.first.push_back(node.origin.empty() ? node.name : node.name + " (" + node.origin + ")");
  }
  std::vector<std::string> result;
  result.reserve(nodes_of.size());
  for (const auto& [text, same] : nodes_of) result.push_back(text + list_nodes(same));
  return result;
}

namespace {

// The number of nodes that a message names.
constexpr std::size_t kShownNodes = 20;

std::string list_names(const std::vector<ModelNode>& nodes) {
  return internal::listed(nodes, ", ", kShownNodes,
                          [](const ModelNode& node) { return "'" + node.name + "'"; });
}

// The nearest name of a node, or of a value that one gives.
std::string node_hint(const Model& model, const std::string& name) {
  NearestName nearest(name);
  for (const ModelNode& node : model.nodes) nearest.consider(node.name);
  for (const ModelNode& node : model.nodes)
    for (const std::string& output : node.outputs) nearest.consider(output);
  return nearest.hint();
}

// A graph that holds a node, or whose body does. `path`: as in Inference.
struct HoldingGraph {
  std::string path;
  const Graph* graph;
};

// A node, and the graphs around it, the innermost first.
struct FoundNode {
  const ModelNode* node = nullptr;
  std::vector<HoldingGraph> graphs;
};

// Finds the node of a path, which may leave out "main/".
class PathSearch final : public internal::ModelWalk {
 public:
  explicit PathSearch(const std::string& path) : path_(path), in_main_("main/" + path) {}

  void enter(const std::string& path, const Graph& graph) override {
    graphs_.insert(graphs_.begin(), {path, &graph});
  }
  void visit(const NodePlace& place, std::size_t /*position*/) override {
    if (found_.node == nullptr && (place.path == path_ || place.path == in_main_))
      found_ = {&place.node, graphs_};
  }
  void leave() override { graphs_.erase(graphs_.begin()); }

  const FoundNode& found() const { return found_; }

 private:
  const std::string path_;
  const std::string in_main_;
  std::vector<HoldingGraph> graphs_;
  FoundNode found_;
};

Result<FoundNode> find_node(const Model& model, const std::string& name) {
  const auto is_it = [&name](const ModelNode& node) { return node.name == name; };
  const auto gives_it = [&value = model.value_name(name)](const ModelNode& node) {
    return std::find(node.outputs.begin(), node.outputs.end(), value) != node.outputs.end();
  };
  auto node = std::find_if(model.nodes.begin(), model.nodes.end(), is_it);
  if (node == model.nodes.end())
    node = std::find_if(model.nodes.begin(), model.nodes.end(), gives_it);
  if (node == model.nodes.end()) {
    PathSearch search(name);
    internal::walk_model(model, search);
    const FoundNode& found = search.found();
    if (found.node == nullptr)
      return internal::argument_error("there is no node '", name, "'; the model has ",
                                      list_names(model.nodes), node_hint(model, name));
    if (found.graphs.back().path != "main")
      return internal::argument_error("'", name, "' is in a function, of which every call differs");
    return found;
  }
  if (std::any_of(node + 1, model.nodes.end(), is_it))
    return internal::argument_error("several nodes are called '", name,
                                    "': give the path that windrow check shows");
  return FoundNode{&*node, {{"main", &model}}};
}

// The result of a Convert node whose input is a constant, such as weights that are stored in a
// smaller type; null if its input is not a constant.
Result<std::shared_ptr<const Tensor>> converted_constant(const Model& model,
                                                         const ModelNode& node) {
  const auto constant =
      node.inputs.size() == 1 ? model.constants.find(node.inputs[0]) : model.constants.end();
  if (constant == model.constants.end()) return std::shared_ptr<const Tensor>();
  const Result<DType> type = internal::convert_type(node);
  if (!type) return type.error();
  const Result<std::shared_ptr<const Tensor>> stored = constant->second.tensor();
  if (!stored) return stored.error();
  Result<Tensor> value = internal::convert(**stored, *type);
  if (!value) return value.error();
  return std::make_shared<const Tensor>(*std::move(value));
}

// The constant that a node gives: the value of a Constant node, or a converted constant; null for
// other nodes.
Result<std::shared_ptr<const Tensor>> constant_of(const Model& model, const ModelNode& node) {
  if (internal::is_convert(model, node)) return converted_constant(model, node);
  if (!internal::is_constant(node)) return std::shared_ptr<const Tensor>();
  const Result<int> opset = internal::opset_of(model, node.domain);
  if (!opset) return opset.error();
  return internal::constant_value(node, *opset);
}

// What is known about the values of some graphs: what inference finds or, if it fails, what the
// model declares.
ValueInfos describe_all(const Model& model, const std::vector<HoldingGraph>& graphs) {
  const Result<Inference> inferred = model.infer();
  ValueInfos values;
  for (const HoldingGraph& holder : graphs) {
    if (inferred) {
      for (const GraphInference& graph : inferred->graphs)
        if (graph.path == holder.path) values.insert(graph.values.begin(), graph.values.end());
      continue;
    }
    const Graph& graph = *holder.graph;
    for (const auto* declared : {&graph.inputs, &graph.values, &graph.outputs}) {
      for (const ValueInfo& value : *declared) values.emplace(value.name, value);
    }
  }
  return values;
}

ValueInfo describe(const ValueInfos& values, const std::string& name) {
  const ValueInfo* const found = internal::find_in(values, name);
  return found != nullptr ? *found : ValueInfo{name, DType::kAbsent, std::nullopt};
}

// Takes one node out of a model.
class NodeExtractor {
 public:
  NodeExtractor(const Model& model, const FoundNode& found)
      : model_(model),
        node_(*found.node),
        graphs_(found.graphs),
        values_(describe_all(model, graphs_)) {
    for (const HoldingGraph& holder : graphs_) {
      for (const ModelNode& other : holder.graph->nodes) {
        if (other.outputs.size() == 1) producers_.emplace(other.outputs.front(), &other);
      }
    }
    for (const ValueInfo& input : model.default_inputs) defaults_.emplace(input.name, &input);
  }

  Result<Model> extract() {
    Model alone;
    alone.dialect = model_.dialect;
    alone.opset_imports = model_.opset_imports;
    for (const std::string& input : node_.inputs) {
      if (input.empty() || !names_.insert(input).second) continue;
      if (Status status = add_input(input, alone); !status) return status;
    }
    for (const std::string& output : node_.outputs) {
      if (output.empty()) continue;
      alone.outputs.push_back(describe(values_, output));
      names_.insert(output);
    }
    alone.nodes = {node_};
    for (const auto& [alias, value] : model_.aliases) {
      if (names_.contains(value)) alone.aliases.emplace(alias, value);
    }
    return alone;
  }

 private:
  // Makes `name` a constant, a default input or an input of `alone`, as it is in the model.
  Status add_input(const std::string& name, Model& alone) const {
    for (const HoldingGraph& holder : graphs_) {
      const auto constant = holder.graph->constants.find(name);
      if (constant == holder.graph->constants.end()) continue;
      alone.constants.insert(*constant);
      if (const auto* const input = internal::find_in(defaults_, name); input != nullptr)
        alone.default_inputs.push_back(**input);
      return {};
    }
    if (const auto* const producer = internal::find_in(producers_, name); producer != nullptr) {
      const ModelNode& node = **producer;
      const Result<std::shared_ptr<const Tensor>> constant = constant_of(model_, node);
      if (!constant) return constant.error().with_context("node '" + node.name + "'");
      if (*constant != nullptr) {
        alone.constants.emplace(name, *constant);
        return {};
      }
    }
    alone.inputs.push_back(describe(values_, name));
    return {};
  }

  const Model& model_;
  const ModelNode& node_;
  const std::vector<HoldingGraph>& graphs_;  // the innermost first
  ValueInfos values_;
  std::map<std::string_view, const ModelNode*> producers_;  // by their only output
  std::map<std::string_view, const ValueInfo*> defaults_;
  std::set<std::string_view> names_;  // of the node's values
};

}  // namespace

Result<Model> Model::only_node(const std::string& name) const {
  const Result<FoundNode> found = find_node(*this, name);
  if (!found) return found.error();
  return NodeExtractor(*this, *found).extract();
}

}  // namespace windrow

#ifndef WINDROW_MODELS_INFERRED_MODEL_H_
#define WINDROW_MODELS_INFERRED_MODEL_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/models/infer_node.h"
#include "src/models/knowledge.h"
#include "src/models/numbered_graph.h"
#include "src/models/walk_model.h"
#include "windrow/models.h"

namespace windrow::internal {

// One graph of a model during inference: what is known about its values, and its bodies. The model,
// the numbering and the graph around this one must outlive it.
class InferredGraph {
 public:
  // `around`: the graph with the node whose body this is, of which the first `visible` values are
  // defined before that node; null for others.
  InferredGraph(const Graph& graph, const NumberedGraph& numbers, std::string path,
                const InferredGraph* around, std::size_t visible);

  const Graph& graph() const noexcept { return *graph_; }
  const NumberedGraph& numbers() const noexcept { return *numbers_; }
  const std::string& path() const noexcept { return path_; }
  bool is_body() const noexcept { return around_ != nullptr; }

  // Makes all values unknown and forgets faults, before the nodes are inferred. Before the first
  // call there are no values.
  void clear();
  // Sets what is known about a value, which gets its own name. kNoValue is ignored.
  void set(ValueNumber number, Knowledge&& known);
  KnowledgeRef find(ValueNumber number) const;
  // By name, in this graph or in one around it. An empty name gives an unknown value.
  KnowledgeRef find(std::string_view name) const;
  // An input of a node. An omitted input gives an unknown value.
  KnowledgeRef input(std::size_t node, std::size_t position) const;
  // All values, including claims.
  std::vector<ValueInfo>& values() noexcept { return values_; }
  const std::vector<ValueInfo>& values() const noexcept { return values_; }
  // The constant of that name, in this graph or in one around it; null if the name is not a
  // constant's.
  const Constant* constant(std::string_view name) const;

  // What the file declares about values other than the main graph's inputs, by their numbers.
  using Claims = std::vector<std::pair<ValueNumber, const ValueInfo*>>;
  std::span<const Claims::value_type> claims(ValueNumber number) const;

  // Something wrong at a node, given by its position; kNoNode for a value that no node gives.
  struct Fault {
    std::size_t node;
    Finding::Kind kind;
    std::string value;
    Status status;
    std::string claim;
    Basis claimed_by = Basis::kClaimed;
  };
  static constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
  // In the order of the nodes.
  std::vector<Fault>& faults() noexcept { return faults_; }
  const std::vector<Fault>& faults() const noexcept { return faults_; }

  // Bodies in the order of NumberedGraph::bodies.
  void add_body(std::size_t node, std::unique_ptr<InferredGraph> body);
  std::span<const std::unique_ptr<InferredGraph>> bodies() const { return bodies_; }
  std::span<const std::unique_ptr<InferredGraph>> bodies(std::size_t node) const;

 private:
  // A value about which claims say more.
  struct Claimed {
    ValueInfo proven;
    std::string claim;
  };
  // The graph that defines the name, and its number there; null and kNoValue if no graph does.
  std::pair<const InferredGraph*, ValueNumber> place_of(std::string_view name) const;

  const Graph* graph_;
  const NumberedGraph* numbers_;
  std::string path_;
  const InferredGraph* around_;
  std::size_t visible_;
  std::vector<ValueInfo> values_;
  std::unordered_map<ValueNumber, Claimed> claimed_;
  Claims claims_;  // ascending
  std::vector<Fault> faults_;
  std::vector<std::unique_ptr<InferredGraph>> bodies_;
  std::vector<std::size_t> body_nodes_;  // of each body its node; ascending
};

// What is declared about the inputs of a main graph: its own lists, or the same values with other
// names of their dimensions.
struct DeclaredInputs {
  const std::vector<ValueInfo>& inputs;
  const std::vector<ValueInfo>& default_inputs;
};

// What inference knows about the graphs of a model, which must outlive the object.
class InferredModel {
 public:
  // Errors: those of Model::infer.
  static Result<InferredModel> of(const Model& model, const InferOptions& options) {
    return of(model, {model.inputs, model.default_inputs}, options);
  }
  // The same with other declarations of the inputs; `options.infer_others` gets the model itself.
  static Result<InferredModel> of(const Model& model, const DeclaredInputs& declared,
                                  const InferOptions& options);

  // A main graph or a function, with the bodies in it.
  struct Root {
    NumberedGraph numbers;
    NodeOperators operators;
    std::unique_ptr<InferredGraph> graph = nullptr;
  };
  // The main graph, then the functions.
  std::vector<std::unique_ptr<Root>>& roots() noexcept { return roots_; }
  const std::vector<std::unique_ptr<Root>>& roots() const noexcept { return roots_; }

  // At most the first `most`.
  Findings findings(std::size_t most = static_cast<std::size_t>(-1)) const;
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  InferredModel() = default;
  Status number(const Model& model);
  Status infer(const Model& model, const DeclaredInputs& declared, const InferOptions& options);
  const Model* model_ = nullptr;
  std::vector<std::unique_ptr<Root>> roots_;
  std::vector<std::string> notes_;
  std::size_t fault_count_ = 0;  // that the graphs hold
};

// A walk over a model that knows the InferredGraph of each graph that it comes to.
class InferredWalk : public ModelWalk {
 public:
  explicit InferredWalk(const InferredModel& inferred) : inferred_(inferred) {}
  void enter(const std::string& path, const Graph& graph) override;
  void leave() override { graphs_.pop_back(); }

 protected:
  const InferredGraph& graph() const { return *graphs_.back().graph; }
  InferredModel::Root& root() const { return *inferred_.roots()[roots_ - 1]; }

 private:
  struct Entered {
    const InferredGraph* graph;
    std::size_t bodies = 0;  // that were entered from here
  };
  const InferredModel& inferred_;
  std::size_t roots_ = 0;  // that were entered
  std::vector<Entered> graphs_;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFERRED_MODEL_H_

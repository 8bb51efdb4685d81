#ifndef WINDROW_MODELS_INFER_GRAPH_H_
#define WINDROW_MODELS_INFER_GRAPH_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/infer_node.h"
#include "src/models/inferred_model.h"
#include "src/models/knowledge.h"
#include "windrow/models.h"

// How the values of ONNX's If, Loop and Scan follow from those of their bodies, and vice versa.
namespace windrow::internal {

// Fills in what is known of a body's values, given what is known of its inputs.
using InferBody = std::function<Status(InferredGraph& body, std::span<const Knowledge> inputs)>;

// How much may be spent on finding which shapes stay the same from one iteration to the next. A
// loop goes through its body at most three times, and so does each loop in it.
struct LoopBudget {
  std::size_t looked_at = 0;  // nodes of bodies of loops, in all passes
  std::size_t depth = 0;      // loops around what is looked at
  bool was_spent = false;     // whether a loop went without it
};

// The next three functions return what is known about the node's outputs, by position. `inputs` are
// those of the node. Errors: those of `infer`.
Result<std::vector<Knowledge>> infer_if(std::span<const std::unique_ptr<InferredGraph>> branches,
                                        const InferBody& infer);
Result<std::vector<Knowledge>> infer_loop(InferredGraph& body, std::vector<Knowledge> inputs,
                                          LoopBudget& budget, const InferBody& infer);
// For opset 9 and later.
Result<std::vector<Knowledge>> infer_scan(const ModelNode& node, InferredGraph& body,
                                          const std::vector<Knowledge>& inputs, LoopBudget& budget,
                                          const InferBody& infer);

// What is known about an input of the main graph: its declaration, which every run checks.
Knowledge declared_input(const ValueInfo& declared);

// What all graphs of a model share while they are inferred.
struct InferenceState {
  const Graph* main = nullptr;
  const std::vector<ValueInfo>* default_inputs = nullptr;  // the declarations of those of `main`
  const GraphValueInfos* others = nullptr;                 // what infer_others said; null: nothing
  LoopBudget loops;
  bool met_other_operator = false;  // one that there are no rules for
  // A gather or scatter reads a value whose type or rank is unknown without claims.
  bool lacks_knowledge = false;
  std::size_t faults = 0;  // that the graphs hold
};

// Goes through the nodes of graphs in order and fills in what is known of their values: of a main
// graph or a function, and of the bodies in it.
class GraphWalk {
 public:
  // All arguments must outlive the walk.
  GraphWalk(const Model& model, NodeOperators& operators, InferenceState& state)
      : rules_(model, operators), is_onnx_(model.dialect == "onnx"), state_(state) {
    if (const int* const opset = find_in(operators.opset_imports(), ""); opset != nullptr)
      opset_ = *opset;
  }

  // `inputs` is what is known about Graph::inputs; nothing is known about inputs beyond its end.
  // Errors: those of reading a small constant.
  Status infer(InferredGraph& graph, std::span<const Knowledge> inputs);

 private:
  Status infer_given(InferredGraph& graph, std::span<const Knowledge> inputs);
  Status infer_node(InferredGraph& graph, std::size_t position);
  Status infer_node_with_bodies(InferredGraph& graph, std::size_t position);
  Knowledge infer_result(InferredGraph& graph, std::size_t position);
  // Adds what is known from infer_others.
  void add_others(const InferredGraph& graph, std::string_view name, Knowledge& known) const;
  // Adds what the file declares about the value, or records a contradiction; then sets the value.
  // `node` gives the value, or is InferredGraph::kNoNode.
  void define(InferredGraph& graph, std::size_t node, ValueNumber number, Knowledge&& known);
  void add_fault(InferredGraph& graph, InferredGraph::Fault fault);

  NodeRules rules_;
  bool is_onnx_;
  int opset_ = 0;  // of ai.onnx; 0: none
  InferenceState& state_;
  std::vector<KnowledgeRef> inputs_;  // of the node that is looked at
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFER_GRAPH_H_

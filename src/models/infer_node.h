#ifndef WINDROW_MODELS_INFER_NODE_H_
#define WINDROW_MODELS_INFER_NODE_H_

#include <array>
#include <optional>
#include <span>
#include <vector>

#include "src/models/knowledge.h"
#include "src/models/node_operator.h"
#include "src/operators/infer.h"
#include "windrow/models.h"

namespace windrow::internal {

// What is known about a constant before any run. Errors: those of reading a small constant.
Result<ValueInfo> describe_constant(const Constant& constant);

// The rules by which a node's result follows from its inputs: of the library's operators, Constant,
// Identity, Convert and Cast where they run here, and ONNX's Shape.
class NodeRules {
 public:
  // For nodes whose operators `operators` finds. Both arguments must outlive the object.
  NodeRules(const Model& model, NodeOperators& operators) : model_(model), operators_(operators) {}

  // What is known about the node's first output, given one view of what is known about its inputs;
  // nothing if there are no rules for its operator. Errors: the operator's own, for a broken rule;
  // those of NodeOperators::find except kUnsupported.
  // `judges_types`: whether rules about the number of inputs and their types are judged, too.
  Result<std::optional<ValueInfo>> find(const ModelNode& node, std::span<const KnowledgeRef> inputs,
                                        View view, bool judges_types = true);
  // Whether the node of the last find() has an operator of the library, and whether it has no
  // rules.
  bool found_operator() const noexcept { return found_ == Found::kOperator; }
  bool found_none() const noexcept { return found_ == Found::kNone; }

 private:
  enum class Found { kHostNode, kOperator, kNone };

  // What a node's shape depends on, and the shape.
  struct NodeShape {
    const NodeOperator* op = nullptr;
    const Attributes* attributes = nullptr;
    std::vector<SymbolicShape> inputs;
    std::vector<KnownValue> known;
    std::vector<OperandType> given;
    SymbolicShape result;
  };

  static bool is_same_question(const NodeShape& a, const NodeShape& b);
  Result<std::optional<ValueInfo>> find_constant(const ModelNode& node) const;
  // Precondition of the next four functions: `inputs_` and `view_` are those of the node.
  const ValueInfo& input(std::size_t position) const;
  ValueInfo find_converted(const ModelNode& node) const;
  ValueInfo find_shape(const ModelNode& node) const;
  Result<std::optional<ValueInfo>> find_result(const NodeOperator& op, const ModelNode& node);

  const Model& model_;
  NodeOperators& operators_;
  std::span<const KnowledgeRef> inputs_;
  View view_ = View::kProven;
  bool judges_types_ = true;
  Found found_ = Found::kNone;
  std::array<NodeShape, 2> last_;  // the last question of each view: models repeat themselves
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFER_NODE_H_

#ifndef WINDROW_MODELS_INFER_NODE_H_
#define WINDROW_MODELS_INFER_NODE_H_

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/knowledge.h"
#include "src/operators/operator_row.h"
#include "windrow/models.h"

namespace windrow::internal {

// A node's operator of the library.
struct NodeOperator {
  OperatorId id;
  OperatorInfo info;
};

// The labels of errors of NodeOperators::find() that are faults of a model: its opset has no such
// operator, it imports no opset of the node's domain, or the node has not the operator's outputs.
inline constexpr const char* kOperatorVersion = "operator-version";
inline constexpr const char* kOpsetImport = "opset-import";
inline constexpr const char* kOperatorOutputs = "operator-outputs";

// "ai.onnx" for the domain that is written "".
std::string domain_name(const std::string& domain);

using OpsetImports = std::map<std::string, int, std::less<>>;

// The opset of a domain. Errors: kFormat if there is no import of it.
Result<int> opset_of(const OpsetImports& imports, const std::string& domain);
inline Result<int> opset_of(const Model& model, const std::string& domain) {
  return opset_of(model.opset_imports, domain);
}

// The operators of a model's nodes. Each is looked up once, however many nodes have it.
class NodeOperators {
 public:
  // For the main graph and its bodies. `model` must not change.
  explicit NodeOperators(const Model& model)
      : dialect_(model.dialect), opset_imports_(model.opset_imports) {}
  // For a function of the model.
  NodeOperators(const Model& model, const ModelFunction& function)
      : dialect_(model.dialect), opset_imports_(function.opset_imports) {}

  const OpsetImports& opset_imports() const noexcept { return opset_imports_; }
  // Whether the model's dialect has an operator of that name, in any version.
  bool has_operator(const std::string& name) const;

  // The result is valid as long as the object. Errors, with the label above if it fits:
  // kUnsupported (there is no such operator, or not in this version; the node is marked
  // unsupported), kFormat (no opset import, or a number of outputs that the operator cannot have).
  Result<const NodeOperator*> find(const ModelNode& node);

 private:
  // The number that chooses the version of a node's operator: its own, or the opset of its domain.
  Result<std::optional<int>> version_of(const ModelNode& node) const;
  Result<const NodeOperator*> find_version(const std::string& name, std::optional<int> version);

  const std::string& dialect_;
  const OpsetImports& opset_imports_;
  std::map<std::pair<std::string_view, std::optional<int>>, NodeOperator> found_;
};

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
  // Precondition of the next five functions: `inputs_` and `view_` are those of the node.
  const ValueInfo& input(std::size_t position) const;
  ValueInfo find_converted(const ModelNode& node) const;
  ValueInfo find_shape(const ModelNode& node) const;
  KnownValue left_out_number(const OperatorInput& left_out) const;
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

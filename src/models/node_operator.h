#ifndef WINDROW_MODELS_NODE_OPERATOR_H_
#define WINDROW_MODELS_NODE_OPERATOR_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

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

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NODE_OPERATOR_H_

#ifndef WINDROW_MODELS_NODE_OPERATOR_H_
#define WINDROW_MODELS_NODE_OPERATOR_H_

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

// "ai.onnx" for the domain that is written "".
std::string domain_name(const std::string& domain);

// The opset of a domain. Errors: kFormat if the model imports none.
Result<int> opset_of(const Model& model, const std::string& domain);

// What chooses the version of a node's operator: its own number, or the opset of its domain.
// Errors: as opset_of.
Result<std::optional<int>> version_of(const Model& model, const ModelNode& node);

// The operators of a model's nodes. Each is looked up once, however many nodes have it.
class NodeOperators {
 public:
  // `model` must stay as it is.
  explicit NodeOperators(const Model& model) : model_(model) {}

  // Whether the model's dialect has an operator of that name, in any version.
  bool has_operator(const std::string& name) const;

  // Valid as long as the object. Errors: kUnsupported (no such operator, or not in this version; a
  // node that is marked so), kFormat (no opset import, or a number of outputs that the operator
  // can't have).
  Result<const NodeOperator*> find(const ModelNode& node);

 private:
  Result<const NodeOperator*> find_version(const std::string& name, std::optional<int> version);

  const Model& model_;
  std::map<std::pair<std::string_view, std::optional<int>>, NodeOperator> found_;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NODE_OPERATOR_H_

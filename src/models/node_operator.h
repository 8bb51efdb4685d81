#ifndef WINDROW_MODELS_NODE_OPERATOR_H_
#define WINDROW_MODELS_NODE_OPERATOR_H_

#include <optional>
#include <string>

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

// Errors: kUnsupported (no such operator, or not in this version; a node that is marked so),
// kFormat (no opset import, or a number of inputs and outputs that the operator can't have).
Result<NodeOperator> find_node_operator(const Model& model, const ModelNode& node);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NODE_OPERATOR_H_

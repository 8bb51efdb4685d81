#ifndef WINDROW_PORTABILITY_NODE_VERSIONS_H_
#define WINDROW_PORTABILITY_NODE_VERSIONS_H_

#include <string>
#include <vector>

#include "src/ranges/ranges.h"
#include "windrow/operators.h"
#include "windrow/status.h"

// The versions of a node's operator, and what their rules say of the node.
namespace windrow::internal {

// The library's versions of the operator that the node names, rising; empty if the library has none
// in the node's domain.
const std::vector<OperatorInfo>& versions_of(const std::string& dialect, const ModelNode& node);

// The first rule of this version of the node's operator that the node breaks by its attributes,
// types and shapes: by all that are known, or, if `proved`, by those that rest on no premise.
Status broken_in_version(const NodeFacts& facts, const OperatorInfo& version, bool proved = false);

// A status's message without "onnx.Gather-13 [ONNX-Gather-A1]: ".
std::string text_of_broken(const Status& status);

// "opset 13", or what versions of other dialects are called.
std::string version_text(const std::string& dialect, int version);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NODE_VERSIONS_H_

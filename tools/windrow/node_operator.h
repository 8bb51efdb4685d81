#ifndef WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_
#define WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_

#include <functional>
#include <map>
#include <string>

#include "windrow/models.h"

namespace windrow::tool {

// What the operator table says of a node; an error for one that has no row there.
Result<OperatorInfo> operator_of(const Model& model, const ModelNode& node);

// The values that Identity nodes hand on, and with `conversions` Convert nodes too: by the value
// that a node gives, the one with which the chain begins.
using Origins = std::map<std::string, std::string, std::less<>>;
Origins origins_of(const Model& model, bool conversions);

// Where `name` comes from: itself, if no node hands it on.
const std::string& origin_of(const Origins& origins, const std::string& name);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_

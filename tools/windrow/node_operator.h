#ifndef WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_
#define WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "windrow/models.h"

namespace windrow::tool {

// What the operator table says about a node; an error if the table has no row for it.
Result<OperatorInfo> operator_of(const Model& model, const ModelNode& node);

// The same for the nodes of one model, which must outlive it: each operator is looked up once.
class NodeOperators {
 public:
  explicit NodeOperators(const Model& model);
  // Null: the node has no row.
  const OperatorInfo* find(const ModelNode& node);

 private:
  const Model& model_;
  std::set<std::string> names_;  // of the dialect's operators
  std::map<std::tuple<std::string_view, std::string_view, std::optional<int>>,
           std::optional<OperatorInfo>>
      infos_;
};

// The values that Identity nodes hand on, and with `conversions` Convert nodes too: by the value
// that a node gives, the one with which the chain begins.
using Origins = std::map<std::string, std::string, std::less<>>;
Origins origins_of(const Model& model, bool conversions);

// The value that `name` stands for; `name` itself if no node hands it on.
const std::string& origin_of(const Origins& origins, const std::string& name);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_

#ifndef WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_
#define WINDROW_TOOLS_WINDROW_NODE_OPERATOR_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/operator_words.h"
#include "windrow/models.h"
#include "windrow/operators.h"

namespace windrow::tool {

// The nodes of a model by their operators, in bodies and functions too.
class NodeKinds {
 public:
  explicit NodeKinds(const Model& model);

  Json json() const;
  // "4 nodes", or "4 nodes, 2 of them in bodies and functions"
  std::string count_text() const;
  // "3 Gather, 1 mine.Twice", the most frequent ones first.
  std::string text() const;

  struct Count {
    std::string op_type;
    std::string domain;
    std::size_t count = 0;
    std::size_t inside = 0;  // of those, in bodies and functions
  };
  std::vector<Count> most_frequent_first() const;

 private:
  struct Kind {
    std::size_t count = 0;
    std::size_t inside = 0;  // of those, in bodies and functions
  };
  using Named = std::pair<const std::pair<std::string, std::string>, Kind>;

  Kind& kind_of(const ModelNode& node);
  void add_inside(const Model& model);

  std::map<std::pair<std::string, std::string>, Kind> kinds_;  // by op_type and domain
  Named* last_ = nullptr;  // neighbouring nodes are often of one kind
  std::size_t count_ = 0;
  std::size_t main_count_;
};

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

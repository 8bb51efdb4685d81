#ifndef WINDROW_TOOLS_WINDROW_NODE_KINDS_H_
#define WINDROW_TOOLS_WINDROW_NODE_KINDS_H_

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"
#include "windrow/models.h"

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

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_NODE_KINDS_H_

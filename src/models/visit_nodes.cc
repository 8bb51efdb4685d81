#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "windrow/models.h"

namespace windrow {
namespace {

class Visitor {
 public:
  using Visit = std::function<void(const NodePlace&)>;

  // `nested`: whether there are graphs besides the main one.
  Visitor(const Visit& visit, bool nested) : visit_(visit), nested_(nested) {}

  void walk(const Graph& graph, const std::string& place) {
    std::unordered_set<std::string_view> names;
    names.reserve(graph.nodes.size());
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const ModelNode& node = graph.nodes[i];
      std::string path = place + "/" + node.name;
      if (!names.insert(node.name).second) path += "#" + std::to_string(i);
      // Names may hold slashes, and look like the path of another node.
      while (is_taken(path)) path += "#" + std::to_string(i);
      visit_({path, node, graph});
      for (const NodeBody& body : node.bodies) walk(*body.graph, path + "." + body.attribute);
    }
  }

 private:
  // Takes the path if it is free.
  bool is_taken(const std::string& path) {
    const bool may_repeat = nested_ || path.find('#') != std::string::npos;
    return may_repeat && !paths_.insert(path).second;
  }

  const Visit& visit_;
  const bool nested_;
  std::unordered_set<std::string> paths_;
};

}  // namespace

void Model::visit_nodes(const std::function<void(const NodePlace&)>& visit) const {
  const bool has_bodies = std::any_of(nodes.begin(), nodes.end(),
                                      [](const ModelNode& node) { return !node.bodies.empty(); });
  Visitor visitor(visit, has_bodies || !functions.empty());
  visitor.walk(*this, "main");
  for (const ModelFunction& function : functions)
    visitor.walk(function.graph, "function " + function.domain +
                                     (function.domain.empty() ? "" : ".") + function.graph.name);
}

}  // namespace windrow

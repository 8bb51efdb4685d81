#include "src/models/walk_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/value_names.h"

namespace windrow::internal {
namespace {

// The bytes of a node's name that a path holds: paths of bodies in bodies repeat the names.
constexpr std::size_t kLongestName = 200;

// The first bytes of a name, which end where a character does.
std::string_view first_bytes(std::string_view name) {
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) --end;
  return name.substr(0, end);
}

// Hashes of names. Two names of one hash do no harm: the second one gets a number that it does not
// need.
class NameSet {
 public:
  explicit NameSet(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2), kFree) {}

  // Whether the name was not there.
  bool add(std::string_view name) {
    if (2 * ++count_ > slots_.size()) grow();
    return insert(hash_name(name));
  }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};  // no hash

  bool insert(std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = static_cast<std::size_t>(hash) & mask;
    while (slots_[slot] != kFree && slots_[slot] != hash) slot = (slot + 1) & mask;
    return std::exchange(slots_[slot], hash) == kFree;
  }

  void grow() {
    std::vector<std::uint64_t> old(2 * slots_.size(), kFree);
    old.swap(slots_);
    for (const std::uint64_t hash : old) {
      if (hash != kFree) insert(hash);
    }
  }

  std::vector<std::uint64_t> slots_;  // a power of two
  std::size_t count_ = 0;
};

class Walker {
 public:
  // `nested`: whether there are graphs besides the main one.
  Walker(ModelWalk& walk, bool nested) : walk_(walk), nested_(nested) {}

  void go_through(const Graph& graph, const std::string& place) {
    walk_.enter(place, graph);
    NameSet names(graph.nodes.size());
    std::string path;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const ModelNode& node = graph.nodes[i];
      const bool is_long = node.name.size() > kLongestName;
      path.assign(place).append("/").append(is_long ? first_bytes(node.name) : node.name);
      if (!names.add(node.name) || is_long) path += "#" + std::to_string(i);
      // Names may hold slashes, and look like the path of another node.
      while (is_taken(path)) path += "#" + std::to_string(i);
      NodePlace found{std::move(path), node, graph};
      walk_.visit(found, i);
      path = std::move(found.path);  // the next one takes its memory
      for (const NodeBody& body : node.bodies) go_through(*body.graph, path + "." + body.attribute);
    }
    walk_.leave();
  }

 private:
  // Takes the path if it is free.
  bool is_taken(const std::string& path) {
    const bool may_repeat = nested_ || path.find('#') != std::string::npos;
    return may_repeat && !paths_.add(path);
  }

  ModelWalk& walk_;
  const bool nested_;
  NameSet paths_{0};
};

// Tells a function of the nodes alone.
class NodeWalk final : public ModelWalk {
 public:
  explicit NodeWalk(const std::function<void(const NodePlace&)>& visit) : visit_(visit) {}
  void enter(const std::string& /*path*/, const Graph& /*graph*/) override {}
  void visit(const NodePlace& place, std::size_t /*position*/) override { visit_(place); }
  void leave() override {}

 private:
  const std::function<void(const NodePlace&)>& visit_;
};

}  // namespace

void walk_model(const Model& model, ModelWalk& walk) {
  const bool has_bodies = std::any_of(model.nodes.begin(), model.nodes.end(),
                                      [](const ModelNode& node) { return !node.bodies.empty(); });
  Walker walker(walk, has_bodies || !model.functions.empty());
  walker.go_through(model, "main");
  for (const ModelFunction& function : model.functions)
    walker.go_through(
        function.graph,
        "function " + function.domain + (function.domain.empty() ? "" : ".") + function.graph.name);
}

}  // namespace windrow::internal

namespace windrow {

void Model::visit_nodes(const std::function<void(const NodePlace&)>& visit) const {
  internal::NodeWalk walk(visit);
  internal::walk_model(*this, walk);
}

}  // namespace windrow

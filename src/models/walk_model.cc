#include "src/models/walk_model.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/numbered_graph.h"

namespace windrow::internal {
namespace {

// The longest part of a node's name, in bytes, that a path holds: the paths of nested bodies repeat
// the names.
constexpr std::size_t kLongestName = 200;

// The first bytes of a name, up to the end of a character.
std::string_view first_bytes(std::string_view name) {
  std::size_t end = kLongestName;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0U) == 0x80U) --end;
  return name.substr(0, end);
}

// A set of numbers, which tells whether a number was added before.
class NumberSet {
 public:
  explicit NumberSet(std::size_t expected) : slots_(std::bit_ceil(2 * expected + 2), kFree) {}

  // Returns whether the number is new. It must be below 2^64 - 1.
  bool add(std::uint64_t number) {
    if (2 * ++count_ > slots_.size()) grow();
    return insert(number);
  }
  // Fetches into the cache what add() will look at.
  void prefetch(std::uint64_t number) const { __builtin_prefetch(&slots_[first_slot(number)]); }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};

  std::size_t first_slot(std::uint64_t number) const {
    return static_cast<std::size_t>(number) & (slots_.size() - 1);
  }

  bool insert(std::uint64_t number) {
    std::size_t slot = first_slot(number);
    while (slots_[slot] != kFree && slots_[slot] != number) slot = (slot + 1) & (slots_.size() - 1);
    return std::exchange(slots_[slot], number) == kFree;
  }

  void grow() {
    std::vector<std::uint64_t> old(2 * slots_.size(), kFree);
    old.swap(slots_);
    for (const std::uint64_t number : old) {
      if (number != kFree) insert(number);
    }
  }

  std::vector<std::uint64_t> slots_;  // a power of two
  std::size_t count_ = 0;
};

// For each node, whether an earlier node has its name. Two names with the same hash, which are
// rare, count as the same: a node then gets a number in its path that it does not need.
std::vector<bool> find_repeated(const std::vector<ModelNode>& nodes) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(nodes.size());
  for (const ModelNode& node : nodes) hashes.push_back(hash_name(node.name));
  constexpr std::size_t kAhead = 16;  // numbers that are fetched while one is added
  NumberSet seen(nodes.size());
  std::vector<bool> repeated(nodes.size());
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i + kAhead < hashes.size()) seen.prefetch(hashes[i + kAhead]);
    repeated[i] = !seen.add(hashes[i]);
  }
  return repeated;
}

class Walker {
 public:
  // `nested`: whether there are graphs besides the main one.
  Walker(ModelWalk& walk, bool nested) : walk_(walk), nested_(nested) {}

  void go_through(const Graph& graph, const std::string& place) {
    walk_.enter(place, graph);
    const std::vector<bool> repeated = find_repeated(graph.nodes);
    std::string path;
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
      const ModelNode& node = graph.nodes[i];
      const bool is_long = node.name.size() > kLongestName;
      path.assign(place).append("/").append(is_long ? first_bytes(node.name) : node.name);
      if (repeated[i] || is_long) path += "#" + std::to_string(i);
      // Names may contain slashes and look like the path of another node.
      while (is_taken(path)) path += "#" + std::to_string(i);
      NodePlace found{std::move(path), node, graph};
      walk_.visit(found, i);
      path = std::move(found.path);  // the next one takes its memory
      for (const NodeBody& body : node.bodies) go_through(*body.graph, path + "." + body.attribute);
    }
    walk_.leave();
  }

 private:
  // Returns whether the path is taken; if it is not, takes it.
  bool is_taken(const std::string& path) {
    const bool may_repeat = nested_ || path.find('#') != std::string::npos;
    return may_repeat && !paths_.add(hash_name(path));
  }

  ModelWalk& walk_;
  const bool nested_;
  NumberSet paths_{0};  // their hashes, as in find_repeated()
};

// Calls a function for each node.
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

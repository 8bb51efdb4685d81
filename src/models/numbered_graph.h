#ifndef WINDROW_MODELS_NUMBERED_GRAPH_H_
#define WINDROW_MODELS_NUMBERED_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "windrow/models.h"

namespace windrow::internal {

// A value of a graph, by its position in the order of definition.
using ValueNumber = std::uint32_t;
// No value: an omitted input or output, or a name that nothing defines.
inline constexpr ValueNumber kNoValue = 0xffffffff;

// A number of 61 bits that differs from process to process, so that nobody can choose names that
// collide.
std::uint64_t hash_name(std::string_view name) noexcept;

// Gives names their numbers: 0, 1, 2, ... The names must outlive the object. A look-up takes the
// same time whatever names a file chooses.
class ValueNames {
 public:
  // Reserves memory for `count` names. More can be added.
  void reserve(std::size_t count);
  // The number of a new name; kNoValue if the name has one already.
  ValueNumber add(std::string_view name);
  // kNoValue if there is no such name.
  ValueNumber find(std::string_view name) const;
  // Fetches into the cache what add() of that name will look at.
  void prefetch(std::string_view name) const;
  std::string_view operator[](ValueNumber number) const { return names_[number]; }
  std::size_t size() const noexcept { return names_.size(); }

 private:
  // A slot of a hash table with open addressing, which takes half the time of std::unordered_map
  // for a million names.
  struct Slot {
    std::uint32_t hash = 0;
    ValueNumber number = kNoValue;  // kNoValue: free
  };

  // The slot of the name, or the free one where it belongs. Precondition: there is a free one.
  std::size_t find_slot(std::string_view name, std::uint64_t hash) const;
  // Slots are chosen by higher bits of the hash than the ones that are compared. Precondition:
  // slots_ is not empty.
  std::size_t first_slot(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> 24) & (slots_.size() - 1);
  }
  void grow(std::size_t slots);

  std::vector<Slot> slots_;  // none, or a power of two
  std::vector<std::string_view> names_;
};

// A graph with numbers for the names of its values, so that a walk over the nodes does not look up
// names. Constants come first, in the order of Graph::constants, then inputs, opaque constants, and
// what nodes define, each in its order. The graph must not change.
class NumberedGraph {
 public:
  // Numbers the main graph of a model or that of a function. Checks that every value is defined
  // once and before the nodes that use it, and that outputs are defined, also in the bodies of
  // nodes. Bodies see the values around them, except in models of OpenVINO. Errors: kFormat, with
  // the node and the value.
  static Result<NumberedGraph> of(const Model& model, const Graph& graph) {
    return of(graph, Scope{nullptr, model.dialect == "openvino"});
  }

  std::size_t value_count() const noexcept { return names_.size(); }
  // The values that no node defines: constants, inputs, opaque constants.
  std::size_t given_count() const noexcept { return given_count_; }
  std::string_view name(ValueNumber value) const { return names_[value]; }
  // kNoValue if the graph has no such value.
  ValueNumber find(std::string_view name) const { return names_.find(name); }

  // The values of a node by its position; kNoValue where the node omits one, or where a node of a
  // body reads a value of a graph around it.
  std::span<const ValueNumber> inputs(std::size_t node) const { return list(2 * node); }
  std::span<const ValueNumber> outputs(std::size_t node) const { return list(2 * node + 1); }

  // The bodies of all nodes, in the order of the nodes and of each one's bodies.
  std::span<const NumberedGraph> bodies() const { return bodies_; }

 private:
  // What a graph sees of the graphs around it.
  struct Scope {
    // The graph with the node whose body this is, as far as it is numbered; null if the graph sees
    // none.
    const NumberedGraph* around = nullptr;
    bool bodies_are_closed = false;  // whether bodies see nothing around them
  };

  explicit NumberedGraph(const Scope& scope) : scope_(scope) {}

  static Result<NumberedGraph> of(const Graph& graph, const Scope& scope);
  Status define_given(const Graph& graph);
  Status add_node(const ModelNode& node);
  // Whether the name is defined in this graph or in one around it.
  bool is_defined(std::string_view name) const;
  std::span<const ValueNumber> list(std::size_t index) const {
    return {values_.data() + ends_[index], values_.data() + ends_[index + 1]};
  }

  Scope scope_;  // while the graph is made
  ValueNames names_;
  std::size_t given_count_ = 0;
  std::vector<NumberedGraph> bodies_;
  std::vector<ValueNumber> values_;  // inputs and outputs of one node after another
  std::vector<std::size_t> ends_ = {0};
};

// Checks the main graph of a model, all bodies and functions, as NumberedGraph::of() does.
Status check_graphs(const Model& model);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_NUMBERED_GRAPH_H_

#ifndef WINDROW_MODELS_INFERRED_GRAPH_H_
#define WINDROW_MODELS_INFERRED_GRAPH_H_

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "src/models/knowledge.h"
#include "src/models/numbered_graph.h"
#include "windrow/models.h"

namespace windrow::internal {

// One graph of a model during inference: what is known about its values, and its bodies. The model,
// the numbering and the graph around this one must outlive it.
class InferredGraph {
 public:
  // `around`: the graph with the node whose body this is, of which the first `visible` values are
  // defined before that node; null for others.
  InferredGraph(const Graph& graph, const NumberedGraph& numbers, std::string path,
                const InferredGraph* around, std::size_t visible);

  const Graph& graph() const noexcept { return *graph_; }
  const NumberedGraph& numbers() const noexcept { return *numbers_; }
  const std::string& path() const noexcept { return path_; }
  bool is_body() const noexcept { return around_ != nullptr; }

  // Makes all values unknown and forgets faults, before the nodes are inferred. Before the first
  // call there are no values.
  void clear();
  // Sets what is known about a value, which gets its own name. kNoValue is ignored.
  void set(ValueNumber number, Knowledge&& known);
  KnowledgeRef find(ValueNumber number) const;
  // By name, in this graph or in one around it. An empty name gives an unknown value.
  KnowledgeRef find(std::string_view name) const;
  // An input of a node. An omitted input gives an unknown value.
  KnowledgeRef input(std::size_t node, std::size_t position) const;
  // All values, including claims.
  std::vector<ValueInfo>& values() noexcept { return values_; }
  const std::vector<ValueInfo>& values() const noexcept { return values_; }
  // The constant of that name, in this graph or in one around it; null if the name is not a
  // constant's.
  const Constant* constant(std::string_view name) const;

  // What the file declares about values other than the main graph's inputs, by their numbers.
  using Claims = std::vector<std::pair<ValueNumber, const ValueInfo*>>;
  std::span<const Claims::value_type> claims(ValueNumber number) const;

  // Something wrong at a node, given by its position; kNoNode for a value that no node gives.
  struct Fault {
    std::size_t node;
    Finding::Kind kind;
    std::string value;
    Status status;
    std::string claim;
    Basis claimed_by = Basis::kClaimed;
  };
  static constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
  // In the order of the nodes.
  std::vector<Fault>& faults() noexcept { return faults_; }
  const std::vector<Fault>& faults() const noexcept { return faults_; }

  // Bodies in the order of NumberedGraph::bodies.
  void add_body(std::size_t node, std::unique_ptr<InferredGraph> body);
  std::span<const std::unique_ptr<InferredGraph>> bodies() const { return bodies_; }
  std::span<const std::unique_ptr<InferredGraph>> bodies(std::size_t node) const;

 private:
  // A value about which claims say more.
  struct Claimed {
    ValueInfo proven;
    std::string claim;
  };
  // The graph that defines the name, and its number there; null and kNoValue if no graph does.
  std::pair<const InferredGraph*, ValueNumber> place_of(std::string_view name) const;

  const Graph* graph_;
  const NumberedGraph* numbers_;
  std::string path_;
  const InferredGraph* around_;
  std::size_t visible_;
  std::vector<ValueInfo> values_;
  std::unordered_map<ValueNumber, Claimed> claimed_;
  Claims claims_;  // ascending
  std::vector<Fault> faults_;
  std::vector<std::unique_ptr<InferredGraph>> bodies_;
  std::vector<std::size_t> body_nodes_;  // of each body its node; ascending
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_INFERRED_GRAPH_H_

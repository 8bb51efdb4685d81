#ifndef WINDROW_MODELS_FUNCTION_CALLS_H_
#define WINDROW_MODELS_FUNCTION_CALLS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/models/inferred_model.h"

namespace windrow::internal {

// What is known of the inputs of a model's functions at the nodes that call them.
class FunctionCalls {
 public:
  // `model` must outlive the object.
  explicit FunctionCalls(const Model& model);

  // The positions of the functions in Model::functions, callers in front of what they call.
  const std::vector<std::size_t>& order() const { return order_; }
  // Takes the calls in a graph and its bodies, as the graph is inferred now.
  void add(const InferredGraph& graph);

  // The inputs of different calls of a function, at most 16 of them, and what holds in all calls.
  // Both are empty if no call was added, or if the function calls itself.
  struct Calls {
    std::vector<std::vector<Knowledge>> different;
    std::vector<Knowledge> all;
  };
  const Calls& of(std::size_t function) const { return calls_[function]; }

 private:
  std::optional<std::size_t> called_by(const ModelNode& node) const;
  // Numbers of calls by the functions that are called.
  using Counts = std::map<std::size_t, std::size_t>;
  void count_calls(const Graph& graph, Counts& counts) const;
  void find_order();

  const Model& model_;
  // Without functions that share domain and name.
  std::map<std::pair<std::string, std::string>, std::size_t> positions_;
  std::vector<std::size_t> order_;
  std::vector<bool> is_recursive_;
  std::vector<Calls> calls_;
};

// The faults of a graph and its bodies, kept while the graph is inferred once more.
class KeptFaults {
 public:
  // Adds those that the graph has now.
  void keep(const InferredGraph& graph);
  // Adds them to those of the graph that has not found the same. Returns the number of those that
  // were added.
  std::size_t restore(InferredGraph& graph) const;

 private:
  std::size_t restore(InferredGraph& graph, std::size_t& next) const;
  void keep(const InferredGraph& graph, std::size_t& next);

  std::vector<std::vector<InferredGraph::Fault>> faults_;  // of each graph, in front of its bodies
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_FUNCTION_CALLS_H_

#ifndef WINDROW_TOOLS_WINDROW_EXPLAIN_NODE_H_
#define WINDROW_TOOLS_WINDROW_EXPLAIN_NODE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/windrow/model_inputs.h"
#include "windrow/models.h"

namespace windrow::tool {

// What `windrow explain MODEL` is told.
struct NodeQuestion {
  std::string model;                  // a path
  std::string node;                   // its name, or that of a value that it gives
  std::vector<std::string> inputs;    // as load_inputs() takes them
  std::optional<std::uint64_t> seed;  // of random inputs
  std::vector<std::string> dims;      // as parse_symbols() takes them
};

// One node of a model as a call of its operator.
struct NodeCall {
  OperatorId id;
  Attributes attributes;
  std::vector<TensorView> inputs;  // given and random ones, and constants of at most 64 MiB, with
                                   // their values
  // What the views refer to.
  TensorsByName tensors;
  std::vector<std::shared_ptr<const Tensor>> constants;
};

// Whether the word of a command line is a model's file by the end of its name.
bool names_model(const std::string& word);

// Throws Error if there is no such node, if it is none of the operator table, or if type or shape
// of an input is not known.
NodeCall find_node_call(const NodeQuestion& question);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_EXPLAIN_NODE_H_

#ifndef WINDROW_LOWEST_OPSET_H_
#define WINDROW_LOWEST_OPSET_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "windrow/export.h"
#include "windrow/inference.h"
#include "windrow/status.h"

// Which opset a model needs for its gathers and scatters. In the library windrow::models.
namespace windrow {

class Model;

// The lowest opset of one gather or scatter node.
struct NodeOpset {
  std::string node;             // its path, as in NodePlace
  std::string operator_name;    // "onnx.GatherND"
  std::string domain;           // "" (ai.onnx) or "ai.onnx.ml"
  std::optional<int> declared;  // what the model, or the node's function, imports; absent: nothing
  // The lowest opset whose operator allows the node; absent: none does.
  std::optional<int> lowest;
  // The rule that forbids the version before `lowest`, or, if no opset allows the node, the version
  // that the node has. Empty: the operator came with `lowest`, or no rule has that name.
  std::string rule;
  std::string why;  // a sentence without a subject that is complete by itself

  bool is_enough() const noexcept { return declared && lowest && *declared >= *lowest; }
};

// What a model needs of one domain.
struct DomainOpset {
  std::string domain;
  std::optional<int> declared;  // what the model imports; absent: nothing
  // The highest of the nodes' lowest opsets; absent: no opset allows one of the nodes.
  std::optional<int> lowest;
  std::string node;  // the path of the first node that needs it, or that no opset allows
};

struct LowestOpset {
  std::vector<DomainOpset> domains;  // in the order of their first nodes; empty without nodes
  std::vector<NodeOpset> nodes;      // in the order of Model::visit_nodes; at most 10000
  std::size_t left_out = 0;          // number of nodes left out
  bool is_enough = true;             // whether each node's declared opset is at least its lowest
};

// Says for each gather and scatter node of an ONNX model which opset it needs at least, by what is
// known of its attributes, types and shapes, and by indices that are negative in every run: before
// opset 11 no operator says what they address. What the file claims of inner values is not used.
// Errors: those of Model::infer; kUnsupported (a model of another dialect, which has no opsets).
WINDROW_EXPORT Result<LowestOpset> lowest_opset(const Model& model, const InferOptions& infer = {});

}  // namespace windrow

#endif  // WINDROW_LOWEST_OPSET_H_

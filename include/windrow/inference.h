#ifndef WINDROW_INFERENCE_H_
#define WINDROW_INFERENCE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windrow/dim.h"
#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/status.h"

// What is known of a model's values before it runs. In the library windrow::models.
namespace windrow {

class Model;

// What the knowledge of a value is based on. Of several, the last one in this order counts.
enum class Basis : std::uint8_t {
  kUnknown,  // nothing is known
  kProven,   // declared inputs of the main graph, constants and the rules of operators
  kOnnx,     // also what InferOptions::infer_others says of other operators
  kClaimed,  // also what the file declares of inner values and outputs, which may be wrong
};

// "unknown", "proven", "onnx" or "claimed".
WINDROW_EXPORT std::string_view basis_name(Basis basis) noexcept;

// What inference knows of one element: a number, the symbol of a dimension, or nothing.
struct KnownElement {
  std::optional<std::int64_t> value;
  std::string symbol;
  friend bool operator==(const KnownElement&, const KnownElement&) = default;
};

// A value as a model declares it or as inference finds it.
struct ValueInfo {
  std::string name;
  DType dtype = DType::kAbsent;  // kAbsent: unknown
  SymbolicShape dims;            // absent: unknown rank
  // The elements, if infer() knows them: for small integer tensors of rank 0 or 1.
  std::optional<std::vector<KnownElement>> elements = std::nullopt;
  Basis basis = Basis::kUnknown;  // set by inference only
  // The name of an element type that the library does not have, such as "int2"; `dtype` is kAbsent
  // then. Empty: there is none.
  std::string other_type = {};
};

// "float32[N, 3]", "int2[4]"; "?" stands for what is unknown.
WINDROW_EXPORT std::string to_string(const ValueInfo& value);

// The values of a graph by their names.
using ValueInfos = std::map<std::string, ValueInfo, std::less<>>;
// The values of several graphs by the graphs' paths, which are those of Inference.
using GraphValueInfos = std::map<std::string, ValueInfos, std::less<>>;

struct InferOptions {
  // Returns what is known of the outputs of operators for which the library has no rules. Called at
  // most once, with the model, and only if a gather or scatter reads a value whose type or rank is
  // unknown without claims. If it fails, its message becomes a note, and inference goes on without
  // it.
  std::function<Result<GraphValueInfos>(const Model&)> infer_others;
};

// A problem that inference found.
struct Finding {
  enum class Kind : std::uint8_t {
    kBrokenRule,     // a node's inputs or attributes break a rule of its operator
    kContradiction,  // the file declares a value other than it is
  };
  Kind kind = Kind::kBrokenRule;
  std::string graph;  // its path, as in Inference
  std::string node;   // the node's path, as in NodePlace; empty: a value that no node computes
  std::string value;  // the value that is contradicted, or the node's first output (may be empty)
  Status status;      // the operator's own error with its label; kFormat for a contradiction
  // The value whose claim this is based on: if the claim is wrong, this may be, too. Empty: none.
  std::string claim;
  // Who claims it: kClaimed (the file) or kOnnx (InferOptions::infer_others).
  Basis claimed_by = Basis::kClaimed;
};

// "node 'pick': onnx.Gather-13 [ONNX-Gather-A1] ... (if 'r' is what the file claims)"; nodes
// outside of the main graph by their paths.
WINDROW_EXPORT std::string to_string(const Finding& finding);

struct Findings {
  std::vector<Finding> list;  // in the order of Model::visit_nodes; at most 1000
  std::size_t left_out = 0;   // number of findings left out
};

// What inference found of the values of one graph.
struct GraphInference {
  std::string path;  // "main", "main/loop_3.body", "function mine.Twice"
  ValueInfos values;
};

struct Inference {
  std::vector<GraphInference> graphs;  // in the order of Model::visit_nodes, the main graph first
  Findings findings;
  std::vector<std::string> notes;  // what inference could not do, one sentence each

  // The values of the main graph.
  const ValueInfos& values() const& { return graphs.front().values; }
  ValueInfos values() && { return std::move(graphs.front().values); }
  // The first kBrokenRule, as an error that names its node; success if there is none.
  WINDROW_EXPORT Status first_broken_rule() const;
};

}  // namespace windrow

#endif  // WINDROW_INFERENCE_H_

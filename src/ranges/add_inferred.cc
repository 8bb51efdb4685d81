#include "src/ranges/add_inferred.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "src/models/knowledge.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

// What the finder and inference together know of an extent; nothing if they contradict each other.
std::optional<Dim> both(const Dim& found, const Dim& inferred) {
  if (found.is_known() && inferred.is_known() && found.value != inferred.value) return std::nullopt;
  if (inferred.is_known()) return inferred;
  return found.is_known() || found.symbol != "" || inferred.symbol.empty() ? found : inferred;
}

// Adds the type where none is known. Returns whether it did.
bool add_type(const ValueInfo& inferred, ValueFact& fact) {
  if (fact.dtype != DType::kAbsent || !fact.other_type.empty() || !has_type(inferred)) return false;
  fact.dtype = inferred.dtype;
  fact.other_type = inferred.other_type;
  return true;
}

void add_proven(const ValueInfo& inferred, ValueFact& fact) {
  const bool other_type = fact.dtype != DType::kAbsent && inferred.dtype != DType::kAbsent &&
                          fact.dtype != inferred.dtype;
  bool contradicts = other_type;
  if (fact.dims && inferred.dims) {
    contradicts = contradicts || fact.dims->size() != inferred.dims->size();
    for (std::size_t i = 0; !contradicts && i < fact.dims->size(); ++i) {
      const std::optional<Dim> dim = both((*fact.dims)[i], (*inferred.dims)[i]);
      contradicts = !dim;
      if (dim) (*fact.dims)[i] = *dim;
    }
  } else if (inferred.dims) {
    fact.dims = inferred.dims;
  }
  if (contradicts) {
    const DType type = other_type ? DType::kAbsent : fact.dtype;
    fact = ValueFact();
    fact.dtype = type;
  } else {
    add_type(inferred, fact);
  }
}

// "y (MaxPool) has the shape float32[1, 8, 4, 4], as onnx infers"
std::string claim_text(const InferredGraph& graph, const ModelNode* node, const ValueInfo& claim) {
  std::string text = printable(claim.name);
  if (node != nullptr) text += " (" + printable(node->op_type) + ")";
  if (graph.path() != "main") text += " of " + printable(graph.path());
  if (!claim.dims) return text + " has the type " + type_text(claim) + ", as onnx infers";
  return text + " has the shape " + to_string(claim) + ", as onnx infers";
}

// Adds the claimed extents of which nothing is known, as far as claim_text() shows them. Returns
// whether there are any.
bool add_dims(const SymbolicShape& claimed, SymbolicShape& dims) {
  if (!claimed) return false;
  bool is_any = !dims;
  if (!dims) dims.emplace(claimed->size());
  for (std::size_t axis = 0; axis < dims->size(); ++axis) {
    Dim& dim = (*dims)[axis];
    const Dim& said = (*claimed)[axis];
    if (dim != Dim() || (!said.is_known() && said.symbol.empty())) continue;
    dim = Dim{said.value, said.symbol};
    is_any = true;
  }
  return is_any;
}

void add_claim(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
               ValueFact& fact, Extents& extents) {
  const ValueInfo& inferred = *graph.find(value).proven;
  ValueInfo claim{std::string(graph.numbers().name(value)), fact.dtype, fact.dims};
  claim.other_type = fact.other_type;
  if (contradicts(inferred, claim)) return;
  const bool adds_type = add_type(inferred, fact);
  const bool adds_dims = add_dims(inferred.dims, fact.dims);
  if (!adds_type && !adds_dims) return;
  claim.dtype = fact.dtype;
  claim.other_type = fact.other_type;
  claim.dims = adds_dims ? fact.dims : std::nullopt;
  const Premises premise = extents.premise(claim_text(graph, node, claim));
  if (adds_type) fact.type_premises = premise;
  if (adds_dims) fact.shape_premises = united(fact.shape_premises, premise);
}

// Whether every extent that onnx infers is the one that was found.
bool agrees(const ValueInfo& inferred, const ValueFact& fact) {
  if (!inferred.dims || !fact.dims || inferred.dims->size() != fact.dims->size()) return false;
  for (std::size_t axis = 0; axis < fact.dims->size(); ++axis) {
    const Dim& said = (*inferred.dims)[axis];
    if (said.is_known() && said.value != (*fact.dims)[axis].value) return false;
  }
  return true;
}

}  // namespace

void add_inferred(const InferredGraph& graph, ValueNumber value, const ModelNode* node,
                  ValueFact& fact, Extents& extents) {
  const ValueInfo& inferred = *graph.find(value).proven;
  if (inferred.basis == Basis::kOnnx) {
    add_claim(graph, value, node, fact, extents);
    const bool is_read = extents.profile().infers_as_onnx && agrees(inferred, fact);
    if (is_read) fact.dispute = Dispute::kNone;
  } else if (fact.dispute != Dispute::kNone) {
    add_type(inferred, fact);
  } else {
    add_proven(inferred, fact);
  }
}

}  // namespace windrow::internal

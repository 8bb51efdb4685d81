#include "src/models/knowledge.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace windrow::internal {
namespace {

bool contradicts(const Dim& declared, const Dim& found) {
  if (!declared.is_known()) return false;
  return found.is_known() ? declared.value != found.value
                          : declared.value < found.low || declared.value > found.high;
}

bool adds(const Dim& declared, const Dim& found) {
  return !found.is_known() && (declared.is_known() || (found == Dim() && !(declared == Dim())));
}

}  // namespace

Knowledge KnowledgeRef::copy() const {
  if (claim == nullptr) return {*proven};
  return {*proven, *completed, *claim};
}

bool is_same(const ValueInfo& a, const ValueInfo& b) {
  return is_same_type(a, b) && a.dims == b.dims && a.elements == b.elements;
}

bool is_same(const Knowledge& a, const Knowledge& b) {
  return is_same(a.proven, b.proven) && a.completed.has_value() == b.completed.has_value() &&
         (!a.completed || is_same(*a.completed, *b.completed));
}

bool contradicts(const ValueInfo& declared, const ValueInfo& found) {
  if (has_type(declared) && has_type(found) && !is_same_type(declared, found)) return true;
  if (!declared.dims || !found.dims) return false;
  return declared.dims->size() != found.dims->size() ||
         !std::equal(declared.dims->begin(), declared.dims->end(), found.dims->begin(),
                     [](const Dim& a, const Dim& b) { return !contradicts(a, b); });
}

bool adds(const ValueInfo& declared, const ValueInfo& found) {
  if (!has_type(found) && has_type(declared)) return true;
  if (!declared.dims) return false;
  return !found.dims ||
         !std::equal(declared.dims->begin(), declared.dims->end(), found.dims->begin(),
                     found.dims->end(), [](const Dim& a, const Dim& b) { return !adds(a, b); });
}

ValueInfo completed(ValueInfo found, const ValueInfo& declared) {
  if (!has_type(found)) {
    found.dtype = declared.dtype;
    found.other_type = declared.other_type;
  }
  if (!found.dims) found.dims = declared.dims;
  if (!declared.dims) return found;
  for (std::size_t axis = 0; axis < found.dims->size(); ++axis) {
    if (adds((*declared.dims)[axis], (*found.dims)[axis]))
      (*found.dims)[axis] = (*declared.dims)[axis];
  }
  return found;
}

ValueInfo join(const ValueInfo& a, const ValueInfo& b) {
  ValueInfo both{a.name, DType::kAbsent, std::nullopt};
  if (is_same_type(a, b)) {
    both.dtype = a.dtype;
    both.other_type = a.other_type;
  }
  if (a.dims && b.dims && a.dims->size() == b.dims->size()) {
    both.dims = a.dims;
    for (std::size_t axis = 0; axis < both.dims->size(); ++axis) {
      if ((*a.dims)[axis] != (*b.dims)[axis]) (*both.dims)[axis] = Dim();
    }
  }
  if (a.elements == b.elements) both.elements = a.elements;
  if (!is_unknown(both)) both.basis = std::max(a.basis, b.basis);
  return both;
}

Knowledge join(const Knowledge& a, const Knowledge& b) {
  Knowledge both{join(a.proven, b.proven)};
  if (!a.completed && !b.completed) return both;
  ValueInfo claimed = join(a.in(View::kCompleted), b.in(View::kCompleted));
  if (is_same(claimed, both.proven)) return both;
  both.completed = std::move(claimed);
  both.claim = a.completed ? a.claim : b.claim;
  return both;
}

}  // namespace windrow::internal

// Gathers whose indices a Range counts, of which ONNX Runtime makes slices.

#include <algorithm>

#include "src/models/host_ops/host_ops.h"
#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

// Whether a Range of the node's own graph gives the value and no other node reads it.
bool is_range_for_one_reader(const Graph& graph, const std::string& value) {
  bool is_range = false;
  std::ptrdiff_t readers = 0;
  for (const ModelNode& node : graph.nodes) {
    const bool gives = !node.outputs.empty() && node.outputs.front() == value;
    is_range |= gives && is_standard(node, "Range");
    readers += std::count(node.inputs.begin(), node.inputs.end(), value);
  }
  return is_range && readers == 1;
}

// Whether all indices are certain to lie below the extent.
bool are_below(const NodeView& node, Premises& premises) {
  if (!node.columns || node.indices.fact.range.integers.empty()) return false;
  const std::vector<Interval>& all = node.indices.fact.range.integers;
  premises = united(premises, premises_of_values(node.indices.fact));
  return std::all_of(all.begin(), all.end(), [&](const Interval& one) {
    return node.extents->is_below(one, node.columns->front().extent, premises);
  });
}

// Whether an index is certain to lie beyond the extent.
bool is_one_beyond(const NodeView& node) {
  if (!node.columns || !node.indices.has_elements()) return false;
  const Dim& extent = node.columns->front().extent;
  const std::vector<Interval>& all = node.indices.fact.range.integers;
  return extent.is_known() && std::any_of(all.begin(), all.end(), [&extent](const Interval& one) {
           return one.low >= extent.value;
         });
}

}  // namespace

std::optional<Judgement> judge_range_indices(const NodeView& node) {
  const std::optional<RangeEnds>& ends = node.indices.fact.range_ends;
  if (!ends || !is_range_for_one_reader(node.place->graph, node.value_of(node.indices)))
    return std::nullopt;
  const std::string range = "the Range that gives indices ";
  if (ends->start.high < 0) return happens(range + "starts at a negative number");
  if (ends->limit.high < 0) return happens(range + "has a negative limit");
  Judgement judgement;
  if (is_one_beyond(node)) {
    judgement = happens(range + "has an index beyond the axis");
    judgement.premises = premises_of_values(node.indices.fact);
    return judgement;
  }
  const bool is_negative = ends->start.low < 0 || ends->limit.low < 0;
  Premises premises;
  if (!is_negative && are_below(node, premises)) {
    judgement = cannot(range + "counts positions on the axis");
    judgement.premises = std::move(premises);
    return judgement;
  }
  return can(range + (is_negative ? "may have a negative start or limit"
                                  : "may have an index beyond the axis"));
}

}  // namespace windrow::internal

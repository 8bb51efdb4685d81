#include "src/portability/cells.h"
#include "src/portability/judges.h"
#include "src/portability/tensor_elements.h"
#include "src/ranges/dims.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

// The numbers of updates and of cells in each group of updates that shares no cell with another
// group: the whole node, or for ScatterElements one line of indices along the axis. Nothing if not
// known.
struct Counts {
  std::optional<std::int64_t> updates;
  std::optional<std::int64_t> cells;
};

Counts count_updates(const NodeView& node) {
  Counts counts;
  const auto rank = node.indices.rank();
  if (!rank) return counts;
  if (node.family == kScatterElements) {
    if (!node.axis) return counts;
    return {node.indices.extent(*node.axis), node.data.extent(*node.axis)};
  }
  const bool is_tupled = node.family == kScatterND;
  if (is_tupled && *rank == 0) return counts;
  counts.updates = count_of(*node.indices.fact.dims, 0, is_tupled ? *rank - 1 : *rank);
  if (node.columns && !node.columns->empty()) {
    const std::size_t first = node.columns->front().axis;
    counts.cells = count_of(*node.data.fact.dims, first, first + node.columns->size());
  }
  if (node.columns && node.columns->empty()) counts.cells = 1;
  return counts;
}

Judgement judge_repeats(const NodeView& node) {
  const InputView& indices = node.indices;
  const Counts counts = count_updates(node);
  if (indices.is_empty()) return cannot("there are no updates");
  if (counts.updates && *counts.updates <= 1) return cannot("no cell has a second update");
  const ExactElements known = exact_elements(indices);
  if (known.tensor != nullptr) {
    const Repeat repeat = find_repeat(node, *known.tensor);
    if (repeat.found) {
      Judgement judgement =
          *repeat.found ? happens(node.text_of(indices) + position_text(repeat.position) +
                                  " addresses a cell that an earlier one addresses, too")
                        : cannot("all " + node.text_of(indices) + " address different cells");
      judgement.input = &indices;
      judgement.position = repeat.position;
      judgement.evidence = known.evidence;
      if (known.evidence == Evidence::kRange) judgement.premises = indices.fact.range.premises;
      return judgement;
    }
  }
  if (counts.updates && counts.cells && *counts.updates > *counts.cells && *counts.cells > 0 &&
      indices.has_elements())
    return happens(counted(*counts.updates, "update is of", "updates are of") + " " +
                   counted(*counts.cells, "cell"));
  return verdict_by_range(
      indices, false,
      "nothing proves that all " + node.text_of(indices) + " address different cells",
      {.words = "must not address a cell twice"});
}

}  // namespace

std::optional<Judgement> judge_duplicates(const NodeView& node) {
  if (node.reduces()) return std::nullopt;
  return judge_repeats(node);
}

// Reductions exist to address cells repeatedly, so there is no demand on the caller.
std::optional<Judgement> judge_reduced_duplicates(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  Judgement judgement = judge_repeats(node);
  judgement.demands.clear();
  return judgement;
}

std::optional<Judgement> judge_float_sums(const NodeView& node) {
  if (!node.computes() || dtype_kind(node.data.fact.dtype) != DTypeKind::kFloat)
    return std::nullopt;
  return judge_reduced_duplicates(node);
}

}  // namespace windrow::internal

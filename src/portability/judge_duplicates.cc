#include <algorithm>

#include "src/base/checked.h"
#include "src/portability/cells.h"
#include "src/portability/judges.h"
#include "src/portability/tensor_elements.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

// How many updates there are of how many cells, in each of the groups that share no cell: the whole
// node, or, of ScatterElements, one line of indices along the axis. Nothing: not known.
struct Counts {
  std::optional<std::int64_t> updates;
  std::optional<std::int64_t> cells;
};

std::optional<std::int64_t> product(const InputView& input, std::size_t from, std::size_t to) {
  std::optional<std::int64_t> product = 1;
  for (std::size_t axis = from; axis < to && product; ++axis) {
    const auto extent = input.extent(axis);
    if (!extent) return std::nullopt;
    product = checked_mul(*product, *extent);
  }
  return product;
}

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
  counts.updates = product(node.indices, 0, is_tupled ? *rank - 1 : *rank);
  if (node.columns && !node.columns->empty()) {
    const std::size_t first = node.columns->front().axis;
    counts.cells = product(node.data, first, first + node.columns->size());
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
  Judgement judgement =
      can("nothing proves that all " + node.text_of(indices) + " address different cells");
  judgement.input = &indices;
  judgement.evidence = Evidence::kRange;
  judgement.demands = {{&indices, {.words = "must not address a cell twice"}}};
  return judgement;
}

}  // namespace

std::optional<Judgement> judge_duplicates(const NodeView& node) {
  if (node.reduces()) return std::nullopt;
  return judge_repeats(node);
}

// Reductions are there to address cells repeatedly: no caller could be asked not to.
std::optional<Judgement> judge_reduced_duplicates(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  Judgement judgement = judge_repeats(node);
  judgement.demands.clear();
  return judgement;
}

std::optional<Judgement> judge_float_sums(const NodeView& node) {
  const bool is_arithmetic = node.reduction == "add" || node.reduction == "mul" ||
                             node.reduction == "sub" || node.reduction == "mean";
  if (!is_arithmetic || dtype_kind(node.data.fact.dtype) != DTypeKind::kFloat) return std::nullopt;
  return judge_reduced_duplicates(node);
}

}  // namespace windrow::internal

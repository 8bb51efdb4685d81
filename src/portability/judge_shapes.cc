#include <algorithm>
#include <initializer_list>
#include <limits>

#include "src/base/integers.h"
#include "src/portability/judges.h"
#include "src/ranges/extents.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kMostTensorrtRank = 8;
constexpr std::int64_t kMostVolume = std::numeric_limits<std::int32_t>::max();

std::string shape_text(const InputView& input) {
  ValueInfo value;
  value.dims = input.fact.dims;
  const std::string text = to_string(value);
  return std::string(input.name) + (text.starts_with('?') ? text.substr(1) : text);
}

std::string shapes_text(const NodeView& node) {
  return shape_text(node.data) + " and " + shape_text(node.indices);
}

// Whether the extent `a` is at most `b`; nothing if that is not known.
std::optional<bool> is_at_most(const Dim& a, const Dim& b, Extents& extents, Premises& premises) {
  if (most(a) <= least(b)) return true;
  if (least(a) > most(b)) return false;
  // If every position on an axis of extent `a` is less than `b`, `a` is at most `b`.
  const bool is_proved = !a.is_known() && extents.find(a.symbol) >= 0 &&
                         extents.is_below(extents.position_on(a), b, premises);
  return is_proved ? std::optional(true) : std::nullopt;
}

// Whether the caller of the model chooses the extent.
bool is_of_input(const Dim& dim, const Extents& extents) {
  const ExtentNumber extent = extents.find(dim.symbol);
  return extent >= 0 && extents.is_of_input(extent);
}

// Sets `all` to `all` or `one`, where nothing stands for not known.
void join(std::optional<bool>& all, std::optional<bool> one) {
  if (all == true) return;
  if (!one || *one) all = one;
}

std::optional<bool> inverse(std::optional<bool> value) {
  if (value) *value = !*value;
  return value;
}

Judgement with_premises(Judgement judgement, Premises premises) {
  if (judgement.verdict == Verdict::kCannot) judgement.premises = std::move(premises);
  return judgement;
}

// Judges whether an extent of indices is larger (or, if `smaller`, smaller) than that of data, on
// the axis that indices address (`on_axis`) and on the others (`off_axis`).
Judgement compare_extents(const NodeView& node, bool smaller, bool on_axis, bool off_axis) {
  const SymbolicShape& data = node.data.fact.dims;
  const SymbolicShape& indices = node.indices.fact.dims;
  if (!data || !indices || data->size() != indices->size())
    return can("the shapes of data and indices are not known");
  std::optional<bool> holds = false;
  Premises premises;
  for (std::size_t axis = 0; axis < data->size(); ++axis) {
    if (!on_axis && !node.axis) {
      join(holds, std::nullopt);
      continue;
    }
    if (node.axis && !(axis == *node.axis ? on_axis : off_axis)) continue;
    const Dim& one = (*indices)[axis];
    const Dim& other = (*data)[axis];
    join(holds, inverse(smaller ? is_at_most(other, one, *node.extents, premises)
                                : is_at_most(one, other, *node.extents, premises)));
  }
  return with_premises(
      verdict_on(node, holds, [&node] { return "the shapes are " + shapes_text(node); }),
      std::move(premises));
}

std::optional<bool> are_batches_equal(const NodeView& node, Premises& premises) {
  const SymbolicShape& data = node.data.fact.dims;
  const SymbolicShape& indices = node.indices.fact.dims;
  if (!data || !indices) return std::nullopt;
  std::optional<bool> differ = false;
  for (std::int64_t axis = 0; axis < node.batch_dims; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (at >= data->size() || at >= indices->size()) return std::nullopt;
    join(differ, inverse(is_at_most((*data)[at], (*indices)[at], *node.extents, premises)));
    join(differ, inverse(is_at_most((*indices)[at], (*data)[at], *node.extents, premises)));
  }
  return inverse(differ);
}

// The least number of elements of a shape whose unknown extents are not 0; nothing if it does not
// fit in int64.
std::optional<std::int64_t> least_volume(const std::vector<Dim>& dims) {
  std::optional<std::int64_t> volume = 1;
  for (const Dim& dim : dims) {
    if (dim.value == 0) return 0;
    if (volume) volume = checked_mul(*volume, std::max<std::int64_t>(least(dim), 1));
  }
  return volume;
}

// Calls `look` with the shape and the name of each tensor of the node.
template <class Look>
void for_each_shape(const NodeView& node, const Look& look) {
  for (const InputView* input : {&node.data, &node.indices, &node.updates}) {
    if (input->is_given()) look(input->fact.dims, std::string(input->name));
  }
  for (const ValueFact& output : node.outputs) look(output.dims, "the result");
}

// Whether the result is one slice of data that stands at a constant index and lies in one piece, so
// that a runtime need not move it.
bool is_view_of_data(const NodeView& node) {
  const bool is_constant =
      node.indices.fact.constant != nullptr && node.indices.fact.source_input.empty();
  if (!is_constant || node.indices.count() != 1 || !node.axis || !node.data.fact.dims) return false;
  const std::vector<Dim>& dims = *node.data.fact.dims;
  return *node.axis < dims.size() &&
         std::all_of(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(*node.axis),
                     [](const Dim& dim) { return dim.value == 1; });
}

}  // namespace

std::optional<Judgement> judge_rank(const NodeView& node) {
  std::optional<bool> holds = false;
  std::string what = "no tensor has a rank above 8";
  for_each_shape(node, [&](const SymbolicShape& dims, const std::string& name) {
    if (!dims) return join(holds, std::nullopt);
    if (dims->size() <= kMostTensorrtRank) return;
    what = name + " has rank " + std::to_string(dims->size());
    holds = true;
  });
  if (!holds) return std::nullopt;  // an unknown rank is not a finding
  return verdict_of(holds, what);
}

std::optional<Judgement> judge_volume(const NodeView& node) {
  bool is_known = true;
  std::optional<Judgement> found;
  for_each_shape(node, [&](const SymbolicShape& dims, const std::string& name) {
    is_known = is_known && known_extents(dims);
    if (!dims || found) return;
    const std::optional<std::int64_t> volume = least_volume(*dims);
    if (volume && *volume <= kMostVolume) return;
    found = happens(name + " has " + (volume ? std::to_string(*volume) : "more than 2^63-1") +
                    " elements");
  });
  if (found) return found;
  if (!is_known) return std::nullopt;  // any dynamic model might exceed the limit
  return cannot("no tensor has more than 2^31-1 elements");
}

std::optional<Judgement> judge_longer_indices(const NodeView& node) {
  if (node.reduces()) return std::nullopt;
  return compare_extents(node, false, true, true);
}

std::optional<Judgement> judge_longer_off_axis(const NodeView& node) {
  return compare_extents(node, false, false, true);
}

std::optional<Judgement> judge_smaller_off_axis(const NodeView& node) {
  return compare_extents(node, true, false, true);
}

std::optional<Judgement> judge_smaller_in_reduction(const NodeView& node) {
  if (!node.reduces()) return std::nullopt;
  return judge_smaller_off_axis(node);
}

std::optional<Judgement> judge_empty_tuples(const NodeView& node) {
  const auto rank = node.indices.rank();
  if (!rank || *rank == 0) return std::nullopt;
  const auto length = node.indices.extent(*rank - 1);
  if (!length) return std::nullopt;
  return verdict_of(*length == 0, "index tuples have length " + std::to_string(*length));
}

std::optional<Judgement> judge_tuple_length(const NodeView& node) {
  const auto rank = node.indices.rank();
  if (!rank || *rank == 0) return can("the shape of indices is not known");
  const Dim& last = node.indices.fact.dims->back();
  if (last.is_known()) return cannot("index tuples have length " + std::to_string(last.value));
  const std::string what = "the length of index tuples is not fixed: " + shape_text(node.indices);
  return is_of_input(last, *node.extents) ? happens(what) : can(what);
}

std::optional<Judgement> judge_unequal_batch(const NodeView& node) {
  if (node.batch_dims <= 0) return cannot("batch_dims is 0");
  Premises premises;
  const std::optional<bool> equal = are_batches_equal(node, premises);
  return with_premises(
      verdict_of(inverse(equal), "batch_dims is " + std::to_string(node.batch_dims) +
                                     ", and the shapes are " + shapes_text(node)),
      std::move(premises));
}

std::optional<Judgement> judge_batch_of_one(const NodeView& node) {
  if (node.batch_dims <= 0) return cannot("batch_dims is 0");
  if (!node.data.fact.dims) return can("the shape of data is not known");
  std::optional<bool> all_one = true;
  for (std::int64_t axis = 0; axis < node.batch_dims; ++axis) {
    const auto at = static_cast<std::size_t>(axis);
    if (at >= node.data.fact.dims->size()) return std::nullopt;
    const Dim& dim = (*node.data.fact.dims)[at];
    if (least(dim) > 1 || most(dim) < 1) {
      all_one = false;
      break;
    }
    if (!dim.is_known()) all_one = std::nullopt;
  }
  return verdict_of(
      all_one, "batch_dims is " + std::to_string(node.batch_dims) + " of " + shape_text(node.data));
}

std::optional<Judgement> judge_empty_input(const NodeView& node) {
  Premises premises;
  for (const InputView* input : {&node.data, &node.indices}) {
    if (!input->fact.dims) return std::nullopt;
    if (input->is_empty()) return happens("an extent is 0: " + shapes_text(node));
    // A runtime may know more of a shape than this library does.
    if (may_be_empty(input->fact.dims))
      premises = united(premises, node.extents->premise("the shape of " + node.value_of(*input) +
                                                        " is not fixed before the run"));
  }
  const std::string_view known =
      premises.empty() ? "no extent is 0: " : "no extent is known to be 0: ";
  return with_premises(
      verdict_on(node, false, [&] { return std::string(known) + shapes_text(node); }),
      std::move(premises));
}

std::optional<Judgement> judge_empty_input_that_is_moved(const NodeView& node) {
  if (is_view_of_data(node)) return cannot("the result is one slice of data, at a constant index");
  return judge_empty_input(node);
}

std::optional<Judgement> judge_empty_axis(const NodeView& node) {
  if (!node.axis) return std::nullopt;
  const auto extent = node.data.extent(*node.axis);
  if (!extent) return std::nullopt;
  if (*extent != 0) return cannot("the axis has elements: " + shape_text(node.data));
  if (node.indices.is_empty()) return cannot("there are no indices");
  return verdict_of(node.indices.has_elements() ? std::optional(true) : std::nullopt,
                    "the axis has no elements: " + shapes_text(node));
}

std::optional<Judgement> judge_scalar_indices(const NodeView& node) {
  const auto rank = node.indices.rank();
  if (!rank) return std::nullopt;
  return verdict_of(*rank == 0, "indices have rank " + std::to_string(*rank));
}

std::optional<Judgement> judge_single_element(const NodeView& node) {
  const auto data_rank = node.data.rank();
  const auto updates_rank = node.updates.rank();
  const auto index_rank = node.indices.rank();
  if (!data_rank || !updates_rank || !index_rank || *index_rank == 0) return std::nullopt;
  const auto length = node.indices.extent(*index_rank - 1);
  if (!length) return std::nullopt;
  const bool is_single =
      *index_rank == 1 && static_cast<std::size_t>(*length) == *data_rank && *updates_rank > 0;
  return verdict_of(is_single, "updates have rank " + std::to_string(*updates_rank) +
                                   (is_single ? " for one element" : ""));
}

std::optional<Judgement> judge_cache_length(const NodeView& node) {
  if (!node.axis || !node.data.fact.dims || !node.updates.fact.dims ||
      node.updates.fact.dims->size() <= *node.axis)
    return std::nullopt;
  Premises premises;
  const auto fits = is_at_most((*node.updates.fact.dims)[*node.axis],
                               (*node.data.fact.dims)[*node.axis], *node.extents, premises);
  return with_premises(verdict_of(inverse(fits), "the shapes are " + shape_text(node.data) +
                                                     " and " + shape_text(node.updates)),
                       std::move(premises));
}

std::optional<Judgement> judge_many_updates(const NodeView& node) {
  constexpr std::int64_t kMany = 1'000'000;
  const auto count = node.indices.count();
  if (!count) return std::nullopt;
  return verdict_of(*count > kMany,
                    (*count == 1 ? "there is " : "there are ") + counted(*count, "update"));
}

}  // namespace windrow::internal

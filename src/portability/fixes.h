#ifndef WINDROW_PORTABILITY_FIXES_H_
#define WINDROW_PORTABILITY_FIXES_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "src/portability/node_edit.h"

// The functions that change a node, and the rules that they are for.
namespace windrow::internal {

// The outcome of a function for a node.
struct FixOutcome {
  enum class Kind : std::uint8_t {
    kSafe,    // changed; ModelFix::safe
    kUnsafe,  // changed; not safe
    kRounds,  // changed; ModelFix::rounds
    kLeft,    // not changed
  };
  Kind kind = Kind::kLeft;
  std::string what;  // ModelFix::what

  static FixOutcome safe(std::string what) { return {Kind::kSafe, std::move(what)}; }
  static FixOutcome unsafe(std::string what) { return {Kind::kUnsafe, std::move(what)}; }
  static FixOutcome rounds(std::string what) { return {Kind::kRounds, std::move(what)}; }
  static FixOutcome left(std::string why) { return {Kind::kLeft, std::move(why)}; }
};

// Changes a node so that it no longer meets the condition of a rule, or leaves `edit` unchanged if
// it cannot. Errors: those of reading constants.
using Fix = Result<FixOutcome> (*)(NodeEdit& edit);

// fix_operator.cc: the operator, its version and attributes.
Result<FixOutcome> drop_default_reduction(NodeEdit& edit);
Result<FixOutcome> rename_scatter(NodeEdit& edit);
Result<FixOutcome> raise_version(NodeEdit& edit);
Result<FixOutcome> fold_booleans(NodeEdit& edit);
Result<FixOutcome> split_fused_batch(NodeEdit& edit);
Result<FixOutcome> extract_with_gather(NodeEdit& edit);

// fix_indices.cc: the values of the indices.
Result<FixOutcome> count_from_front(NodeEdit& edit);
Result<FixOutcome> clip_indices(NodeEdit& edit);

// fix_shapes.cc: the shapes of inputs and of the result.
Result<FixOutcome> unsqueeze_scalar_indices(NodeEdit& edit);
Result<FixOutcome> gather_rows_of_one(NodeEdit& edit);
Result<FixOutcome> drop_batch_of_one(NodeEdit& edit);
Result<FixOutcome> broadcast_batch(NodeEdit& edit);
Result<FixOutcome> cut_data(NodeEdit& edit);
Result<FixOutcome> fix_tuple_length(NodeEdit& edit);
Result<FixOutcome> squeeze_single_update(NodeEdit& edit);
Result<FixOutcome> unsqueeze_one_hot(NodeEdit& edit);

// fix_reductions.cc: several updates of one cell.
Result<FixOutcome> scatter_elements_of_rows(NodeEdit& edit);
Result<FixOutcome> mark_nan(NodeEdit& edit);

// fix_types.cc: types of elements and of the axis.
Result<FixOutcome> widen_payload(NodeEdit& edit);
Result<FixOutcome> sum_in_float32(NodeEdit& edit);
Result<FixOutcome> widen_indices(NodeEdit& edit);
Result<FixOutcome> freeze_axis(NodeEdit& edit);

// A rule and the change that --fix makes for it.
struct FixRow {
  std::string_view rule;
  Fix fix;
};

// In the order in which the functions are called. If a rule has several rows, the first that can
// change the node does.
std::span<const FixRow> fix_rows();

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_FIXES_H_

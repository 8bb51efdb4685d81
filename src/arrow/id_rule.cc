#include <string>

#include "src/arrow/selection.h"

namespace windrow::arrow {

Result<IdRule> id_rule(const Options& options, std::int64_t extent, bool is_scatter) {
  IdRule rule;
  rule.extent = extent;
  rule.policy = options.call.out_of_range.value_or(OutOfRange::kError);
  rule.null_outside = options.null_out_of_range;
  const OutOfRange other = is_scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  if (rule.policy == other || (is_scatter && rule.null_outside))
    return Status(ErrorCode::kInvalidArgument,
                  std::string("out_of_range is '") +
                      (rule.null_outside ? "null" : std::string(out_of_range_name(rule.policy))) +
                      "', which a " +
                      (is_scatter ? "scatter does not have; it has error, skip, clamp, modulo"
                                  : "take does not have; it has error, null, zero, clamp, modulo"));
  // As array.Take and numpy.take with "clip": below 0 is out of range, unless the call says so.
  const bool clamps = rule.policy == OutOfRange::kClamp && !rule.null_outside;
  rule.negative =
      options.call.negative.value_or(clamps ? NegativeIndex::kOutOfRange : NegativeIndex::kFromEnd);
  rule.padding = options.call.padding_index;
  rule.padding_row = is_scatter ? kNullRow : kZeroRow;
  return rule;
}

}  // namespace windrow::arrow

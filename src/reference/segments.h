#ifndef WINDROW_REFERENCE_SEGMENTS_H_
#define WINDROW_REFERENCE_SEGMENTS_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Rows of data that are folded into segments, which segment_ids, input 1, number in ascending
// order.
namespace windrow::internal::reference {

// CALL-O1: the policies are error and skip. `name` is the operator's.
Status check_segment_policy(const Call& call, std::string_view name);

// C2: there is one id for each row of data.
Status check_segment_ids(const Call& call);

// The numbers that offsets may have: of [0, samples] rows.
struct OffsetRange {
  std::int64_t samples = 0;
  bool begins_with_0 = false;
};

// Offsets of rank 1, in their range and none below the one before it. Errors: `rule`.
Result<std::vector<std::int64_t>> read_offsets(const Call& call, std::string_view rule,
                                               const TensorView& view, const OffsetRange& range);

// The rules that falling ids and bad ids break.
struct SegmentRules {
  std::string_view order;
  IndexUse ids;
};

// The result of `count` segments, of which one without rows has `empty` everywhere. Checks the size
// of the result and the ids; all else has been checked.
Result<Tensor> fold_segments(const Call& call, const SegmentRules& rules, std::int64_t count,
                             Reduction reduction, const Element& empty);

// The same of segments that begin at `offsets`, of which there are `count` or one more, the end of
// the last segment. An empty one has the identity. `rule` is that of the offsets.
Result<Tensor> fold_between(const Call& call, std::string_view rule, const TensorView& offsets,
                            std::int64_t count, Reduction reduction);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_SEGMENTS_H_

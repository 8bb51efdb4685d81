#ifndef WINDROW_REFERENCE_SEGMENTS_H_
#define WINDROW_REFERENCE_SEGMENTS_H_

#include <cstdint>
#include <string_view>

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

// The rules that falling ids and bad ids break.
struct SegmentRules {
  std::string_view order;
  IndexUse ids;
};

// The result of `count` segments, of which one without rows has `empty` everywhere. Checks the size
// of the result and the ids; all else has been checked.
Result<Tensor> fold_segments(const Call& call, const SegmentRules& rules, std::int64_t count,
                             Reduction reduction, const Element& empty);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_SEGMENTS_H_

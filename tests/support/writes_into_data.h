#ifndef WINDROW_TESTS_SUPPORT_WRITES_INTO_DATA_H_
#define WINDROW_TESTS_SUPPORT_WRITES_INTO_DATA_H_

#include <algorithm>

#include "windrow/operators.h"

namespace windrow::tests {

// Whether the operator is a scatter with data, its first input, and updates of one type, which may
// run in place: OneHot and SegmentReduce have no data to write into, and pooled look-ups, whose
// first input is called a table, make sums of theirs.
inline bool writes_into_data(const OperatorInfo& info) {
  const auto moved = std::count_if(info.inputs.begin(), info.inputs.end(),
                                   [](const auto& input) { return input.type_group == "T"; });
  return info.scatter && moved == 2 && info.inputs.front().type_group == "T" &&
         info.inputs.front().name != "emb_table" && info.inputs.front().name != "table";
}

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_WRITES_INTO_DATA_H_

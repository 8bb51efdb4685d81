#ifndef WINDROW_EXECUTE_PAIRS_FIXTURE_H_
#define WINDROW_EXECUTE_PAIRS_FIXTURE_H_

#include <cstdint>

#include "src/access/operation.h"

namespace windrow::internal {

// For tests: ScatterND with tuples of two over a [4, 3] tensor: indices [n, 2], updates [n].
inline Operation pairs(std::int64_t n) {
  Operation operation;
  operation.scatter = true;
  operation.updates_input = 2;
  operation.operator_name = "test.Scatter-1";
  operation.index_constraint = "TEST-C1";
  operation.duplicate_constraint = "TEST-D1";
  operation.input_names = {"data", "indices", "updates"};
  operation.map.loops = {n};
  for (int k = 0; k < 2; ++k) {
    AxisMap axis;
    axis.extent = k == 0 ? 4 : 3;
    IndexTerm term;
    term.input = 1;
    term.coordinates = {{0, 0}, {-1, k}};
    term.normalise = Normalise::kNegativeWraps;
    term.legal = {-axis.extent, axis.extent - 1};
    axis.terms.push_back(term);
    operation.map.axes.push_back(axis);
  }
  return operation;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_PAIRS_FIXTURE_H_

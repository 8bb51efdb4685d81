#ifndef WINDROW_TESTS_SUPPORT_COMPARE_H_
#define WINDROW_TESTS_SUPPORT_COMPARE_H_

#include <string>
#include <vector>

#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::tests {

// The first difference in type, shape or bits as one line; empty if there is none.
std::string first_bit_difference(const TensorView& expected, const TensorView& actual);

// How expected values of a case are compared.
struct Closeness {
  // By element: its bits count; otherwise any NaN equals any NaN. Empty: none is exact.
  std::vector<bool> exact;
  double relative = 0;
  double absolute = 0;
};

// The same with NaN equal to NaN and within a tolerance.
std::string first_difference(const TensorView& expected, const TensorView& actual,
                             const Closeness& closeness);

// How two errors differ in code, label, operator and bad index and, if they are about values (an
// index, a duplicate), in their message; empty if they do not.
std::string error_difference(const Status& expected, const Status& actual);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_COMPARE_H_

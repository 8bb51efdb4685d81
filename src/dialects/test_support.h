#ifndef WINDROW_DIALECTS_TEST_SUPPORT_H_
#define WINDROW_DIALECTS_TEST_SUPPORT_H_

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "src/access/evaluate.h"
#include "src/dialects/operator.h"

// What the tests of the builders share.
namespace windrow::internal {

using Position = std::optional<Dims>;

// Moves `point` on in row-major order; false after the last.
inline bool next_point(const Shape& loops, Dims& point) {
  for (int loop = loops.rank(); loop-- > 0;) {
    if (++point[loop] < loops[loop]) return true;
    point[loop] = 0;
  }
  return false;
}

template <class Op>
Operation build_for(const Op& op, const std::vector<TensorView>& inputs,
                    const CallOptions& options = {}) {
  std::vector<TensorSpec> specs;
  specs.reserve(inputs.size());
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  return make_operation(op, specs, options).value();
}

// That the map is valid and sends every point where `expected` says.
template <class Op, class Expected>
void expect_positions(const Op& op, const std::vector<TensorView>& inputs, const Expected& expected,
                      const CallOptions& options = {}) {
  const Operation operation = build_for(op, inputs, options);
  EXPECT_TRUE(is_valid(operation.map));
  ASSERT_NE(element_count(operation.map.loops), 0);
  Dims point = Dims::filled(operation.map.loops.rank(), 0);
  do {
    EXPECT_EQ(evaluate(operation.map, inputs, point), Position(expected(point)))
        << to_string(point);
  } while (next_point(operation.map.loops, point));
}

inline CallOptions with_policy(OutOfRange policy) { return {.out_of_range = policy}; }

// A view for builders that read no data.
inline TensorView shaped(const Shape& shape, DType dtype = DType::kFloat32) {
  return {dtype, shape, nullptr};
}
inline TensorView index_shaped(const Shape& shape) { return shaped(shape, DType::kInt64); }

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TEST_SUPPORT_H_

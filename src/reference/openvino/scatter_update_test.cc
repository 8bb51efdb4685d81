#include <gtest/gtest.h>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

Tensor data() { return floats({2, 3}, {1, 2, 3, 4, 5, 6}); }

Result<Tensor> update(const Tensor& indices, const Tensor& updates, std::int64_t axis,
                      const CallOptions& options = {}) {
  return call(openvino::ScatterUpdate(), {data(), indices, updates, int64s({1}, {axis})}, options);
}

TEST(OpenvinoScatterUpdate, ReplacesSlices) {
  expect_result<float>(update(int64s({2}, {2, 0}), floats({2, 2}, {10, 20, 30, 40}), 1), {2, 3},
                       {20, 2, 10, 40, 5, 30});
  expect_result<float>(update(int64s({}, {1}), floats({3}, {10, 20, 30}), -2), {2, 3},
                       {1, 2, 3, 10, 20, 30});
  expect_result<float>(update(int64s({1, 2}, {0, 0}), floats({2, 1, 2}, {10, 20, 30, 40}), 1),
                       {2, 3}, {20, 2, 3, 40, 5, 6});
}

TEST(OpenvinoScatterUpdate, Rules) {
  const Tensor index = int64s({1}, {0});
  expect_error(call(openvino::ScatterUpdate(), {floats({}, {1}), index, floats({}, {1}), index}),
               ErrorCode::kShape, "OPENVINO-ScatterUpdate-C1");
  expect_error(update(index, floats({1, 3}, {1, 2, 3}), 2), ErrorCode::kInvalidArgument,
               "OPENVINO-ScatterUpdate-A1");
  expect_error(update(index, floats({3}, {1, 2, 3}), 0), ErrorCode::kShape,
               "OPENVINO-ScatterUpdate-C2");
  expect_error(update(int64s({1}, {-1}), floats({1, 3}, {1, 2, 3}), 0), ErrorCode::kIndexOutOfRange,
               "OPENVINO-ScatterUpdate-C3");
  expect_error(update(int64s({2}, {0, 0}), floats({2, 3}, {1, 2, 3, 4, 5, 6}), 0, strictly()),
               ErrorCode::kDuplicate, "OPENVINO-ScatterUpdate-D1");
  EXPECT_EQ(update(index, floats({3}, {1, 2, 3}), 0).error().message(),
            "openvino.ScatterUpdate-3 [OPENVINO-ScatterUpdate-C2]: updates have shape [3], must "
            "have that of data, [2, 3], with axis 0 replaced by the shape of indices, [1]");
}

TEST(OpenvinoScatterUpdate, ANegativeIndexIsOutside) {
  const auto first = [](OutOfRange policy) {
    return update(int64s({1}, {-1}), floats({2, 1}, {7, 8}), 1, with(policy));
  };
  expect_result<float>(first(OutOfRange::kSkip), {2, 3}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(first(OutOfRange::kClamp), {2, 3}, {7, 2, 3, 8, 5, 6});
  expect_result<float>(first(OutOfRange::kModulo), {2, 3}, {1, 2, 7, 4, 5, 8});
}

}  // namespace
}  // namespace windrow::internal::reference

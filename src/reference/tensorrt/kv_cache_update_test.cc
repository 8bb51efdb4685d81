#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "src/reference/testing.h"

namespace windrow::internal::reference {
namespace {

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

Tensor cache() { return floats({2, 1, 3, 1}, {1, 2, 3, 4, 5, 6}); }

Result<Tensor> update(std::int64_t first, std::int64_t second, const CallOptions& options = {}) {
  return call(tensorrt::KVCacheUpdate(),
              {cache(), floats({2, 1, 2, 1}, {10, 20, 30, 40}), int64s({2}, {first, second})},
              options);
}

TEST(TensorrtKVCacheUpdate, WritesFromTheWriteIndexOn) {
  expect_result<float>(update(0, 1), {2, 1, 3, 1}, {10, 20, 3, 4, 30, 40});
}

TEST(TensorrtKVCacheUpdate, WhatIsOutsideIsDropped) {
  expect_result<float>(update(2, -1), {2, 1, 3, 1}, {1, 2, 10, 40, 5, 6});
  expect_result<float>(update(3, -2), {2, 1, 3, 1}, {1, 2, 3, 4, 5, 6});
  expect_result<float>(update(kHighest, -kHighest - 1), {2, 1, 3, 1}, {1, 2, 3, 4, 5, 6});
}

TEST(TensorrtKVCacheUpdate, OtherPolicies) {
  expect_result<float>(update(2, -1, with(OutOfRange::kModulo)), {2, 1, 3, 1},
                       {20, 2, 10, 40, 5, 30});
  expect_result<float>(update(2, -1, with(OutOfRange::kClamp)), {2, 1, 3, 1}, {1, 2, 20, 40, 5, 6});
  expect_error(update(1, 2, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  expect_error(update(-1, 0, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  CallOptions strict_clamp = strictly();
  strict_clamp.out_of_range = OutOfRange::kClamp;
  expect_error(update(2, 0, strict_clamp), ErrorCode::kDuplicate, "TENSORRT-KVCacheUpdate-D1");
}

TEST(TensorrtKVCacheUpdate, UpdatesLongerThanTheCache) {
  const Tensor small = floats({1, 1, 2, 1}, {1, 2});
  const Tensor longer = floats({1, 1, 3, 1}, {10, 20, 30});
  const auto write = [&](const Tensor& into, std::int64_t index, const CallOptions& options) {
    return call(tensorrt::KVCacheUpdate(), {into, longer, int64s({1}, {index})}, options);
  };
  expect_result<float>(write(small, 0, {}), {1, 1, 2, 1}, {10, 20});
  expect_result<float>(write(small, -1, {}), {1, 1, 2, 1}, {20, 30});
  expect_error(write(small, 0, with(OutOfRange::kError)), ErrorCode::kIndexOutOfRange,
               "TENSORRT-KVCacheUpdate-C4");
  const Tensor nothing = empty(DType::kFloat32, {1, 1, 0, 1});
  expect_result<float>(write(nothing, 0, {}), {1, 1, 0, 1}, {});
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo})
    expect_error(write(nothing, 0, with(policy)), ErrorCode::kIndexOutOfRange,
                 "TENSORRT-KVCacheUpdate-C4");
}

TEST(TensorrtKVCacheUpdate, Rules) {
  const Tensor update = floats({2, 1, 1, 1}, {1, 2});
  const Tensor indices = int64s({2}, {0, 0});
  tensorrt::KVCacheUpdate circular;
  circular.mode = "CIRCULAR";
  expect_error(call(circular, {cache(), update, indices}), ErrorCode::kInvalidArgument,
               "TENSORRT-KVCacheUpdate-A3");
  expect_error(call(tensorrt::KVCacheUpdate(), {cache(), floats({2, 1, 1}, {1, 2}), indices}),
               ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C1");
  expect_error(
      call(tensorrt::KVCacheUpdate(), {cache(), floats({2, 1, 1, 2}, {1, 2, 3, 4}), indices}),
      ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C2");
  expect_error(call(tensorrt::KVCacheUpdate(), {cache(), update, int64s({1, 2}, {0, 0})}),
               ErrorCode::kShape, "TENSORRT-KVCacheUpdate-C3");
}

TEST(TensorrtKVCacheUpdate, StrictTakesThreeTypes) {
  const auto write = [](DType dtype) {
    return call(tensorrt::KVCacheUpdate(),
                {empty(dtype, {1, 1, 1, 1}), empty(dtype, {1, 1, 1, 1}), int64s({1}, {0})},
                strictly());
  };
  for (const DType dtype : {DType::kFloat32, DType::kFloat16, DType::kBFloat16})
    EXPECT_TRUE(write(dtype).ok());
  for (const DType dtype :
       {DType::kInt4, DType::kInt8, DType::kInt32, DType::kUint8, DType::kFloat8E4M3FN})
    expect_error(write(dtype), ErrorCode::kType, "TENSORRT-KVCacheUpdate-S2");
}

}  // namespace
}  // namespace windrow::internal::reference

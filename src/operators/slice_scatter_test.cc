#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

const OperatorId kId{"openvino", "SliceScatter", 15};
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

Tensor numbers(const std::vector<std::int64_t>& values) {
  return Tensor::from<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

TensorSpec known(const Tensor& tensor) {
  TensorSpec spec = tensor.spec();
  spec.value = std::make_shared<const Tensor>(tensor.clone().value());
  return spec;
}

// 100, 101, ..
std::vector<float> counting(std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 100.0F);
  return values;
}

// Assigns different numbers to slices of a matrix of `rows` rows. Returns the length of the slice,
// or -1 if both implementations refuse it, after comparing their results.
std::int64_t compare(std::int64_t rows, std::int64_t start, std::int64_t stop, std::int64_t step) {
  const Tensor data = counted<float>({rows, 3});
  const Tensor at = numbers({start});
  const Tensor end = numbers({stop});
  const Tensor by = numbers({step});
  for (std::int64_t length = 0; length <= rows; ++length) {
    const std::vector<float> values = counting(length * 3);
    const Tensor updates = Tensor::from<float>({length, 3}, values);
    const std::vector<TensorView> inputs = {data.view(), updates.view(), at.view(), end.view(),
                                            by.view()};
    const Result<Tensor> found = call(kId, {}, inputs);
    const Result<Tensor> expected = call_reference(kId, {}, inputs);
    EXPECT_EQ(found.ok(), expected.ok()) << rows << ' ' << start << ' ' << stop << ' ' << step;
    if (!found || !expected) continue;
    EXPECT_TRUE(same_bits(*found, *expected)) << rows << ' ' << start << ' ' << stop << ' ' << step;
    return length;
  }
  return -1;
}

TEST(SliceScatter, AgreesWithTheReferenceForEverySmallSlice) {
  const std::vector<std::int64_t> steps = {1, 2, 3, 7, kMost, -1, -2, -3, -7, kLeast, -kMost};
  for (std::int64_t rows = 0; rows <= 4; ++rows) {
    std::vector<std::int64_t> bounds = {kLeast, kLeast + 1, kMost - 1, kMost};
    for (std::int64_t bound = -rows - 2; bound <= rows + 2; ++bound) bounds.push_back(bound);
    for (const std::int64_t start : bounds)
      for (const std::int64_t stop : bounds)
        for (const std::int64_t step : steps) EXPECT_GE(compare(rows, start, stop, step), 0);
  }
  EXPECT_EQ(compare(3, 0, 1, 0), -1);
}

TEST(SliceScatter, TheTypedFunctionTakesTheAxesOrNone) {
  const Tensor data = counted<std::int32_t>({2, 3});
  const Tensor column = Tensor::of<std::int32_t>({2, 1}, {10, 20});
  const Tensor one = numbers({1});
  const Tensor two = numbers({2});
  EXPECT_TRUE(same_bits(openvino::slice_scatter(data, column, one, two, one, numbers({-1})).value(),
                        Tensor::of<std::int32_t>({2, 3}, {0, 10, 2, 3, 20, 5})));
  const Tensor row = Tensor::of<std::int32_t>({1, 3}, {7, 8, 9});
  EXPECT_TRUE(same_bits(openvino::slice_scatter(data, row, one, two, one, TensorView()).value(),
                        Tensor::of<std::int32_t>({2, 3}, {0, 1, 2, 7, 8, 9})));
}

TEST(SliceScatter, APlanNeedsEachValueAndARunMustGiveTheSame) {
  const Tensor data = counted<float>({4, 4});
  const Tensor updates = counted<float>({2, 2});
  const Tensor start = numbers({0, 1});
  const Tensor stop = numbers({2, 3});
  const Tensor step = numbers({1, 1});
  const std::vector<TensorSpec> specs = {data.spec(), updates.spec(), known(start), known(stop),
                                         known(step)};
  for (std::size_t i = 2; i < specs.size(); ++i) {
    std::vector<TensorSpec> less = specs;
    less[i].value = nullptr;
    EXPECT_EQ(compile(kId, {}, less).error().constraint(), "OPENVINO-SliceScatter-C2");
  }
  const Plan plan = compile(kId, {}, specs).value();
  EXPECT_TRUE(plan.run({data, updates, start, stop, step}).ok());
  const Tensor other = numbers({0, 2});
  EXPECT_EQ(plan.run({data, updates, other, stop, step}).error().message(),
            "openvino.SliceScatter-15: start[1] is 2, the plan was compiled for 1");
}

TEST(SliceScatter, ReadsVectorsOfAnyLengthTypeAndStride) {
  constexpr int kRank = 12;
  Shape shape = Dims::filled(kRank, 2);
  const Tensor data = Tensor::zeros(DType::kInt64, shape).value();
  const Tensor updates = Tensor::of<std::int64_t>(Dims::filled(kRank, 1), {5});
  const Tensor start = numbers(std::vector<std::int64_t>(kRank, 1));
  const Tensor stop = numbers(std::vector<std::int64_t>(kRank, 2));
  const std::vector<std::int64_t> spread(2 * kRank, 1);
  TensorView step(DType::kInt64, {kRank}, spread.data());
  step.strides[0] = 16;
  Tensor result = call(kId, {}, std::vector<TensorView>{data, updates, start, stop, step}).value();
  EXPECT_EQ(result.values<std::int64_t>().back(), 5);
  EXPECT_EQ(result.values<std::int64_t>().front(), 0);
}

TEST(SliceScatter, ReadsElementsOfHalfAByte) {
  const Tensor data = counted<std::uint8_t>({4, 4});
  const Tensor updates = Tensor::of<std::uint8_t>({1, 2}, {50, 60});
  const std::uint8_t start = 0xFE;  // -2, -1
  const std::uint8_t stop = 0x97;   // 7, -7
  const std::uint8_t step = 0xE1;   // 1, -2
  const auto of = [](const std::uint8_t* byte) { return TensorView(DType::kInt4, {2}, byte); };
  const std::vector<TensorView> inputs = {data.view(), updates.view(), of(&start), of(&stop),
                                          of(&step)};
  const Result<Tensor> found = call(kId, {}, inputs);
  EXPECT_EQ(found.error().constraint(), "OPENVINO-SliceScatter-C3");
  const Tensor fitting = Tensor::of<std::uint8_t>({2, 2}, {50, 60, 70, 80});
  const std::vector<TensorView> legal = {data.view(), fitting.view(), of(&start), of(&stop),
                                         of(&step)};
  EXPECT_TRUE(same_bits(
      call(kId, {}, legal).value(),
      Tensor::of<std::uint8_t>({4, 4}, {0, 1, 2, 3, 4, 5, 6, 7, 8, 60, 10, 50, 12, 80, 14, 70})));
}

}  // namespace
}  // namespace windrow::internal

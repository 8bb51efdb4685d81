#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "src/operators/test_support.h"
#include "windrow/onnx.h"

namespace windrow::internal {
namespace {

// Gather of rows of data [3, 2].
class CheckRun : public testing::Test {
 protected:
  void expect(const Status& status, ErrorCode code, const std::string& part) {
    EXPECT_EQ(status.code(), code) << status.message();
    EXPECT_EQ(status.operator_name(), "onnx.Gather-13");
    EXPECT_EQ(status.message().substr(0, 16), "onnx.Gather-13: ") << status.message();
    EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
  }

  const Tensor data_ = counted<float>({3, 2});
  const Tensor indices_ = Tensor::of<std::int64_t>({2}, {2, 0});
  Tensor out_ = Tensor::zeros(DType::kFloat32, {2, 2}).value();
  const Plan plan_ = compile(onnx::Gather{.version = 13}, {data_.spec(), indices_.spec()}).value();
};

TEST_F(CheckRun, AcceptsWhatItWasCompiledFor) {
  ASSERT_TRUE(plan_.run({data_, indices_}, out_.mutable_view()));
  EXPECT_TRUE(same_bits(out_, Tensor::of<float>({2, 2}, {4, 5, 0, 1})));
}

TEST_F(CheckRun, RefusesOtherTypes) {
  const Tensor doubles = counted<double>({3, 2});
  expect(plan_.run({doubles, indices_}, out_.mutable_view()), ErrorCode::kType,
         "data has type float64, the plan was compiled for float32");
  const Tensor narrow = Tensor::of<std::int32_t>({2}, {2, 0});
  expect(plan_.run({data_, narrow}, out_.mutable_view()), ErrorCode::kType,
         "indices has type int32");
  Tensor integers = Tensor::zeros(DType::kInt32, {2, 2}).value();
  expect(plan_.run({data_, indices_}, integers.mutable_view()), ErrorCode::kType,
         "the output has type int32");
}

TEST_F(CheckRun, RefusesOtherShapes) {
  const Tensor longer = counted<float>({4, 2});
  expect(plan_.run({longer, indices_}, out_.mutable_view()), ErrorCode::kShape,
         "data has shape [4, 2], the plan was compiled for [3, 2]");
  const Tensor column = Tensor::of<std::int64_t>({2, 1}, {2, 0});
  expect(plan_.run({data_, column}, out_.mutable_view()), ErrorCode::kShape,
         "indices has shape [2, 1]");
  Tensor flat = Tensor::zeros(DType::kFloat32, {4}).value();
  expect(plan_.run({data_, indices_}, flat.mutable_view()), ErrorCode::kShape,
         "the output has shape [4]");
}

TEST_F(CheckRun, RefusesOtherCounts) {
  expect(plan_.run({data_, indices_, indices_}, out_.mutable_view()), ErrorCode::kInvalidArgument,
         "3 inputs given, takes 2");
  expect(plan_.run({data_}, out_.mutable_view()), ErrorCode::kType, "indices has type absent");
  expect(plan_.run({}, out_.mutable_view()), ErrorCode::kType, "data has type absent");
}

TEST_F(CheckRun, RefusesNullMemory) {
  expect(plan_.run({TensorView(DType::kFloat32, {3, 2}, nullptr), indices_}, out_.mutable_view()),
         ErrorCode::kInvalidArgument, "data has elements but no memory");
  expect(plan_.run({data_, indices_}, MutableTensorView(DType::kFloat32, {2, 2}, nullptr)),
         ErrorCode::kInvalidArgument, "the output has elements but no memory");
}

TEST_F(CheckRun, RefusesStridesOfAnotherRank) {
  const TensorView view(DType::kFloat32, {3, 2}, Strides{8}, data_.data());
  expect(plan_.run({view, indices_}, out_.mutable_view()), ErrorCode::kInvalidArgument,
         "data has 1 strides for rank 2");
}

TEST_F(CheckRun, CompileRefusesStridesOfAnotherRankToo) {
  const auto compile_with = [&](const std::optional<Strides>& strides) {
    TensorSpec spec = data_.spec();
    spec.strides = strides;
    return compile(onnx::Gather{.version = 13}, {spec, indices_.spec()});
  };
  expect(compile_with(Strides{8}).error(), ErrorCode::kInvalidArgument,
         "data has 1 strides for rank 2");
  EXPECT_TRUE(compile_with(Strides{8, 4}));
  EXPECT_TRUE(compile_with(std::nullopt));
}

TEST_F(CheckRun, RefusesStridesBeyondTheAddressSpace) {
  for (const std::int64_t stride : {INT64_MAX, INT64_MIN, INT64_MAX / 2}) {
    const TensorView view(DType::kFloat32, {3, 2}, Strides{stride, stride}, data_.data());
    expect(plan_.run({view, indices_}, out_.mutable_view()), ErrorCode::kInvalidArgument,
           "exceed 2^63-1 bytes");
  }
}

TEST_F(CheckRun, RefusesOutputsWhoseElementsOverlap) {
  std::array<float, 8> memory{};
  const auto run = [&](const Strides& strides) {
    return plan_.run({data_, indices_},
                     MutableTensorView(DType::kFloat32, {2, 2}, strides, memory.data() + 4));
  };
  for (const Strides& strides :
       {Strides{4, 4}, Strides{0, 4}, Strides{8, 0}, Strides{8, 2}, Strides{-4, 4}, Strides{6, 4}})
    expect(run(strides), ErrorCode::kInvalidArgument, "elements overlap");
  for (const Strides& strides : {Strides{8, 4}, Strides{4, 8}, Strides{-8, 4}, Strides{8, -4}})
    EXPECT_TRUE(run(strides)) << to_string(strides);
}

TEST_F(CheckRun, StridesOfAxesOfExtentOneHaveNoMeaning) {
  const Tensor index = Tensor::of<std::int64_t>({1}, {1});
  const Plan plan = compile(onnx::Gather{.version = 13}, {data_.spec(), index.spec()}).value();
  std::array<float, 2> memory{};
  EXPECT_TRUE(plan.run({data_, index},
                       MutableTensorView(DType::kFloat32, {1, 2}, Strides{0, 4}, memory.data())));
  EXPECT_EQ(memory[0], 2);
  EXPECT_EQ(memory[1], 3);
}

TEST_F(CheckRun, RefusesOutputsThatOverlapAnInput) {
  std::array<float, 16> memory{};
  const auto run = [&](std::size_t at) {
    return plan_.run({TensorView(DType::kFloat32, {3, 2}, memory.data() + 5), indices_},
                     MutableTensorView(DType::kFloat32, {2, 2}, memory.data() + at));
  };
  for (const std::size_t at : {2U, 5U, 10U})
    expect(run(at), ErrorCode::kInvalidArgument, "the output overlaps data in memory");
  for (const std::size_t at : {1U, 11U}) EXPECT_TRUE(run(at)) << at;
}

// The same for strides of compile that need no check of every axis: rows in reverse order, a float
// apart.
TEST_F(CheckRun, KnowsWhereTensorsOfOddStridesLie) {
  const Strides backwards{-12, 4};
  TensorSpec spec = data_.spec();
  spec.strides = backwards;
  const Plan plan = compile(onnx::Gather{.version = 13}, {spec, indices_.spec()}).value();
  std::array<float, 16> memory{};
  const auto run = [&](std::size_t at) {
    // The rows are at 10, 7 and 4; the last element is at 11.
    return plan.run({TensorView(DType::kFloat32, {3, 2}, backwards, memory.data() + 10), indices_},
                    MutableTensorView(DType::kFloat32, {2, 2}, memory.data() + at));
  };
  for (const std::size_t at : {1U, 4U, 11U})
    expect(run(at), ErrorCode::kInvalidArgument, "the output overlaps data in memory");
  for (const std::size_t at : {0U, 12U}) EXPECT_TRUE(run(at)) << at;
}

// The strides of axes of one element are any.
TEST_F(CheckRun, TakesAnyStrideOfAnAxisOfOneElement) {
  const Tensor ids = Tensor::of<std::int64_t>({2}, {2, 0});
  const Tensor rows = counted<float>({3, 1, 2});
  const Plan plan = compile(onnx::Gather{.version = 13}, {rows.spec(), ids.spec()}).value();
  std::array<float, 16> memory{};
  std::iota(memory.begin(), memory.begin() + 6, 0.0F);
  for (const std::int64_t stride : {8, 0, -4, 1000}) {
    const TensorView view(DType::kFloat32, {3, 1, 2}, {8, stride, 4}, memory.data());
    const auto run = [&](std::size_t at) {
      return plan.run({view, ids}, MutableTensorView(DType::kFloat32, {2, 1, 2}, {8, -stride, 4},
                                                     memory.data() + at));
    };
    expect(run(5), ErrorCode::kInvalidArgument, "the output overlaps data in memory");
    EXPECT_TRUE(run(6));
    EXPECT_EQ((std::array{memory[6], memory[7], memory[8], memory[9]}),
              (std::array{4.0F, 5.0F, 0.0F, 1.0F}));
  }
}

TEST(CheckRunAbsent, OmittedInputsMayBeLeftOutOrGivenAsDefaultViews) {
  const Tensor data = counted<float>({1, 3, 2});
  const Tensor update = Tensor::of<float>({1, 1, 2}, {8, 9});
  const Plan plan =
      compile(onnx::TensorScatter{.version = 24}, {data.spec(), update.spec()}).value();
  const Tensor expected = Tensor::of<float>({1, 3, 2}, {8, 9, 2, 3, 4, 5});
  EXPECT_TRUE(same_bits(plan.run({data, update}).value(), expected));
  EXPECT_TRUE(same_bits(plan.run({data, update, TensorView()}).value(), expected));
  const Tensor start = Tensor::of<std::int64_t>({1}, {1});
  EXPECT_EQ(plan.run({data, update, start}).error().message(),
            "onnx.TensorScatter-24: write_indices has type int64, the plan was compiled for "
            "absent");
}

TEST_F(CheckRun, RefusesOutputsThatOverlapTheIndices) {
  std::array<std::int64_t, 4> memory{0, 1, 0, 0};
  expect(plan_.run({data_, TensorView(DType::kInt64, {2}, memory.data())},
                   MutableTensorView(DType::kFloat32, {2, 2}, memory.data() + 1)),
         ErrorCode::kInvalidArgument, "the output overlaps indices in memory");
}

TEST_F(CheckRun, AGatherDoesNotRunInPlace) {
  Tensor data = counted<float>({2, 2});
  const Plan plan = compile(onnx::Gather{.version = 13}, {data.spec(), indices_.spec()}).value();
  expect(plan.run({data, indices_}, data.mutable_view()), ErrorCode::kInvalidArgument,
         "the output overlaps data in memory");
}

TEST(CheckRunStrings, RefusesMisalignedStrings) {
  const Tensor data = Tensor::of<std::string>({2}, {"a", "b"});
  const Tensor index = Tensor::of<std::int64_t>({1}, {1});
  const Plan plan = compile(onnx::Gather{.version = 13}, {data.spec(), index.spec()}).value();
  Tensor out = Tensor::zeros(DType::kString, {1}).value();
  const std::array<TensorView, 2> views = {
      TensorView(DType::kString, {2}, static_cast<const char*>(data.data()) + 1),
      TensorView(DType::kString, {2}, Strides{33}, data.data())};
  for (const TensorView& view : views) {
    const Status status = plan.run({view, index}, out.mutable_view());
    EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(status.message(), "onnx.Gather-13: data has strings that are not aligned");
  }
  EXPECT_TRUE(plan.run({data, index}, out.mutable_view()));
  EXPECT_EQ(out.values<std::string>()[0], "b");
}

}  // namespace
}  // namespace windrow::internal

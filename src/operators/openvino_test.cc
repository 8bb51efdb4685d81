#include "windrow/openvino.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "src/operators/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

Tensor axis_of(std::int32_t value) { return Tensor::of<std::int32_t>({}, {value}); }

TensorSpec known(const Tensor& tensor) {
  TensorSpec spec = tensor.spec();
  spec.value = std::make_shared<const Tensor>(tensor.clone().value());
  return spec;
}

const Tensor& data() {
  static const Tensor tensor = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  return tensor;
}

TEST(OpenvinoCalls, EachTypedFunctionIsItsOperator) {
  const Tensor at = Tensor::of<std::int64_t>({2}, {2, 9});
  EXPECT_TRUE(same_bits(openvino::gather(data(), at, axis_of(1)).value(),
                        Tensor::of<float>({2, 2}, {3, 0, 6, 0})));
  const Tensor both = Tensor::of<std::int32_t>({2, 1}, {-1, 0});
  EXPECT_TRUE(same_bits(openvino::gather_elements(data(), both, {.axis = 1}).value(),
                        Tensor::of<float>({2, 1}, {3, 4})));
  const Tensor tuple = Tensor::of<std::int32_t>({2, 1}, {2, 0});
  EXPECT_TRUE(same_bits(openvino::gather_nd(data(), tuple, {.batch_dims = 1}).value(),
                        Tensor::of<float>({2}, {3, 4})));
  const Tensor row = Tensor::of<std::uint8_t>({}, {1});
  EXPECT_TRUE(same_bits(
      openvino::scatter_update(data(), row, Tensor::of<float>({3}, {7, 8, 9}), axis_of(0)).value(),
      Tensor::of<float>({2, 3}, {1, 2, 3, 7, 8, 9})));
  const Tensor updates = Tensor::of<float>({2, 1}, {10, 20});
  EXPECT_TRUE(same_bits(
      openvino::scatter_elements_update(data(), both, updates, axis_of(-1), {.reduction = "mean"})
          .value(),
      Tensor::of<float>({2, 3}, {1, 2, 6.5, 12, 5, 6})));
  const Tensor cell = Tensor::of<std::int64_t>({1, 2}, {1, -1});
  EXPECT_TRUE(same_bits(
      openvino::scatter_nd_update(data(), cell, Tensor::of<float>({1}, {10}), {.reduction = "sub"})
          .value(),
      Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, -4})));
}

TEST(OpenvinoCalls, ASegmentsMaximumIsNotThatOfAnEmptyOne) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  constexpr float kLowest = std::numeric_limits<float>::lowest();
  const Tensor rows = Tensor::of<float>({4}, {-kInfinity, -2, -1, 5});
  const Tensor ids = Tensor::of<std::int32_t>({4}, {0, 1, 1, 7});
  const auto segments = [&](const std::string& fill_mode) {
    return openvino::segment_max(rows, ids, axis_of(3), {.fill_mode = fill_mode}).value();
  };
  EXPECT_TRUE(same_bits(segments("ZERO"), Tensor::of<float>({3}, {-kInfinity, -1, 0})));
  EXPECT_TRUE(same_bits(segments("lowest"), Tensor::of<float>({3}, {-kInfinity, -1, kLowest})));
}

TEST(OpenvinoCalls, TheLastIdSaysHowManySegmentsThereAre) {
  const Tensor rows = Tensor::of<float>({3}, {1, 2, 5});
  const auto segments = [&](const Tensor& ids, const CallOptions& options = {}) {
    return openvino::segment_max(rows, ids, TensorView(), {}, options);
  };
  EXPECT_TRUE(same_bits(segments(Tensor::of<std::int32_t>({3}, {0, 0, 2})).value(),
                        Tensor::of<float>({3}, {2, 0, 5})));
  // A plan is kept for each number of segments.
  EXPECT_TRUE(same_bits(segments(Tensor::of<std::int32_t>({3}, {0, 0, 1})).value(),
                        Tensor::of<float>({2}, {2, 5})));
  const Tensor negative = Tensor::of<std::int64_t>({3}, {-2, -1, 0});
  EXPECT_EQ(segments(negative).error().constraint(), "OPENVINO-SegmentMax-C5");
  EXPECT_TRUE(same_bits(segments(negative, {.negative = NegativeIndex::kOutOfRange}).value(),
                        Tensor::of<float>({1}, {5})));
  const Tensor all = Tensor::of<std::int64_t>({3}, {-4, -3, -2});
  EXPECT_TRUE(same_bits(segments(all, {.negative = NegativeIndex::kOutOfRange}).value(),
                        Tensor::of<float>({0}, {})));
  constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
  const Tensor too_many = Tensor::of<std::int64_t>({3}, {0, 1, kHighest});
  EXPECT_EQ(segments(too_many).error().constraint(), "OPENVINO-SegmentMax-C3");
  EXPECT_EQ(call_reference({"openvino", "SegmentMax", 16}, {{"fill_mode", std::string("ZERO")}},
                           std::vector<TensorView>{rows, too_many})
                .error()
                .constraint(),
            "OPENVINO-SegmentMax-C3");
}

TEST(OpenvinoCalls, APlanIsForTheNumberOfSegmentsThatItsIdsGave) {
  const Tensor rows = Tensor::of<float>({2}, {1, 2});
  Tensor ids = Tensor::of<std::int64_t>({2}, {0, 2});
  const std::vector<TensorView> inputs = {rows, ids};
  const OperatorId id{"openvino", "SegmentMax", 16};
  const Attributes attributes = {{"fill_mode", std::string("ZERO")}};
  const auto without = compile(id, attributes, std::vector<TensorSpec>{rows.spec(), ids.spec()});
  EXPECT_EQ(without.error().constraint(), "OPENVINO-SegmentMax-C3");
  const Plan plan = compile(id, attributes, specs_of(id, inputs).value()).value();
  EXPECT_EQ(plan.result().shape, (Shape{3}));
  EXPECT_TRUE(same_bits(plan.run(inputs).value(), Tensor::of<float>({3}, {1, 0, 2})));
  static_cast<std::int64_t*>(ids.data())[1] = 1;
  EXPECT_EQ(plan.run(inputs).error().message(),
            "openvino.SegmentMax-16: num_segments is left out and the last of segment_ids makes it "
            "2, the plan was compiled for 3");
  static_cast<std::int64_t*>(ids.data())[1] = 2;
  const Tensor three = Tensor::of<std::int64_t>({}, {3});
  EXPECT_EQ(plan.run(std::vector<TensorView>{rows, ids, three}).error().code(), ErrorCode::kType);
}

TEST(OpenvinoCalls, ANegativeSegmentIdMeansWhatTheCallSays) {
  const Tensor rows = Tensor::of<std::int64_t>({2}, {7, -3});
  const Tensor ids = Tensor::of<std::int64_t>({2}, {-1, 0});
  const auto segments = [&](const CallOptions& options) {
    return openvino::segment_max(rows, ids, axis_of(2), {}, options);
  };
  EXPECT_EQ(segments({}).error().constraint(), "OPENVINO-SegmentMax-C5");
  EXPECT_EQ(segments({.negative = NegativeIndex::kError}).error().constraint(), "CALL-O3");
  EXPECT_TRUE(same_bits(segments({.negative = NegativeIndex::kOutOfRange}).value(),
                        Tensor::of<std::int64_t>({2}, {-3, 0})));
  EXPECT_TRUE(same_bits(segments({.negative = NegativeIndex::kFromEnd}).value(),
                        Tensor::of<std::int64_t>({2}, {-3, 7})));
  EXPECT_TRUE(
      same_bits(segments({.padding_index = -1}).value(), Tensor::of<std::int64_t>({2}, {-3, 0})));
}

TEST(OpenvinoPlans, NeedTheValueOfTheAxis) {
  const Tensor at = Tensor::of<std::int64_t>({1}, {0});
  const auto plan = compile(openvino::Gather{}, {data().spec(), at.spec(), axis_of(1).spec()});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().constraint(), "OPENVINO-Gather-A1");
  EXPECT_EQ(plan.error().message(),
            "openvino.Gather-8 [OPENVINO-Gather-A1]: the value of axis must be known when the plan "
            "is compiled");
}

TEST(OpenvinoPlans, RefuseARunWithAnotherAxis) {
  const Tensor at = Tensor::of<std::int64_t>({1}, {0});
  const Tensor axis = axis_of(1);
  const Plan plan = compile(openvino::Gather{}, {data().spec(), at.spec(), known(axis)}).value();
  EXPECT_TRUE(plan.run({data(), at, axis}).ok());
  const auto other = plan.run({data(), at, axis_of(0)});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(other.error().message(), "openvino.Gather-8: axis is 0, the plan was compiled for 1");
}

TEST(OpenvinoPlans, RefuseBatchAxesThatCanNotBeJoined) {
  const Shape shape{std::int64_t{1} << 62, 4, 0};
  const TensorView data(DType::kFloat32, shape, nullptr);
  const TensorView none(DType::kInt64, shape, nullptr);
  const Attributes attributes{{"batch_dims", std::int64_t{2}}};
  const OperatorId id{"openvino", "GatherND", 5};
  const std::vector<TensorView> inputs{data, none};
  for (const Result<Tensor>& result :
       {call(id, attributes, inputs), call_reference(id, attributes, inputs)}) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), ErrorCode::kShape);
    EXPECT_EQ(result.error().constraint(), "CALL-I2") << result.error().message();
  }
}

TEST(OpenvinoPlans, ReadEveryIntegerTypeOfAnAxis) {
  for (const DType type :
       {DType::kInt4, DType::kUint4, DType::kInt8, DType::kUint8, DType::kInt16, DType::kUint16,
        DType::kInt32, DType::kUint32, DType::kInt64, DType::kUint64}) {
    Tensor axis = Tensor::zeros(type, {1}).value();
    static_cast<unsigned char*>(axis.data())[0] = 1;
    const Tensor at = Tensor::of<std::int64_t>({1}, {1});
    const auto result = openvino::gather(data(), at, axis);
    ASSERT_TRUE(result) << result.error().message();
    EXPECT_TRUE(same_bits(*result, Tensor::of<float>({2, 1}, {2, 5}))) << dtype_name(type);
  }
}

TEST(OpenvinoPlans, DescribeThePassesOfAReduction) {
  const Tensor at = Tensor::of<std::int32_t>({2, 1}, {0, 0});
  const Tensor updates = Tensor::of<float>({2, 1}, {1, 2});
  const Plan plan =
      compile(openvino::ScatterElementsUpdate{.reduction = "mean", .use_init_val = false},
              {data().spec(), at.spec(), updates.spec(), known(axis_of(1))})
          .value();
  const std::string text = plan.describe();
  EXPECT_NE(text.find("neutral value"), std::string::npos) << text;
  EXPECT_NE(text.find("divided by the number of its summands"), std::string::npos) << text;
}

// More cells than one thread takes, with strides that are not dense.
TEST(OpenvinoPlans, DivideTheCellsOfALargeTensorOnSeveralThreads) {
  const std::int64_t extent = 100'000;
  const Tensor zeros = Tensor::zeros(DType::kInt32, {extent}).value();
  Tensor at = Tensor::zeros(DType::kInt32, {2 * extent}).value();
  Tensor updates = Tensor::zeros(DType::kInt32, {2 * extent}).value();
  for (std::int64_t i = 0; i < 2 * extent; ++i) {
    static_cast<std::int32_t*>(at.data())[i] = static_cast<std::int32_t>(i % extent);
    static_cast<std::int32_t*>(updates.data())[i] = static_cast<std::int32_t>(-3 * i);
  }
  const Tensor axis = axis_of(0);
  const openvino::ScatterElementsUpdate op{.reduction = "mean", .use_init_val = false};
  const auto serial = openvino::scatter_elements_update(zeros, at, updates, axis, op);
  const auto threads = make_threads(3);
  RunOptions run;
  run.threads = threads.get();
  const auto threaded =
      openvino::scatter_elements_update(zeros, at, updates, axis, op, CallOptions{}, run);
  ASSERT_TRUE(serial);
  ASSERT_TRUE(threaded);
  EXPECT_TRUE(same_bits(*serial, *threaded));
  // (-3 i - 3 (i + extent)) / 2, rounded toward minus infinity.
  EXPECT_EQ(serial->values<std::int32_t>()[0], -150'000);
  EXPECT_EQ(serial->values<std::int32_t>()[1], -150'003);
}

TEST(ScatterElementsUpdate, AMeanOfRowsByAnExpandedIndex) {
  const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
  const Tensor start = Tensor::from<float>({3, 4}, values);
  const Tensor updates =
      Tensor::from<float>({3, 4}, std::vector<float>(values.rbegin(), values.rend()));
  const std::int64_t rows[] = {1, 2, 1};
  const std::int64_t axis[] = {0};
  const std::vector<TensorView> inputs = {start.view(),
                                          TensorView(DType::kInt64, {3, 4}, Strides{8, 0}, rows),
                                          updates.view(), TensorView(DType::kInt64, {}, axis)};
  const OperatorId id{"openvino", "ScatterElementsUpdate", 12};
  for (const bool counts_data : {false, true}) {
    const Attributes attributes = {{"reduction", std::string("mean")},
                                   {"use_init_val", counts_data}};
    EXPECT_TRUE(same_bits(call(id, attributes, inputs).value(),
                          call_reference(id, attributes, inputs).value()));
  }
}

}  // namespace
}  // namespace windrow::internal

#include "src/operators/dense_copies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "src/operators/known_run.h"
#include "src/operators/test_support.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

const OperatorId kGather = {"onnx", "Gather", 13};
const OperatorId kScatterElements = {"onnx", "ScatterElements", 18};

std::vector<TensorSpec> specs_of_views(const std::vector<TensorView>& views) {
  std::vector<TensorSpec> specs;
  for (const TensorView& view : views) specs.push_back(view.spec());
  return specs;
}

Plan plan_of(const OperatorId& id, const Attributes& attributes,
             const std::vector<TensorView>& views, const std::string& levers = "") {
  CallOptions options;
  options.kernels = levers;
  return compile(id, attributes, specs_of_views(views), options).value();
}

std::string copied(const Plan& plan) { return plan.description().copied_first; }

// `count` indices that are legal for an axis of `extent`.
Tensor spread(std::int64_t count, std::int64_t extent) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < count; ++i) values.push_back(i * 7919 % extent);
  return Tensor::from<std::int64_t>({count}, values);
}

TEST(DenseCopies, ASmallTableWithGapsIsCopiedAndALargeOneIsNot) {
  const Tensor few = spread(4, 20);
  const Tensor many = spread(5000, 20);
  const Laid table(counted<float>({20, 15}), 4, false, 0);
  EXPECT_EQ(copied(plan_of(kGather, {}, {table.view(), many})), "data");
  const Laid large(counted<float>({20, 15000}), 4, false, 0);
  EXPECT_EQ(copied(plan_of(kGather, {{"axis", std::int64_t{1}}}, {large.view(), few})), "");
  EXPECT_EQ(copied(plan_of(kGather, {}, {counted<float>({20, 15}), many})), "");
}

// As one row of 84 bytes they take a third of the time of seven of 12, each of which is two moves.
TEST(DenseCopies, ASmallTableWhoseRowsFallApartIsCopied) {
  const Tensor data = counted<float>({28, 6, 8, 4});
  const TensorView table(DType::kFloat32, {28, 6, 7, 3}, Strides{768, 128, 16, 4}, data.data());
  const Plan plan = plan_of(kGather, {{"axis", std::int64_t{1}}}, {table, spread(1305, 6)});
  EXPECT_EQ(copied(plan), "data");
  EXPECT_EQ(plan.description().row_bytes, 84);
}

// The offsets of a row of indices serve many rows of the table as one block: nothing is copied.
TEST(DenseCopies, IndicesThatAreTheSameInEveryRowAreNotCopied) {
  const Tensor data = counted<float>({3000, 24});
  const TensorView table(DType::kFloat32, {3000, 18}, Strides{96, 4}, data.data());
  const Tensor row = spread(20, 18);
  const TensorView indices(DType::kInt64, {3000, 20}, Strides{0, 8}, row.data());
  const OperatorId elements = {"onnx", "GatherElements", 13};
  EXPECT_EQ(copied(plan_of(elements, {{"axis", std::int64_t{1}}}, {table, indices})), "");
}

// Their innermost loops of a few points are one, too, where these offsets are computed.
TEST(DenseCopies, SharedIndicesWithShortInnermostLoopsAreReadAsOneRun) {
  const Tensor data = counted<float>({4, 500, 2});
  const Tensor pairs = spread(163 * 2, 500);
  const TensorView indices(DType::kInt64, {4, 163, 2}, Strides{0, 16, 8}, pairs.data());
  const Plan plan =
      plan_of({"onnx", "GatherElements", 13}, {{"axis", std::int64_t{1}}}, {data, indices});
  EXPECT_EQ(plan.description().shared_loops, (std::vector<std::int64_t>{4}));
  EXPECT_EQ(plan.description().loops_as_one, 2);
}

// The inputs that would be copied on a machine of these costs.
std::vector<std::size_t> copied_at(const Plan& plan, const MachineCosts& costs) {
  const PlanState& state = PlanAccess::state(plan);
  Tuning tuning = state.tuning;
  tuning.costs = costs;
  const LoweredOperation lowered =
      lower_operation(state.operation, state.inputs,
                      row_major_strides(state.result.shape, dtype_bits(state.result.dtype) / 8),
                      tuning)
          .value();
  std::vector<std::size_t> inputs;
  for (const DenseCopy& copy : lowered.dense_copies) inputs.push_back(copy.input);
  return inputs;
}

TEST(DenseCopies, WhereTurningElementsCostsMoreLessIsCopied) {
  const Tensor data = counted<float>({15, 20});
  const TensorView table(DType::kFloat32, {20, 15}, Strides{4, 80}, data.data());
  const Plan plan = plan_of(kGather, {}, {table, spread(100, 20)});
  MachineCosts costs;
  EXPECT_EQ(copied_at(plan, costs), std::vector<std::size_t>{0});
  costs.turned_byte *= 1000;
  EXPECT_EQ(copied_at(plan, costs), std::vector<std::size_t>{});
}

TEST(DenseCopies, WhereNewMemoryCostsMoreLessIsCopied) {
  const Laid table(counted<float>({20000, 15}), 4, false, 0);
  const Plan plan = plan_of(kGather, {}, {table.view(), spread(200000, 20000)});
  MachineCosts costs;
  EXPECT_EQ(copied_at(plan, costs), std::vector<std::size_t>{0});
  costs.new_byte *= 1000;
  EXPECT_EQ(copied_at(plan, costs), std::vector<std::size_t>{});
}

TEST(DenseCopies, ADescriptionHasTheEstimatesOfAllThatWereCompared) {
  const Tensor indices = spread(5000, 20);
  const Laid table(counted<float>({20, 15}), 4, false, 0);
  const Laid loose(indices, 8, false, 0);
  const PlanDescription both = plan_of(kGather, {}, {table.view(), loose.view()}).description();
  ASSERT_GE(both.estimates.size(), 3U);
  EXPECT_EQ(both.estimates.front().copied_first, both.copied_first);
  std::vector<std::string> names;
  for (const DescribedEstimate& estimate : both.estimates) {
    EXPECT_GE(estimate.microseconds, both.estimates.front().microseconds);
    EXPECT_EQ(std::count(names.begin(), names.end(), estimate.copied_first), 0);
    names.push_back(estimate.copied_first);
  }
  EXPECT_EQ(std::count(names.begin(), names.end(), ""), 1);
  EXPECT_NE(to_string(both).find(" us as it is"), std::string::npos);
  const Plan forced = plan_of(kGather, {}, {table.view(), loose.view()}, ",dense-copies=on");
  EXPECT_TRUE(forced.description().estimates.empty());
  EXPECT_TRUE(
      plan_of(kGather, {}, {counted<float>({20, 15}), indices}).description().estimates.empty());
}

TEST(DenseCopies, TheLeverForcesThemOnAndOff) {
  const Tensor indices = spread(300, 20);
  const Laid table(counted<float>({20, 15}), 4, false, 0);
  const Laid loose(indices, 8, false, 0);
  const std::vector<TensorView> views{table.view(), loose.view()};
  EXPECT_EQ(copied(plan_of(kGather, {}, views, ",dense-copies=on")), "data, indices");
  EXPECT_EQ(plan_of(kGather, {}, views, ",dense-copies=on").description().copied_first_bytes,
            20 * 15 * 4 + 300 * 8);
  EXPECT_EQ(copied(plan_of(kGather, {}, views, ",dense-copies=off")), "");
}

TEST(DenseCopies, RepeatedElementsAreCopiedIfTheCallMovesAsManyOrTheyAreFew) {
  const Tensor values = counted<float>({20});
  const auto copied_of = [&](std::int64_t columns, std::int64_t count) {
    const TensorView data(DType::kFloat32, {20, columns}, Strides{4, 0}, values.data());
    return copied(plan_of(kGather, {}, {data, spread(count, 20)}, ",dense-copies=on"));
  };
  EXPECT_EQ(copied_of(15, 1), "data");
  constexpr std::int64_t kLargest = (std::int64_t{16} << 20) / (20 * 4);
  EXPECT_EQ(copied_of(kLargest, 1), "data");
  EXPECT_EQ(copied_of(kLargest + 1, 1), "");
  EXPECT_EQ(copied_of(kLargest + 1, 19), "");
  EXPECT_EQ(copied_of(kLargest + 1, 20), "data");
}

// Updates that are the same row for all points: one row is copied, and not one for each point.
TEST(DenseCopies, ACopyRepeatsElementsAlongLeadingAxesAsTheInputDoes) {
  const Tensor data = Tensor::zeros(DType::kFloat32, {200, 6}).value();
  const Tensor indices = spread(100, 200);
  const Tensor rows = Tensor::from<std::int64_t>({100, 1}, indices.values<std::int64_t>());
  const Tensor values = counted<float>({6});
  std::vector<float> loose;
  for (const float value : values.values<float>()) loose.insert(loose.end(), {value, -1.0F});
  const TensorView updates(DType::kFloat32, {100, 6}, Strides{0, 8}, loose.data());
  const OperatorId id = {"onnx", "ScatterND", 18};
  const Attributes attributes = {{"reduction", "add"}};
  const std::vector<TensorView> views{data, rows, updates};
  for (const char* levers : {"", ",dense-copies=on"}) {
    const Plan plan = plan_of(id, attributes, views, levers);
    EXPECT_EQ(copied(plan), "updates");
    EXPECT_EQ(plan.description().copied_first_bytes, 6 * 4);
    EXPECT_EQ(plan.description().row_bytes, 6 * 4);
    EXPECT_TRUE(same_bits(plan.run(views).value(), call_reference(id, attributes, views).value()));
  }
}

TEST(DenseCopies, TheResultIsTheSameWithAndWithoutScratchOfTheCaller) {
  const Tensor data = counted<float>({20, 15});
  const Tensor indices = spread(3000, 20);
  const Laid table(data, 4, true, 0);
  const std::vector<TensorView> views{table.view(), indices};
  const Tensor expected =
      call_reference(kGather, {}, std::vector<TensorView>{data, indices}).value();
  const Plan plan = plan_of(kGather, {}, views);
  ASSERT_EQ(copied(plan), "data");
  ASSERT_GE(plan.scratch_bytes(1), 20U * 15 * 4);
  EXPECT_TRUE(same_bits(plan.run(views).value(), expected));
  std::vector<std::byte> memory(plan.scratch_bytes(1) + 64);
  RunOptions options;
  options.scratch = memory.data() + (64 - reinterpret_cast<std::uintptr_t>(memory.data()) % 64);
  for (const std::size_t bytes : {plan.scratch_bytes(1), std::size_t{64}}) {
    options.scratch_bytes = bytes;
    EXPECT_TRUE(same_bits(plan.run(views, options).value(), expected)) << bytes;
  }
}

TEST(DenseCopies, UpdatesOfAnInPlaceScatterAreCopied) {
  const Tensor data = counted<float>({500, 23});
  const Tensor column = spread(1500, 23);
  const Tensor indices = Tensor::copy_of({DType::kInt64, {500, 3}, column.data()}).value();
  const Tensor updates = counted<float>({500, 3});
  const Laid laid(updates, 4, false, 0);
  const Attributes axis{{"axis", std::int64_t{1}}};
  const Tensor expected =
      call_reference(kScatterElements, axis, std::vector<TensorView>{data, indices, updates})
          .value();
  for (const char* levers : {",dense-copies=on", ",dense-copies=off", ""}) {
    Tensor in_place = data.clone().value();
    const std::vector<TensorView> views{in_place, indices, laid.view()};
    const Plan plan = plan_of(kScatterElements, axis, views, levers);
    ASSERT_TRUE(plan.run(views, in_place.mutable_view()));
    EXPECT_TRUE(same_bits(in_place, expected)) << levers;
  }
}

TEST(DenseCopies, ABadIndexOfACopyIsNamedAndNothingIsWrittenInPlace) {
  Tensor data = counted<float>({5, 4});
  const Tensor before = data.clone().value();
  const Tensor indices = Tensor::of<std::int64_t>({2, 2}, {0, 1, 2, 9});
  const Laid loose(indices, 5, true, 3);
  const std::vector<TensorView> views{data, loose.view(), counted<float>({2, 2})};
  const Plan plan = plan_of(kScatterElements, {}, views, ",dense-copies=on");
  ASSERT_EQ(copied(plan), "indices");
  const Status status = plan.run(views, data.mutable_view());
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->position, (std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(status.index_fault()->value, 9);
  EXPECT_TRUE(same_bits(data, before));
}

// Ends the run at the first question.
class Impatient final : public Interrupt {
 public:
  bool requested() noexcept override { return true; }
};

TEST(DenseCopies, TheCallerMayEndACopy) {
  const std::int64_t extent = std::int64_t{5} << 20;
  const Laid table(counted<float>({2, extent}), 4, false, 0);
  const std::vector<TensorView> views{table.view(), Tensor::of<std::int64_t>({1}, {1})};
  const Plan plan = plan_of(kGather, {{"axis", std::int64_t{1}}}, views, ",dense-copies=on");
  Impatient impatient;
  RunOptions options;
  options.interrupt = &impatient;
  EXPECT_EQ(plan.run(views, options).error().code(), ErrorCode::kInterrupted);
}

}  // namespace
}  // namespace windrow::internal

#include "src/operators/prepared_run.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>

#include "src/operators/plan_state.h"

namespace windrow::internal {
namespace {

// An operator outside the equation: running sums of the elements.
class RunningSums final : public PreparedRun {
 public:
  Status run(std::span<const TensorView> inputs, const MutableTensorView& out,
             const RunOptions& /*options*/) const override {
    const auto* from = static_cast<const std::int64_t*>(inputs[0].data);
    auto* to = static_cast<std::int64_t*>(out.data);
    std::int64_t sum = 0;
    for (std::int64_t i = 0; i < out.shape[0]; ++i) to[i] = sum += from[i];
    return {};
  }
  std::size_t scratch_bytes(int threads) const noexcept override {
    return static_cast<std::size_t>(threads) * 64;
  }
  void describe(PlanDescription& description) const override { description.kernel = "sums"; }
};

Plan running_sums() {
  const TensorSpec numbers = {DType::kInt64, {4}, std::nullopt, nullptr};
  auto state = std::make_shared<PlanState>();
  state->operation.operator_name = "toy.RunningSums-1";
  state->operation.input_names = {"data"};
  state->operation.dtype = DType::kInt64;
  state->inputs = {numbers};
  state->result = numbers;
  state->kernels = find_kernel_set("");
  state->own_run = std::make_shared<RunningSums>();
  return Plan(std::move(state));
}

TEST(PreparedRun, APlanRunsIt) {
  const Tensor data = Tensor::of<std::int64_t>({4}, {1, 2, 3, 4});
  const Tensor sums = running_sums().run({data}).value();
  EXPECT_EQ(sums.values<std::int64_t>()[3], 10);
  EXPECT_EQ(running_sums().scratch_bytes(2), 128U);
}

TEST(PreparedRun, TensorsAreCheckedBeforeIt) {
  const Tensor longer = Tensor::of<std::int64_t>({5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(running_sums().run({longer}).error().code(), ErrorCode::kShape);
  Tensor data = Tensor::of<std::int64_t>({4}, {1, 2, 3, 4});
  EXPECT_EQ(running_sums().run({data}, data.mutable_view()).code(), ErrorCode::kInvalidArgument);
}

TEST(PreparedRun, TheDescriptionNamesIt) {
  const PlanDescription description = running_sums().description();
  EXPECT_EQ(description.operator_name, "toy.RunningSums-1");
  EXPECT_EQ(description.kernel, "sums");
  EXPECT_FALSE(running_sums().describe().empty());
}

}  // namespace
}  // namespace windrow::internal

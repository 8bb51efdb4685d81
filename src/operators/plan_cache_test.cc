#include "src/operators/plan_cache.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/operators/plan_key.h"
#include "src/operators/plan_state.h"
#include "windrow/onnx.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

using Specs = std::vector<TensorSpec>;

TensorSpec spec(DType type, const Shape& shape) { return {type, shape, std::nullopt, nullptr}; }

Specs gather_specs(std::int64_t rows = 5) {
  return {spec(DType::kFloat32, {rows, 3}), spec(DType::kInt64, {2})};
}

bool are_one(const Plan& a, const Plan& b) {
  return &PlanAccess::state(a) == &PlanAccess::state(b);
}

const OperatorId kGather = {"onnx", "Gather", 13};
const Attributes kAxis = {{"axis", std::int64_t{0}}};

Plan compiled(const OperatorId& id, const Attributes& attributes, const Specs& specs,
              const CallOptions& options = {}) {
  return compile(id, attributes, specs, options).value();
}

TEST(PlanCache, EqualCallsShareAPlan) {
  const Plan plan = compiled(kGather, kAxis, gather_specs());
  EXPECT_TRUE(are_one(plan, compiled(kGather, kAxis, gather_specs())));
}

TEST(PlanCache, CallsThatMeanTheSameShareAPlan) {
  const Plan plan = compiled(kGather, kAxis, gather_specs());
  EXPECT_TRUE(are_one(plan, compiled(kGather, {}, gather_specs())));
  EXPECT_TRUE(are_one(plan, compiled({"onnx", "Gather", 21}, kAxis, gather_specs())));
  EXPECT_TRUE(are_one(plan, compiled({"onnx", "Gather", std::nullopt}, kAxis, gather_specs())));
  EXPECT_TRUE(are_one(plan, compile(onnx::Gather{.axis = 0}, gather_specs()).value()));
}

TEST(PlanCache, CallsThatDifferInAnythingDoNot) {
  const Plan plan = compiled(kGather, kAxis, gather_specs());
  Specs strided = gather_specs();
  strided[0].strides = Strides({12, 4});
  Specs wide = gather_specs();
  wide[0].dtype = DType::kInt32;
  const Plan others[] = {
      compiled({"onnx", "Gather", 12}, kAxis, gather_specs()),
      compiled({"array", "Take", 1}, kAxis, gather_specs()),
      compiled(kGather, {{"axis", std::int64_t{1}}}, gather_specs()),
      compiled(kGather, kAxis, gather_specs(6)),
      compiled(kGather, kAxis, strided),
      compiled(kGather, kAxis, wide),
      compiled(kGather, kAxis, gather_specs(), {.out_of_range = OutOfRange::kError}),
      compiled(kGather, kAxis, gather_specs(), {.out_of_range = OutOfRange::kZero}),
      compiled(kGather, kAxis, gather_specs(), {.strict = true}),
      compiled(kGather, kAxis, gather_specs(), {.kernels = "plain"}),
      compiled(kGather, kAxis, gather_specs(), {.kernels = "plain,prefetch=8"}),
  };
  for (std::size_t i = 0; i < std::size(others); ++i) {
    EXPECT_FALSE(are_one(others[i], plan)) << i;
    for (std::size_t k = 0; k < i; ++k) EXPECT_FALSE(are_one(others[i], others[k])) << i << k;
  }
}

TEST(PlanCache, AChangedEnvironmentHolds) {
  const char* const given = std::getenv("WINDROW_KERNELS");
  const std::string before = given == nullptr ? "" : given;
  ::setenv("WINDROW_KERNELS", "plain", 1);
  EXPECT_EQ(compiled(kGather, kAxis, gather_specs(7)).kernel_set(), "plain");
  ::setenv("WINDROW_KERNELS", "no such kernels", 1);
  EXPECT_FALSE(compile(kGather, kAxis, gather_specs(7)));
  ::setenv("WINDROW_KERNELS", before.c_str(), 1);
  EXPECT_TRUE(compile(kGather, kAxis, gather_specs(7)));
}

Specs openvino_specs(std::shared_ptr<const Tensor> axis) {
  Specs specs = {spec(DType::kFloat32, {5, 3}), spec(DType::kInt64, {2}), spec(DType::kInt64, {})};
  specs[2].value = std::move(axis);
  return specs;
}

TEST(PlanCache, KeepsValuesOfItsOwn) {
  std::int64_t memory = 0;
  const auto owner = std::make_shared<int>(0);
  const auto axis =
      std::make_shared<const Tensor>(Tensor::adopt(DType::kInt64, {}, &memory, owner));
  const OperatorId gather = {"openvino", "Gather", 8};
  const Plan first = compiled(gather, {}, openvino_specs(axis));
  EXPECT_EQ(owner.use_count(), 2) << "the plan holds memory of the caller's";
  memory = 1;
  const Plan second = compiled(gather, {}, openvino_specs(axis));
  EXPECT_EQ(first.result().shape, (Shape{2, 3}));
  EXPECT_EQ(second.result().shape, (Shape{5, 2}));
  memory = 0;
  EXPECT_TRUE(are_one(compiled(gather, {}, openvino_specs(axis)), first));
  // A run must still pass the value of compile.
  const Tensor data = Tensor::zeros(DType::kFloat32, {5, 3}).value();
  const Tensor ids = Tensor::of<std::int64_t>({2}, {0, 1});
  memory = 1;
  EXPECT_FALSE(first.run({data, ids, *axis}));
  EXPECT_TRUE(second.run({data, ids, *axis}));
}

TEST(PlanCache, OfValuesTheElementsCount) {
  const auto shared = [](std::int64_t value) {
    return std::make_shared<const Tensor>(Tensor::of<std::int64_t>({}, {value}));
  };
  const OperatorId gather = {"openvino", "Gather", 8};
  const Plan plan = compiled(gather, {}, openvino_specs(shared(0)));
  EXPECT_TRUE(are_one(compiled(gather, {}, openvino_specs(shared(0))), plan));
  EXPECT_FALSE(are_one(compiled(gather, {}, openvino_specs(shared(-2))), plan));
}

TEST(PlanCache, LongKeysNameNoPlan) {
  const std::string levers = "plain,prefetch=" + std::string(4100, '0') + "8";
  const onnx::Gather op;
  const OperatorCall call = {*find_row("onnx", "Gather", 13).value(), &op};
  const PlanKey key(call, {.kernels = levers}, levers);
  EXPECT_FALSE(key.fits());
  kept_plans.keep(key, compiled(kGather, kAxis, gather_specs()));
  EXPECT_FALSE(kept_plans.find(key));
}

TEST(PlanCache, IsBounded) {
  // Far more plans than there are slots. An early plan must be gone or correct.
  for (std::int64_t rows = 1; rows < 3000; ++rows)
    ASSERT_EQ(compiled(kGather, kAxis, {spec(DType::kInt8, {rows, 2}), spec(DType::kInt32, {rows})})
                  .result()
                  .shape,
              (Shape{rows, 2}));
}

TEST(PlanCache, ManyThreadsCompileAtOnce) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&wrong] {
      for (std::int64_t i = 0; i < 2000; ++i) {
        const std::int64_t rows = 1 + i % 7;
        const Specs specs = {spec(DType::kFloat32, {rows, 3}), spec(DType::kInt64, {rows})};
        if (!(compiled(kGather, kAxis, specs).result().shape == Shape{rows, 3})) ++wrong;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(PlanCache, AForkLeavesNothingClosed) {
  std::atomic<bool> stop = false;
  std::thread busy([&stop] {
    while (!stop) compiled(kGather, kAxis, gather_specs());
  });
  for (int i = 0; i < 50; ++i) {
    const pid_t child = ::fork();
    if (child == 0) {
      ::alarm(20);
      ::_exit(compile(kGather, kAxis, gather_specs()) ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  stop = true;
  busy.join();
}

}  // namespace
}  // namespace windrow::internal

#include "src/operators/plan.h"

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

#include "src/operators/plan_state.h"
#include "src/operators/test_support.h"
#include "windrow/onnx.h"
#include "windrow/openvino.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

// One row of offsets for many outer rows, which needs scratch memory.
class SharedOffsets : public testing::Test {
 protected:
  static std::vector<std::int64_t> backwards() {
    std::vector<std::int64_t> values(5000);
    for (std::size_t i = 0; i < values.size(); ++i)
      values[i] = static_cast<std::int64_t>((values.size() - i) % 700);
    return values;
  }

  const Tensor data_ = counted<float>({64, 700});
  const Tensor indices_ = Tensor::from<std::int64_t>({5000}, backwards());
  const std::vector<TensorView> inputs_{data_, indices_};
  const Attributes axis_{{"axis", std::int64_t{1}}};
  const Plan plan_ = compile(onnx::Gather{.axis = 1}, {data_.spec(), indices_.spec()}).value();
  const Tensor expected_ = call_reference({"onnx", "Gather", 13}, axis_, inputs_).value();
};

TEST_F(SharedOffsets, ScratchIsUsedWhereItIsLargeEnough) {
  const std::size_t bytes = plan_.scratch_bytes();
  ASSERT_GT(bytes, 0U);
  Tensor scratch = Tensor::zeros(DType::kUint8, {static_cast<std::int64_t>(bytes)}).value();
  const Tensor untouched = scratch.clone().value();
  const Tensor small =
      plan_.run(inputs_, {.scratch = scratch.data(), .scratch_bytes = bytes - 1}).value();
  EXPECT_TRUE(same_bits(small, expected_));
  EXPECT_TRUE(same_bits(scratch, untouched));
  const Tensor given =
      plan_.run(inputs_, {.scratch = scratch.data(), .scratch_bytes = bytes}).value();
  EXPECT_TRUE(same_bits(given, expected_));
  EXPECT_FALSE(same_bits(scratch, untouched));
  const Tensor null = plan_.run(inputs_, {.scratch_bytes = bytes}).value();
  EXPECT_TRUE(same_bits(null, expected_));
}

TEST_F(SharedOffsets, ScratchForSeveralThreads) {
  const std::size_t bytes = plan_.scratch_bytes(3);
  ASSERT_GE(bytes, plan_.scratch_bytes());
  Tensor scratch = Tensor::zeros(DType::kUint8, {static_cast<std::int64_t>(bytes) + 64}).value();
  ReverseThreads threads(3);
  const RunOptions run{.threads = &threads, .scratch = scratch.data(), .scratch_bytes = bytes};
  EXPECT_TRUE(same_bits(plan_.run(inputs_, run).value(), expected_));
  EXPECT_GT(threads.calls(), 0);
  for (const std::uint8_t byte : scratch.values<std::uint8_t>().last(64)) EXPECT_EQ(byte, 0);
}

TEST_F(SharedOffsets, TheResultDoesNotDependOnThreads) {
  for (const int count : {1, 2, 3, 7}) {
    ReverseThreads reverse(count);
    EXPECT_TRUE(same_bits(plan_.run(inputs_, {.threads = &reverse}).value(), expected_)) << count;
    EagerThreads eager(count);
    EXPECT_TRUE(same_bits(plan_.run(inputs_, {.threads = &eager}).value(), expected_)) << count;
  }
}

TEST_F(SharedOffsets, ManyThreadsRunOnePlan) {
  const Laid laid(data_, 4, true, 0);
  const std::vector<TensorView> strided{laid.view(), indices_};
  std::vector<int> right(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < right.size(); ++t)
    threads.emplace_back([&, t] {
      const auto& inputs = t % 2 == 0 ? inputs_ : strided;
      for (int i = 0; i < 5; ++i)
        right[t] += same_bits(plan_.run(inputs).value(), expected_) ? 1 : 0;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, std::vector<int>(4, 5));
}

TEST(Plan, SmallPlansNeedNoScratch) {
  const TensorSpec data{DType::kFloat32, {3, 2}, {}, {}};
  const TensorSpec indices{DType::kInt64, {2}, {}, {}};
  const Plan plan = compile(onnx::Gather{}, {data, indices}).value();
  EXPECT_EQ(plan.scratch_bytes(), 0U);
  EXPECT_EQ(plan.scratch_bytes(16), 0U);
}

TEST(Plan, KnowsItsResult) {
  const TensorSpec data{DType::kFloat32, {3, 2}, {}, {}};
  const TensorSpec indices{DType::kInt64, {4, 5}, {}, {}};
  const Plan plan = compile(onnx::Gather{.axis = 1}, {data, indices}).value();
  EXPECT_EQ(plan.result().dtype, DType::kFloat32);
  EXPECT_EQ(plan.result().shape, Shape({3, 4, 5}));
  EXPECT_EQ(plan.operator_name(), "onnx.Gather-13");
}

TEST(Plan, DescribesOperatorResultRowsAndKernel) {
  const TensorSpec data{DType::kFloat32, {5, 3}, {}, {}};
  const TensorSpec indices{DType::kInt64, {2}, {}, {}};
  const std::string text =
      compile(onnx::Gather{.version = 11}, {data, indices}, {.kernels = "plain"})->describe();
  for (const std::string part :
       {"onnx.Gather-11: float32[2, 3]\n", "\nrow: 12 bytes, moved as one\n",
        "\nkernel: ", "extent 5", "int64", "\nkernel set: plain\n", "\nmoves: 24 bytes by "})
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in:\n" << text;
}

TEST(Plan, DescribesPlansWithoutElements) {
  const TensorSpec data{DType::kFloat32, {5, 0}, {}, {}};
  const TensorSpec indices{DType::kInt64, {2}, {}, {}};
  EXPECT_NE(compile(onnx::Gather{}, {data, indices})->describe().find("no elements"),
            std::string::npos);
}

TEST(Plan, DescribesStrings) {
  const TensorSpec data{DType::kString, {5}, {}, {}};
  const TensorSpec indices{DType::kInt64, {2}, {}, {}};
  EXPECT_NE(compile(onnx::Gather{}, {data, indices})->describe().find("kernel: strings"),
            std::string::npos);
}

TEST(Plan, NotesTellOfADeprecatedVersion) {
  const TensorSpec data{DType::kFloat32, {3}, {}, {}};
  const TensorSpec indices{DType::kInt64, {2}, {}, {}};
  const TensorSpec updates{DType::kFloat32, {2}, {}, {}};
  EXPECT_TRUE(compile(onnx::Scatter{.version = 10}, {data, indices, updates})->notes().empty());
  const Plan plan = compile(onnx::Scatter{.version = 11}, {data, indices, updates}).value();
  ASSERT_EQ(plan.notes().size(), 1U);
  EXPECT_EQ(plan.notes().front(),
            "onnx.Scatter-11: Scatter is deprecated since opset 11; use ScatterElements");
}

TEST(KernelSets, EverySupportedOneGivesTheSameResults) {
  const Tensor data = counted<float>({300, 5});
  const Tensor indices = Tensor::of<std::int64_t>({6}, {299, -300, 7, 7, 0, 150});
  const std::vector<TensorView> inputs{data, indices};
  const std::vector<TensorSpec> specs{data.spec(), indices.spec()};
  const OperatorId id{"onnx", "Gather", 13};
  const Tensor expected = call_reference(id, {}, inputs).value();
  ASSERT_FALSE(list_kernel_sets().empty());
  EXPECT_EQ(list_kernel_sets().front().name, "plain");
  EXPECT_TRUE(list_kernel_sets().front().supported);
  std::string best;
  for (const KernelSet& set : list_kernel_sets()) {
    const Result<Plan> plan = compile(id, {}, specs, {.kernels = set.name});
    EXPECT_EQ(plan.ok(), set.supported) << set.name;
    if (!plan) {
      EXPECT_EQ(plan.error().constraint(), "CALL-O2");
      EXPECT_NE(plan.error().message().find(set.name + " (not on this machine)"),
                std::string::npos);
      continue;
    }
    best = set.name;
    EXPECT_EQ(plan->kernel_set(), set.name);
    EXPECT_TRUE(same_bits(plan->run(inputs).value(), expected)) << set.name;
  }
  EXPECT_EQ(compile(id, {}, specs)->kernel_set(), best);
}

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

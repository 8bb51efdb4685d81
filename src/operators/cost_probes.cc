#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "src/base/memory.h"
#include "src/execute/run_plan.h"
#include "src/operators/known_run.h"
#include "src/operators/measure_costs.h"
#include "src/operators/plan_state.h"
#include "src/plan/estimate.h"
#include "src/plan/lower.h"
#include "windrow/operators.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kProbedPoints = std::int64_t{1} << 14;  // with their indices, near

// Legal indices for an axis of `extent`, in no order.
Result<Tensor> scattered_indices(const Shape& shape, std::int64_t extent) {
  Result<Tensor> indices = Tensor::allocate(DType::kInt64, shape);
  if (!indices) return indices;
  auto* const values = static_cast<std::int64_t*>(indices->data());
  std::uint64_t state = 1;
  for (std::int64_t i = 0; i < indices->element_count(); ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    values[i] = static_cast<std::int64_t>((state >> 33U) % static_cast<std::uint64_t>(extent));
  }
  return indices;
}

// Zeros, whose pages have been touched.
Result<Tensor> zero_floats(const Shape& shape) {
  Result<Tensor> tensor = Tensor::allocate(DType::kFloat32, shape);
  if (tensor) {
    auto* const values = static_cast<float*>(tensor->data());
    std::fill_n(values, tensor->element_count(), 0.0F);
  }
  return tensor;
}

// A gather of float32.
struct ProbedCall {
  const char* op = "Gather";
  std::int64_t version = 13;
  Shape data = {};
  Shape indices = {};
  std::int64_t extent = 0;  // indices are below it
  Attributes attributes = {};
  std::string kernels = {};
  bool turned = false;  // whether the two axes of the indices lie in the other order
  int tasks = 1;
};

// What a call needs to run again and again.
struct ProbedRun {
  Tensor data;
  Tensor indices;
  Tensor out;
  std::vector<TensorView> inputs;
  Plan plan;
  RunOptions options;
};

Result<std::shared_ptr<ProbedRun>> compile_probe(const ProbedCall& call, Threads* threads) {
  Result<Tensor> data = zero_floats(call.data);
  if (!data) return data.error();
  Result<Tensor> indices = scattered_indices(call.indices, call.extent);
  if (!indices) return indices.error();
  TensorView view = *indices;
  if (call.turned)
    view = TensorView(DType::kInt64, call.indices, Strides{8, 8 * call.indices[0]}, view.data);
  const std::vector<TensorView> inputs{*data, view};
  std::vector<TensorSpec> specs;
  for (const TensorView& input : inputs) specs.push_back(input.spec());
  CallOptions options;
  options.kernels = call.kernels;
  Result<Plan> plan = compile({"onnx", call.op, call.version}, call.attributes, specs, options);
  if (!plan) return plan.error();
  Result<Tensor> out = zero_floats(plan->result().shape);
  if (!out) return out.error();
  auto run = std::make_shared<ProbedRun>(ProbedRun{
      *std::move(data), *std::move(indices), *std::move(out), inputs, *std::move(plan), {}});
  run->options.threads = call.tasks > 1 ? threads : nullptr;
  return run;
}

// Collects probes until one fails.
class Probes {
 public:
  explicit Probes(Threads* threads) : threads_(threads) {}

  void add_call(double MachineCosts::*cost, const ProbedCall& call) {
    if (!status_) return;
    const auto run = compile_probe(call, threads_);
    if (!run) {
      status_ = run.error();
      return;
    }
    const auto estimate = [run = *run, tasks = call.tasks](const MachineCosts& costs) {
      const double time = estimate_time(PlanAccess::state(run->plan).lowered.main, costs);
      return tasks > 1 ? time / tasks + costs.task : time;
    };
    probes_.push_back({cost, estimate, [run = *run] {
                         return run->plan.run(run->inputs, run->out.mutable_view(), run->options);
                       }});
  }

  // A dense copy of float32 with these strides.
  void add_copy(double MachineCosts::*cost, const Shape& shape, const Strides& from) {
    if (!status_) return;
    auto plan = lower_copy(DType::kFloat32, shape, row_major_strides(shape, 4), from);
    Result<Tensor> input = zero_floats({2 * element_count(shape).value_or(0)});
    Result<Tensor> out = zero_floats(shape);
    if (!plan || !input || !out) {
      status_ = !plan ? plan.error() : (input ? out.error() : input.error());
      return;
    }
    struct Copy {
      LoweredPlan plan;
      Tensor input;
      Tensor out;
    };
    const auto copy =
        std::make_shared<Copy>(Copy{*std::move(plan), *std::move(input), *std::move(out)});
    const auto run = [copy]() -> Status {
      const RunMemory memory{static_cast<std::byte*>(copy->out.data()),
                             static_cast<std::byte*>(copy->input.data()),
                             {}};
      if (run_plan(copy->plan, find_kernel_set("")->table, memory, nullptr, {}) ==
          RunOutcome::kDone)
        return {};
      return {ErrorCode::kOutOfMemory, "not enough memory to measure a copy"};
    };
    probes_.push_back(
        {cost, [copy](const MachineCosts& costs) { return estimate_time(copy->plan, costs); },
         run});
  }

  // Memory that the system maps anew each time.
  void add_new_memory(std::int64_t bytes) {
    const auto run = [bytes]() -> Status {
      auto* const memory =
          static_cast<volatile std::byte*>(allocate_elements(static_cast<std::size_t>(bytes)));
      if (memory == nullptr)
        return {ErrorCode::kOutOfMemory, "not enough memory to measure new memory"};
      for (std::int64_t i = 0; i < bytes; i += 4096) memory[i] = std::byte{1};
      free_elements(const_cast<std::byte*>(memory), static_cast<std::size_t>(bytes));
      return {};
    };
    const auto estimate = [bytes](const MachineCosts& costs) {
      return estimate_new_memory(bytes, costs);
    };
    probes_.push_back({&MachineCosts::new_byte, estimate, run});
  }

  Result<std::vector<CostProbe>> take() {
    if (!status_) return status_;
    return std::move(probes_);
  }

 private:
  Threads* threads_;
  Status status_;
  std::vector<CostProbe> probes_;
};

// One index for each of many points of the last axis, and for each of many rows.
void add_element_probes(Probes& probes) {
  // Four times a second-level cache, in elements of 4 bytes.
  const std::int64_t far = second_level_cache();
  const ProbedCall vector{.data = {4096}, .indices = {kProbedPoints}, .extent = 4096};
  probes.add_call(&MachineCosts::take, vector);
  ProbedCall each = vector;
  each.kernels = ",straight=off";
  each.data = {far};
  each.extent = far;
  each.indices = {std::int64_t{1} << 19};
  probes.add_call(&MachineCosts::far_element, each);
  each.attributes = {{"axis", std::int64_t{1}}};
  each.data = {16, 4096};
  each.extent = 4096;
  each.indices = {1024};
  probes.add_call(&MachineCosts::element, each);
  probes.add_call(&MachineCosts::row, {.data = {1024, 5}, .indices = {4096}, .extent = 1024});
  probes.add_call(&MachineCosts::row_byte, {.data = {64, 1024}, .indices = {64}, .extent = 64});
}

// Index tuples, and many short loops.
void add_offset_probes(Probes& probes) {
  ProbedCall tuples{.op = "GatherND",
                    .data = {8, 8, 8, 8},
                    .indices = {4096, 4},
                    .extent = 8,
                    .kernels = ",straight=off,dense-copies=off"};
  probes.add_call(&MachineCosts::loose_index, tuples);
  tuples.turned = true;
  probes.add_call(&MachineCosts::offset, tuples);
  probes.add_call(&MachineCosts::block,
                  {.op = "GatherElements",
                   .data = {2048, 8},
                   .indices = {2048, 8},
                   .extent = 8,
                   .attributes = {{"axis", std::int64_t{1}}},
                   .kernels = ",straight=off,flat-runs=off,constant-rows=off"});
}

}  // namespace

Result<std::vector<CostProbe>> make_cost_probes(Threads* threads) {
  Probes probes(threads);
  probes.add_call(&MachineCosts::small_run, {.data = {16}, .indices = {1}, .extent = 16});
  probes.add_copy(&MachineCosts::run, {300}, {8});
  add_element_probes(probes);
  add_offset_probes(probes);
  probes.add_copy(&MachineCosts::grid_element, {128, 128}, {1024, 8});
  probes.add_copy(&MachineCosts::turned_byte, {128, 128}, {4, 512});
  probes.add_new_memory(std::int64_t{32} << 20);
  if (threads != nullptr && threads->count() > 1)
    probes.add_call(
        &MachineCosts::task,
        {.data = {4096}, .indices = {2048}, .extent = 4096, .kernels = ",tasks=2", .tasks = 2});
  return probes.take();
}

}  // namespace windrow::internal

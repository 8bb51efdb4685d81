#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/windrow.h"

// Ways of moving bytes that only large or special calls take by default, compared with the
// reference bit for bit.
namespace windrow::internal {
namespace {

struct Movement {
  const char* name;
  const char* op;
  Attributes attributes;
  Shape data;
  Shape indices;
  std::int64_t axis;
  DType index_type = DType::kInt64;
  // Each row of indices holds a single index, except the last row, which holds two.
  bool constant_rows = false;
  std::int64_t other_rows = 0;
  const char* dialect = "onnx";
  std::int64_t row = 1;  // elements that one index moves
};

Attributes with(std::int64_t axis, const char* reduction = nullptr) {
  Attributes attributes = {{"axis", axis}};
  if (reduction != nullptr) attributes["reduction"] = std::string(reduction);
  return attributes;
}

const std::vector<Movement>& movements() {
  static const std::vector<Movement> all = {
      {"elements_axis_0", "GatherElements", with(0), {300, 70}, {400, 70}, 0},
      {"elements_axis_0_int32", "GatherElements", with(0), {300, 70}, {90, 33}, 0, DType::kInt32},
      {"elements_middle_axis", "GatherElements", with(1), {3, 200, 40}, {2, 100, 40}, 1},
      {"elements_last_axis", "GatherElements", with(1), {20, 900}, {20, 2100}, 1},
      {"scatter_axis_0", "ScatterElements", with(0), {300, 70}, {400, 70}, 0},
      {"scatter_axis_0_add", "ScatterElements", with(0, "add"), {300, 70}, {400, 70}, 0},
      {"scatter_narrow_axis_0_add", "ScatterElements", with(0, "add"), {300, 70}, {400, 31}, 0},
      {"scatter_middle_axis_mul", "ScatterElements", with(1, "mul"), {3, 200, 40}, {3, 300, 40}, 1},
      {"short_runs_axis_0", "GatherElements", with(0), {300, 3}, {900, 3}, 0},
      {"short_runs_last_axis", "GatherElements", with(1), {700, 11}, {700, 5}, 1, DType::kInt32},
      {"short_runs_middle_axis", "GatherElements", with(1), {7, 50, 6}, {7, 90, 6}, 1},
      {"scatter_short_runs_axis_0", "ScatterElements", with(0), {300, 2}, {2500, 2}, 0},
      {"scatter_short_runs_axis_0_add", "ScatterElements", with(0, "add"), {90, 16}, {700, 16}, 0},
      {"scatter_short_runs_last_axis", "ScatterElements", with(1), {900, 9}, {900, 4}, 1},
      {"scatter_short_runs_middle_axis_add",
       "ScatterElements",
       with(1, "add"),
       {7, 50, 6},
       {7, 90, 6},
       1},
      {"scatter_last_axis", "ScatterElements", with(1), {40, 900}, {30, 500}, 1},
      {"scatter_last_axis_max", "ScatterElements", with(1, "max"), {40, 900}, {40, 500}, 1},
      {"scatter_1d_add", "ScatterElements", with(0, "add"), {5000}, {9000}, 0},
      {"constant_rows", "GatherElements", with(0), {500, 80}, {700, 80}, 0, DType::kInt64, true},
      {"constant_rows_add",
       "ScatterElements",
       with(0, "add"),
       {500, 80},
       {700, 80},
       0,
       DType::kInt32,
       true},
      {"constant_rows_of_fewer_lanes",
       "ScatterElements",
       with(0, "add"),
       {500, 80},
       {700, 50},
       0,
       DType::kInt64,
       true},
      {"nearly_constant_rows_add",
       "ScatterElements",
       with(0, "add"),
       {500, 80},
       {700, 80},
       0,
       DType::kInt64,
       true,
       1},
      {.name = "rows_of_24_bytes_axis_0",
       .op = "TakeAlongAxis",
       .attributes = with(0),
       .data = {300, 70, 6},
       .indices = {400, 70, 1},
       .axis = 0,
       .dialect = "array",
       .row = 6},
      {.name = "put_rows_of_60_bytes_axis_0",
       .op = "PutAlongAxis",
       .attributes = with(0),
       .data = {300, 70, 15},
       .indices = {90, 70, 1},
       .axis = 0,
       .index_type = DType::kInt32,
       .dialect = "array",
       .row = 15},
  };
  return all;
}

std::vector<std::int64_t> draw(const Movement& m, std::mt19937_64& random) {
  const std::int64_t extent = m.data[static_cast<int>(m.axis)];
  const std::int64_t row = m.indices.back();
  std::vector<std::int64_t> indices(static_cast<std::size_t>(element_count(m.indices).value()));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const bool repeats = m.constant_rows && static_cast<std::int64_t>(i) % row != 0;
    indices[i] =
        repeats
            ? indices[i - 1]
            : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * extent)) - extent;
  }
  if (m.other_rows > 0) indices.back() = indices.back() == 0 ? 1 : 0;
  return indices;
}

Tensor draw_indices(const Movement& m, std::mt19937_64& random) {
  const std::vector<std::int64_t> wide = draw(m, random);
  if (m.index_type == DType::kInt64) return Tensor::from<std::int64_t>(m.indices, wide);
  return Tensor::from<std::int32_t>(m.indices, std::vector<std::int32_t>(wide.begin(), wide.end()));
}

Tensor draw_values(const Shape& shape, std::mt19937_64& random) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape).value()));
  for (float& value : values) value = static_cast<float>(random() >> 44) * 1e-2F;
  return Tensor::from<float>(shape, values);
}

bool scatters(const Movement& m) {
  const std::string op = m.op;
  return op == "ScatterElements" || op == "PutAlongAxis";
}

Shape updates_shape(const Movement& m) {
  Shape shape = m.indices;
  shape.back() *= m.row;
  return shape;
}

constexpr const char* kLevers[] = {
    "",
    ",tile=0",
    ",tile=1024",
    ",tile=16,pack=on",
    ",tile=16,pack=on,stream=on,tasks=3",
    ",tile=7",
    ",pack=off",
    ",flat-runs=off",
    ",flat-runs=off,tasks=3",
    ",flat-runs=on,straight=off,tasks=3",
    ",flat-runs=on,straight=off,prefetch=7,fused-copy=off",
    ",stream=on,prefetch=5",
    ",stream=on,tasks=5",
    ",constant-rows=off,tasks=4",
    ",constant-rows=on,stream=on,tasks=3",
    ",fused-copy=off",
    ",fused-copy=on,stream=on,tasks=3",
    ",straight=off,stream=on",
    ",straight=on,gathers=on",
    ",straight=on,gathers=off,stream=on",
    ",buckets=on,tasks=3,tile=0",
};

struct DrawnCall {
  explicit DrawnCall(const Movement& m) : movement(m), id{m.dialect, m.op, std::nullopt} {
    std::mt19937_64 random(11);
    inputs.push_back(draw_values(m.data, random));
    inputs.push_back(draw_indices(m, random));
    if (scatters(m)) inputs.push_back(draw_values(updates_shape(m), random));
    expected = call_reference(id, m.attributes, views()).value();
  }
  std::vector<TensorView> views() const { return {inputs.begin(), inputs.end()}; }

  const Movement& movement;
  OperatorId id;
  std::vector<Tensor> inputs;
  Tensor expected;  // the reference's result
};

void check(const DrawnCall& drawn, const std::string& kernels, Threads* threads) {
  const Movement& m = drawn.movement;
  std::vector<TensorView> views = drawn.views();
  RunOptions run;
  run.threads = threads;
  const Tensor actual = call(drawn.id, m.attributes, views, {.kernels = kernels}, run).value();
  const int count = threads == nullptr ? 1 : threads->count();
  EXPECT_TRUE(same_bits(actual, drawn.expected))
      << m.name << ", " << kernels << ", threads " << count;
  if (views.size() < 3) return;
  std::vector<TensorSpec> specs;
  for (const Tensor& input : drawn.inputs) specs.push_back(input.spec());
  const Plan plan = compile(drawn.id, m.attributes, specs, {.kernels = kernels}).value();
  Tensor data = drawn.inputs[0].clone().value();
  views[0] = data.view();
  EXPECT_TRUE(plan.run(views, data.mutable_view(), run).ok());
  EXPECT_TRUE(same_bits(data, drawn.expected))
      << m.name << " in place, " << kernels << ", threads " << count;
}

TEST(Movement, EveryLeverGivesTheReferencesBits) {
  ReverseThreads eight(8);
  for (const Movement& m : movements()) {
    const DrawnCall drawn(m);
    for (const KernelSet& set : list_kernel_sets()) {
      if (!set.supported) continue;
      for (const char* levers : kLevers)
        for (Threads* threads : {static_cast<Threads*>(nullptr), static_cast<Threads*>(&eight)})
          check(drawn, set.name + levers, threads);
    }
  }
}

}  // namespace
}  // namespace windrow::internal

// windrow_bench_models: times runs of small models, by Model::run, by a prepared model (inputs by
// name and by position), and by their plans alone: Plan::run one after another, from plans, views
// and memory that are made once. Each node moves a few hundred bytes, on one thread.

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "windrow/models.h"
#include "windrow/prepared_model.h"

namespace windrow::bench {
namespace {

ValueInfo untyped(const std::string& name) { return {name, DType::kAbsent, std::nullopt}; }

ModelNode node(const std::string& op, const std::vector<std::string>& inputs,
               const std::string& output) {
  return {output, "", op, inputs, {output}, {}, ""};
}

// Embeddings of 8 tokens, of which one row is replaced and then looked up, `repeats` times over.
Model small_model(int repeats) {
  Model model;
  model.opset_imports[""] = 18;
  for (const char* name : {"table", "ids", "at", "row"}) model.inputs.push_back(untyped(name));
  std::string rows = "table";
  for (int i = 0; i < repeats; ++i) {
    const std::string number = std::to_string(i);
    model.nodes.push_back(node("Gather", {rows, "ids"}, "rows" + number));
    model.nodes.push_back(node("ScatterND", {"rows" + number, "at", "row"}, "changed" + number));
    model.nodes.push_back(node("Gather", {"changed" + number, "ids"}, "found" + number));
    rows = "found" + number;
  }
  model.outputs = {untyped(rows)};
  return model;
}

struct Inputs {
  Tensor table = Tensor::zeros(DType::kFloat32, {8, 16}).value();
  Tensor ids = Tensor::of<std::int64_t>({8}, {3, 1, 7, 7, 0, 2, 5, -1});
  Tensor at = Tensor::of<std::int64_t>({1, 1}, {4});
  Tensor row = Tensor::zeros(DType::kFloat32, {1, 16}).value();
  NamedViews named() const { return {{"table", table}, {"ids", ids}, {"at", at}, {"row", row}}; }
  std::vector<TensorView> ordered() const { return {table, ids, at, row}; }
};

void run_model(benchmark::State& state) {
  const Model model = small_model(static_cast<int>(state.range(0)));
  const Inputs inputs;
  const NamedViews named = inputs.named();
  for (auto _ : state) benchmark::DoNotOptimize(model.run(named).value());
}

void run_prepared(benchmark::State& state) {
  const PreparedModel model = small_model(static_cast<int>(state.range(0))).prepare().value();
  const Inputs inputs;
  const NamedViews named = inputs.named();
  for (auto _ : state) benchmark::DoNotOptimize(model.run(named).value());
}

void run_prepared_by_position(benchmark::State& state) {
  const PreparedModel model = small_model(static_cast<int>(state.range(0))).prepare().value();
  const Inputs inputs;
  const std::vector<TensorView> ordered = inputs.ordered();
  for (auto _ : state) benchmark::DoNotOptimize(model.run(ordered).value());
}

struct Call {
  Plan plan;
  std::vector<TensorView> inputs;
  MutableTensorView output;
};

void run_plans(benchmark::State& state) {
  const Inputs inputs;
  std::vector<Tensor> memory;
  memory.reserve(3 * static_cast<std::size_t>(state.range(0)));
  std::vector<Call> calls;
  const auto add = [&](const char* op, const std::vector<TensorView>& views) {
    std::vector<TensorSpec> specs;
    for (const TensorView& view : views) specs.push_back(view.spec());
    const Plan plan = compile({"onnx", op, 18}, {}, specs).value();
    memory.push_back(Tensor::zeros(plan.result().dtype, plan.result().shape).value());
    calls.push_back({plan, views, memory.back().mutable_view()});
    return memory.back().view();
  };
  TensorView rows = inputs.table;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    rows = add("Gather", {rows, inputs.ids});
    rows = add("ScatterND", {rows, inputs.at, inputs.row});
    rows = add("Gather", {rows, inputs.ids});
  }
  for (auto _ : state)
    for (const Call& call : calls)
      if (Status status = call.plan.run(call.inputs, call.output); !status)
        return state.SkipWithError(status.message().c_str());
}

void compile_plan(benchmark::State& state) {
  const std::vector<TensorSpec> specs = {{DType::kFloat32, {8, 16}, {}, {}},
                                         {DType::kInt64, {8}, {}, {}}};
  const Attributes attributes = {{"axis", std::int64_t{0}}};
  for (auto _ : state)
    benchmark::DoNotOptimize(compile({"onnx", "Gather", 18}, attributes, specs).value());
}

}  // namespace
}  // namespace windrow::bench

BENCHMARK(windrow::bench::run_model)->Arg(1)->Arg(10);
BENCHMARK(windrow::bench::run_prepared)->Arg(1)->Arg(10);
BENCHMARK(windrow::bench::run_prepared_by_position)->Arg(1)->Arg(10);
BENCHMARK(windrow::bench::run_plans)->Arg(1)->Arg(10);
BENCHMARK(windrow::bench::compile_plan);
BENCHMARK_MAIN();

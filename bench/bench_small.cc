// windrow_bench_small: times Plan::run of calls that move a few hundred bytes, where the work
// around the kernel is most of the cost. Each case runs on one thread, from a plan and views that
// are made once, and is compared with a copy of the same number of bytes.

#include <benchmark/benchmark.h>

#include <cstring>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "windrow/windrow.h"

namespace windrow::bench {
namespace {

struct SmallCase {
  BenchCase call;
  bool in_place = false;  // scatters: the output is the data
};

Attributes axis(std::int64_t value) { return {{"axis", value}}; }

Attributes none_along(std::int64_t value) {
  return {{"axis", value}, {"reduction", std::string("none")}};
}

// All except the scalars move 512 bytes; an out-of-place scatter first copies 512 bytes.
std::vector<SmallCase> small_cases() {
  const DType f32 = DType::kFloat32;
  const Shape rows = {8, 16};
  const Attributes add = {{"reduction", std::string("add")}};
  return {
      {{"gather_rows", "Gather", axis(0), f32, {100, 16}, {8}, 100}},
      {{"gather_elements", "GatherElements", axis(1), f32, rows, rows, 16}},
      {{"gather_nd_rows", "GatherND", {}, f32, {10, 10, 16}, {8, 2}, 10}},
      {{"gather_nd_scalars", "GatherND", {}, f32, {10, 10}, {8, 2}, 10}},
      {{"scatter_elements", "ScatterElements", none_along(1), f32, rows, rows, 16, rows}},
      {{"scatter_elements_in_place", "ScatterElements", none_along(1), f32, rows, rows, 16, rows},
       true},
      {{"scatter_nd_rows_add", "ScatterND", add, f32, rows, {8, 1}, 8, rows}},
      {{"scatter_nd_rows_add_in_place", "ScatterND", add, f32, rows, {8, 1}, 8, rows}, true},
  };
}

Plan compile_case(const BenchCase& call, const std::vector<Tensor>& inputs) {
  std::vector<TensorSpec> specs;
  for (const Tensor& input : inputs) specs.push_back(input.spec());
  const OperatorId id{"onnx", std::string(call.op), std::nullopt};
  return compile(id, call.attributes, specs).value();
}

void run_operator(benchmark::State& state, const SmallCase& small) {
  std::vector<Tensor> inputs = make_inputs(small.call);
  const std::vector<TensorView> views(inputs.begin(), inputs.end());
  const Plan plan = compile_case(small.call, inputs);
  Tensor fresh = Tensor::zeros(plan.result().dtype, plan.result().shape).value();
  const MutableTensorView out = (small.in_place ? inputs[0] : fresh).mutable_view();
  for (auto _ : state) {
    if (Status status = plan.run(views, out); !status)
      return state.SkipWithError(status.message().c_str());
    benchmark::ClobberMemory();
  }
}

void run_copy(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::vector<char> from(bytes, 'w');
  std::vector<char> to(bytes);
  for (auto _ : state) {
    std::memcpy(to.data(), from.data(), bytes);
    benchmark::ClobberMemory();
  }
}

void register_all() {
  for (const SmallCase& small : small_cases())
    benchmark::RegisterBenchmark(std::string(small.call.name).c_str(),
                                 [small](benchmark::State& state) { run_operator(state, small); });
  benchmark::RegisterBenchmark("copy", run_copy)->Arg(512);
}

}  // namespace
}  // namespace windrow::bench

int main(int argc, char** argv) {
  windrow::bench::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

// windrow_bench_instructions: one run of one small call, for a tool that counts its instructions.
// tests/instructions/count_instructions.py runs it under callgrind.
//
//   windrow_bench_instructions                prints how it was built, the points of every call and
//                                             the names of the calls
//   windrow_bench_instructions CALL KERNELS   runs; exit code 77 if the machine lacks the kernels

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "bench/bench_case.h"
#include "bench/bench_run.h"
#include "windrow/windrow.h"

// callgrind finds it by its name and counts until it returns, so it is neither inlined nor left by
// a tail call.
extern "C" [[gnu::noinline]] void windrow_counted_run(windrow::bench::BenchRun& run,
                                                      double& seconds) {
  seconds = run.time_operator();
}

namespace windrow::bench {
namespace {

constexpr int kUsageError = 2;
constexpr int kMissingKernels = 77;

// Rows or elements that each call moves, one per index or index tuple. Enough for the loops to
// outweigh the work around them.
constexpr std::int64_t kPoints = 32768;

Attributes axis(std::int64_t value) { return {{"axis", value}}; }

std::vector<BenchCase> counted_cases() {
  const DType f32 = DType::kFloat32;
  const Shape rows = {kPoints, 16};
  const Shape matrix = {kPoints / 256, 256};
  const Attributes add = {{"reduction", std::string("add")}};
  return {
      {"gather_rows_64B", "Gather", axis(0), f32, rows, {kPoints}, kPoints},
      {"take_1d", "Gather", axis(0), f32, {kPoints}, {kPoints}, kPoints},
      {"nd_scalars", "GatherND", {}, f32, {256, 256}, {kPoints, 2}, 256},
      {"scatter_elements_axis_1", "ScatterElements", axis(1), f32, matrix, matrix, 256, matrix},
      {"scatter_nd_rows_64B_add", "ScatterND", add, f32, rows, {kPoints, 1}, kPoints, rows},
  };
}

void print_cases() {
  std::printf("build %s\npoints %lld\n", WINDROW_BUILD, static_cast<long long>(kPoints));
  for (const BenchCase& one : counted_cases())
    std::printf("call %s\n", std::string(one.name).c_str());
}

int run_case(std::string_view name, const std::string& kernels) {
  const std::vector<BenchCase> cases = counted_cases();
  const auto found = std::find_if(cases.begin(), cases.end(),
                                  [&](const BenchCase& one) { return one.name == name; });
  const std::string_view set_name = std::string_view(kernels).substr(0, kernels.find(','));
  const std::vector<KernelSet> sets = list_kernel_sets();
  const auto set = std::find_if(sets.begin(), sets.end(),
                                [&](const KernelSet& one) { return one.name == set_name; });
  if (found == cases.end() || set == sets.end()) {
    std::fprintf(stderr, "there is no such call or no such kernel set\n");
    return kUsageError;
  }
  if (!set->supported) return kMissingKernels;
  BenchRun run(*found, nullptr, kernels);
  // The work that only a first run does is not counted.
  double seconds = run.time_operator();
  windrow_counted_run(run, seconds);
  return 0;
}

int run_command(int argc, char** argv) {
  if (argc == 3) return run_case(argv[1], argv[2]);
  if (argc != 1) {
    std::fprintf(stderr, "usage: windrow_bench_instructions [CALL KERNELS]\n");
    return kUsageError;
  }
  print_cases();
  return 0;
}

}  // namespace
}  // namespace windrow::bench

int main(int argc, char** argv) {
  try {
    return windrow::bench::run_command(argc, argv);
  } catch (const windrow::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}

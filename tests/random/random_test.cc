#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include "tests/random/witnesses.h"
#include "tests/support/kernel_sets.h"
#include "tests/support/vector_state.h"

namespace windrow::tests {
namespace {

constexpr int kShownDifferences = 5;

double time_budget_seconds() {
  const char* text = std::getenv("WINDROW_RANDOM_SECONDS");
  return text == nullptr ? 60.0 : std::strtod(text, nullptr);
}

std::uint64_t first_seed() {
  const char* text = std::getenv("WINDROW_RANDOM_SEED");
  return text == nullptr ? std::random_device()() : std::strtoull(text, nullptr, 10);
}

// Calls and successes by operator version.
using Counts = std::map<std::string, std::pair<int, int>>;

void print_counts(const Counts& counts) {
  for (const auto& [name, count] : counts)
    std::cout << "  " << name << ": " << count.first << " calls, " << count.second
              << " with a result\n";
}

// Call i of a run has seed first + i, so that a difference is repeated by its own seed and a budget
// of 0.
TEST(Random, ReferenceAndEveryFastPathAgree) {
  const std::uint64_t first = first_seed();
  const std::chrono::duration<double> budget(time_budget_seconds());
  const auto end = std::chrono::steady_clock::now() + budget;
  std::cout << "random calls: WINDROW_RANDOM_SEED=" << first << ", " << budget.count()
            << " seconds\n"
            << describe_kernel_sets()
            << std::endl;  // at once: whoever kills the test needs the seed
  Counts counts;
  int differences = 0;
  int too_large = 0;
  std::uint64_t seed = first;
  do {
    const RandomCall call = make_random_call(seed++);
    const Verdict verdict = compare_witnesses(call);
    if (verdict.too_large) {
      ++too_large;
      continue;
    }
    auto& [calls, results] = counts[call.info.dialect + "." + call.info.name + "-" +
                                    std::to_string(call.info.since_version)];
    ++calls;
    results += verdict.succeeded ? 1 : 0;
    if (verdict.difference.empty()) continue;
    ADD_FAILURE() << verdict.difference << "\n  " << describe(call);
    ++differences;
  } while (std::chrono::steady_clock::now() < end && differences < kShownDifferences);
  const std::uint64_t ran = seed - first - static_cast<std::uint64_t>(too_large);
  std::cout << ran << " random calls ran, " << too_large << " were too large\n";
  RecordProperty("compared_calls", std::to_string(ran));
  print_counts(counts);
}

// Random calls ask, too. This one makes many small grids, of which each would wait.
TEST(Random, ARunLeavesNoUpperHalvesOfVectorRegistersInUse) {
  const Tensor data = Tensor::zeros(DType::kFloat64, {6, 7, 7, 6}).value();
  const TensorView table(DType::kFloat64, {6, 7, 7, 6}, Strides{8, 48, 336, 2352}, data.data());
  const Tensor indices = Tensor::of<std::int64_t>({3}, {5, 0, 2});
  const std::vector<TensorView> views{table, indices};
  const std::vector<TensorSpec> specs{table.spec(), views[1].spec()};
  for (const std::string& set : supported_kernel_sets()) {
    CallOptions options;
    options.kernels = set + ",dense-copies=on";
    const Plan plan = compile({"onnx", "Gather", 13}, {}, specs, options).value();
    Tensor out = Tensor::zeros(plan.result().dtype, plan.result().shape).value();
    ASSERT_TRUE(plan.run(views, out.mutable_view()));
    EXPECT_FALSE(upper_halves_in_use()) << set;
  }
}

}  // namespace
}  // namespace windrow::tests

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <string>

#include "tests/random/witnesses.h"
#include "tests/support/kernel_sets.h"

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
  std::cout << seed - first - static_cast<std::uint64_t>(too_large) << " random calls ran, "
            << too_large << " were too large\n";
  print_counts(counts);
}

}  // namespace
}  // namespace windrow::tests

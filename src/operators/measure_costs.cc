#include "src/operators/measure_costs.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string>

#include "src/base/system.h"
#include "windrow/machine_costs.h"

namespace windrow {
namespace internal {
namespace {

constexpr std::int64_t kMostTimedRuns = std::int64_t{1} << 20;
constexpr int kSolvingRounds = 200;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Nanoseconds of a run, in the fastest of several rounds: what disturbs a round only adds to it. A
// round has enough runs for the clock, and there is at least one after the first, which warms up.
Result<double> time_probe(const CostProbe& probe, double seconds) {
  constexpr double kLeastRound = 20e-6;
  double fastest = std::numeric_limits<double>::infinity();
  std::int64_t runs = 1;
  const auto start = std::chrono::steady_clock::now();
  for (bool warm = false; !warm || std::isinf(fastest) || seconds_since(start) < seconds;
       warm = true) {
    const auto round_start = std::chrono::steady_clock::now();
    for (std::int64_t i = 0; i < runs; ++i)
      if (Status status = probe.run(); !status) return status;
    const double taken = seconds_since(round_start);
    if (taken < kLeastRound && runs < kMostTimedRuns) {
      runs *= 2;
    } else if (warm) {
      fastest = std::min(fastest, taken / static_cast<double>(runs) * 1e9);
    }
  }
  return fastest;
}

// The part of an estimate that does not rest on this cost.
double without_cost(const CostProbe& probe, MachineCosts costs) {
  costs.*probe.cost = 0;
  return probe.estimate(costs);
}

double share_of_one(const CostProbe& probe) {
  MachineCosts one;
  for (const CostRow& row : kCostRows) one.*row.cost = 0;
  one.*probe.cost = 1;
  return probe.estimate(one);
}

std::string processor_name() {
  std::ifstream about("/proc/cpuinfo");
  for (std::string line; std::getline(about, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  const std::string name = architecture_name();
  return name.empty() ? "an unknown processor" : name;
}

MeasuredCosts measured_costs(const MachineCosts& solved, const std::vector<CostProbe>& probes) {
  MeasuredCosts measured{processor_name(), {}, {}};
  for (const CostRow& row : kCostRows) {
    const bool has_probe = std::any_of(probes.begin(), probes.end(), [&](const CostProbe& probe) {
      return probe.cost == row.cost;
    });
    measured.costs.push_back({std::string(row.name), std::string(row.unit),
                              std::string(row.meaning), row.preset, solved.*row.cost, has_probe});
  }
  measured.file = costs_text(solved, measured.processor);
  return measured;
}

}  // namespace

// Each probe gives its own cost by those that the others gave, again and again.
MachineCosts solve_costs(std::span<const CostProbe> probes, std::span<const double> times) {
  MachineCosts costs;
  for (int round = 0; round < kSolvingRounds; ++round) {
    for (std::size_t i = 0; i < probes.size(); ++i) {
      const double cost = (times[i] - without_cost(probes[i], costs)) / share_of_one(probes[i]);
      costs.*probes[i].cost = std::clamp(cost, kLeastCost, kMostCost);
    }
  }
  return costs;
}

}  // namespace internal

Result<MeasuredCosts> measure_machine_costs(const MeasureOptions& options) {
  const auto probes = internal::make_cost_probes(options.threads);
  if (!probes) return probes.error();
  std::vector<double> times;
  for (const internal::CostProbe& probe : *probes) {
    const double seconds = options.seconds / static_cast<double>(probes->size());
    const Result<double> time = internal::time_probe(probe, seconds);
    if (!time) return time.error();
    times.push_back(*time);
  }
  return internal::measured_costs(internal::solve_costs(*probes, times), *probes);
}

}  // namespace windrow

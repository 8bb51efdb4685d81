#include "src/operators/measure_costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "src/operators/test_support.h"
#include "windrow/machine_costs.h"

namespace windrow::internal {
namespace {

const CostRow& row_of(const CostProbe& probe) {
  return *std::find_if(std::begin(kCostRows), std::end(kCostRows),
                       [&](const CostRow& row) { return row.cost == probe.cost; });
}

TEST(CostProbes, OneCostTakesMostOfEach) {
  EagerThreads threads(2);
  const std::vector<CostProbe> probes = make_cost_probes(&threads).value();
  ASSERT_EQ(probes.size(), std::size(kCostRows));
  for (const CostProbe& probe : probes) {
    MachineCosts others;
    others.*probe.cost = 0;
    const double all = probe.estimate(MachineCosts());
    EXPECT_LT(probe.estimate(others), 0.65 * all) << row_of(probe).name;
    EXPECT_TRUE(probe.run()) << row_of(probe).name;
  }
}

TEST(CostProbes, TheCostsThatMadeTheTimesAreFound) {
  EagerThreads threads(2);
  const std::vector<CostProbe> probes = make_cost_probes(&threads).value();
  MachineCosts machine;
  double factor = 0.4;
  for (const CostRow& row : kCostRows) machine.*row.cost *= factor += 0.15;
  std::vector<double> times;
  for (const CostProbe& probe : probes) times.push_back(probe.estimate(machine));
  const MachineCosts solved = solve_costs(probes, times);
  for (const CostRow& row : kCostRows)
    EXPECT_NEAR(solved.*row.cost, machine.*row.cost, 1e-6 * machine.*row.cost) << row.name;
}

TEST(CostProbes, TimesBeyondTheBoundsGiveBounds) {
  const std::vector<CostProbe> probes = make_cost_probes(nullptr).value();
  const std::vector<double> none(probes.size(), 0.0);
  const MachineCosts solved = solve_costs(probes, none);
  for (const CostProbe& probe : probes) EXPECT_EQ(solved.*probe.cost, kLeastCost);
  EXPECT_EQ(solved.task, MachineCosts().task);
}

TEST(MeasuredCosts, AreReadAgain) {
  EagerThreads threads(2);
  const MeasuredCosts measured = measure_machine_costs({.seconds = 0, .threads = &threads}).value();
  const MachineCosts read = parse_costs(measured.file, "measured").value();
  ASSERT_EQ(measured.costs.size(), std::size(kCostRows));
  for (std::size_t i = 0; i < measured.costs.size(); ++i) {
    EXPECT_EQ(measured.costs[i].name, kCostRows[i].name);
    EXPECT_EQ(measured.costs[i].value, read.*kCostRows[i].cost) << kCostRows[i].name;
    EXPECT_TRUE(measured.costs[i].measured);
  }
  EXPECT_NE(measured.processor, "");
}

TEST(MeasuredCosts, NoTaskIsMeasuredOnOneThread) {
  const MeasuredCosts measured = measure_machine_costs({.seconds = 0}).value();
  for (const MachineCost& cost : measured.costs) {
    EXPECT_EQ(cost.measured, cost.name != "task") << cost.name;
    EXPECT_TRUE(cost.measured || cost.value == cost.preset) << cost.name;
  }
}

}  // namespace
}  // namespace windrow::internal

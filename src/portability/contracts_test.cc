#include "src/portability/contracts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windrow::internal {
namespace {

Bound number(std::int64_t value) { return {"", false, value}; }

std::vector<ValueInfo> inputs_called(const std::vector<std::string>& names) {
  std::vector<ValueInfo> inputs;
  for (const std::string& name : names) inputs.push_back({name, DType::kInt64, std::nullopt});
  return inputs;
}

TEST(Contracts, JoinWhatRulesAskOfAnInput) {
  Contracts contracts;
  contracts.add("ids", {number(-30522), number(30521), ""}, "gather-index-range", "main/a");
  contracts.add("ids", {number(-512), number(511), ""}, "gather-index-range", "main/b");
  contracts.add("ids", {.low = number(0)}, "gather-negative-index-dynamic", "main/b");
  contracts.add("mask", {.words = "must not be NaN"}, "reduction-nan", "main/c");
  const std::vector<InputContract> list = contracts.list(inputs_called({"mask", "x", "ids"}));
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].sentence, "mask must not be NaN");
  EXPECT_EQ(list[1].sentence, "ids must lie in 0 to 511");
  EXPECT_EQ(list[1].low, "0");
  EXPECT_EQ(list[1].high, "511");
  EXPECT_EQ(list[1].rules,
            (std::vector<std::string>{"gather-index-range", "gather-negative-index-dynamic"}));
  EXPECT_EQ(list[1].nodes, (std::vector<std::string>{"main/a", "main/b"}));
}

TEST(Contracts, NameExtents) {
  Contracts contracts;
  const Bound low{"table.shape[0]", true, 0};
  const Bound high{"table.shape[0]", false, -1};
  contracts.add("ids", {low, high, ""}, "gather-index-range", "main/a");
  const auto sentence = [&] { return contracts.list(inputs_called({"ids"})).at(0).sentence; };
  EXPECT_EQ(sentence(), "ids must lie in -table.shape[0] to table.shape[0] - 1");
  contracts.add("ids", {number(-4), number(3), "must not address a cell twice"},
                "scatter-nd-duplicates", "main/b");
  EXPECT_EQ(sentence(),
            "ids must lie in max(-table.shape[0], -4) to min(table.shape[0] - 1, 3) and must not "
            "address a cell twice");
}

TEST(Contracts, LeaveBoundsOutThatOthersImply) {
  Contracts contracts;
  contracts.add("ids", {.low = Bound{"x.shape[0]", true, 0}}, "gather-index-range", "main/a");
  contracts.add("ids", {.low = number(0)}, "gather-negative-index", "main/a");
  EXPECT_EQ(contracts.list(inputs_called({"ids"})).at(0).sentence, "ids must be at least 0");
}

TEST(Contracts, JoinBoundsOfAllElementsWithThoseOfColumns) {
  Contracts contracts;
  const Bound rows{"data.shape[0]", false, -1};
  const Bound minus_rows{"data.shape[0]", true, 0};
  Demand demand;
  demand.columns = {{minus_rows, rows}, {number(-3), number(2)}, {std::nullopt, number(9)}};
  contracts.add("indices", {.low = number(0)}, "gather-negative-index", "main/a");
  contracts.add("indices", demand, "gather-index-range", "main/a");
  demand.columns = {{std::nullopt, number(5)}, {number(-1), number(1)}, {std::nullopt, number(9)}};
  contracts.add("indices", demand, "gather-index-range", "main/b");
  const InputContract contract = contracts.list(inputs_called({"indices"})).at(0);
  EXPECT_EQ(
      contract.sentence,
      "indices must lie along its last axis in 0 to min(data.shape[0] - 1, 5), 0 to 1, 0 to 9");
  EXPECT_EQ(contract.low, "0");
  EXPECT_EQ(contract.high, "");
}

TEST(Contracts, NameAtMostEightNodes) {
  Contracts contracts;
  for (int i = 0; i < 20; ++i)
    contracts.add("ids", {.low = number(0)}, "gather-negative-index", "main/" + std::to_string(i));
  EXPECT_EQ(contracts.list(inputs_called({"ids"})).at(0).nodes.size(), 8U);
}

}  // namespace
}  // namespace windrow::internal

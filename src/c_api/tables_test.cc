#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "windrow/c.h"
#include "windrow/operators.h"

namespace windrow {
namespace {

TEST(CApiTables, ListsOperatorsKernelSetsAndTheVersion) {
  EXPECT_EQ(windrow_version(), std::string(version()));
  const std::vector<OperatorInfo> operators = list_operators();
  ASSERT_EQ(windrow_operator_count(), operators.size());
  windrow_operator row{};
  for (std::size_t i = 0; i < operators.size(); ++i) {
    ASSERT_EQ(windrow_operator_at(i, &row), 1);
    EXPECT_EQ(row.dialect, operators[i].dialect);
    EXPECT_EQ(row.domain, operators[i].domain);
    EXPECT_EQ(row.name, operators[i].name);
    EXPECT_EQ(row.since_version, operators[i].since_version);
    EXPECT_EQ(row.until_version, operators[i].until_version);
    EXPECT_EQ(row.deprecated != 0, operators[i].deprecated);
    EXPECT_EQ(row.scatter != 0, operators[i].scatter);
  }
  EXPECT_EQ(windrow_operator_at(operators.size(), &row), 0);

  const std::vector<KernelSet> sets = list_kernel_sets();
  ASSERT_EQ(windrow_kernel_set_count(), sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    int supported = -1;
    EXPECT_EQ(windrow_kernel_set_at(i, &supported), sets[i].name);
    EXPECT_EQ(supported, sets[i].supported ? 1 : 0);
  }
  EXPECT_EQ(windrow_kernel_set_at(sets.size(), nullptr), nullptr);
}

}  // namespace
}  // namespace windrow

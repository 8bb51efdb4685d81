#include "windrow/explain_fields.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <set>
#include <string_view>

namespace windrow {
namespace {

template <class T>
std::size_t count_fields(const T& part) {
  std::set<std::string_view> names;
  std::size_t count = 0;
  visit_fields(part, [&](std::string_view name, const auto&) {
    names.insert(name);
    ++count;
  });
  EXPECT_EQ(names.size(), count);
  return count;
}

// A new member must be added to these lists of names, or this does not compile.
TEST(ExplainFields, EveryMemberOfAnExplanationIsVisited) {
  const Explanation explanation{};
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v,
                                w] = explanation;
  EXPECT_EQ(count_fields(explanation), 23U);
}

TEST(ExplainFields, EveryMemberOfAPointIsVisited) {
  const ExplainedPoint point{};
  [[maybe_unused]] const auto& [a, b, c, d, e, f, aa, bb, cc] = point;
  EXPECT_EQ(count_fields(point), 9U);
  const ExplainedWrite write{};
  [[maybe_unused]] const auto& [g, h, i, j, k] = write;
  EXPECT_EQ(count_fields(write), 13U);
  const ExplainedCoordinate coordinate{};
  [[maybe_unused]] const auto& [l, m, n, o, p, q, r] = coordinate;
  EXPECT_EQ(count_fields(coordinate), 7U);
  const IndexRead read{};
  [[maybe_unused]] const auto& [s, t, u, v, w, x, y] = read;
  EXPECT_EQ(count_fields(read), 7U);
}

TEST(ExplainFields, EveryMemberOfAxesTensorsAndCellsIsVisited) {
  const ExplainedAxis axis{};
  [[maybe_unused]] const auto& [a, b, c, d, e] = axis;
  EXPECT_EQ(count_fields(axis), 5U);
  const ExplainedOutputAxis output{};
  [[maybe_unused]] const auto& [f, g, h] = output;
  EXPECT_EQ(count_fields(output), 3U);
  const ExplainedTensor tensor{};
  [[maybe_unused]] const auto& [i, j, k, l, m] = tensor;
  EXPECT_EQ(count_fields(tensor), 5U);
  const ExplainedCell cell{};
  [[maybe_unused]] const auto& [n, o, p, q] = cell;
  EXPECT_EQ(count_fields(cell), 4U);
}

TEST(ExplainFields, EveryMemberOfAComparisonIsVisited) {
  const Comparison comparison{};
  [[maybe_unused]] const auto& [a, b, c, d, e, f, g, h, i] = comparison;
  EXPECT_EQ(count_fields(comparison), 9U);
  const Parting parting{};
  [[maybe_unused]] const auto& [j, k, l, m, n] = parting;
  EXPECT_EQ(count_fields(parting), 5U);
}

}  // namespace
}  // namespace windrow

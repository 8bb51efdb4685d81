#include "src/ranges/distinct.h"

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class DistinctElements : public FactsFixture {
 protected:
  DistinctElements() {
    input("x", DType::kFloat32, {"n", "m"});
    list("zero_one", {0, 1});
    list("first", {0});
    list("second", {1});
    number("zero", 0);
    number("one", 1);
    number("three", 3);
    node("Shape", {"x"}, {"shape"});
    node("Gather", {"shape", "zero"}, {"n"});
    node("Gather", {"shape", "one"}, {"m"});
    node("Range", {"zero", "n", "one"}, {"rows"});
    node("Range", {"zero", "m", "one"}, {"columns"});
  }

  // "along 0, equal along 1, tuples along 2, by columns 1"; the axes of extent 1 count as nothing.
  std::string differ(const std::string& name) {
    const Distinct& found = fact(name).distinct;
    const Axes ones = fact(name).dims ? axes_of_one(*fact(name).dims) : 0;
    if ((found.along & ~ones) == 0) return "nothing";
    std::string result = "along" + list_of(found.along & ~ones);
    if ((found.constant & ~ones) != 0) result += ", equal along" + list_of(found.constant & ~ones);
    if (found.tuple_axis) result += ", tuples along " + std::to_string(*found.tuple_axis);
    if (~found.columns != 0) result += ", by columns" + list_of(found.columns);
    return result;
  }

 private:
  static std::string list_of(Axes axes) {
    std::string result;
    for (std::size_t axis = 0; axis < kMaxRank; ++axis) {
      if ((axes & bit(axis)) != 0) result += " " + std::to_string(axis);
    }
    return result;
  }
};

TEST_F(DistinctElements, OfProducers) {
  node("TopK", {"x", "first"}, {"values", "best"}, {{"axis", std::int64_t{0}}});
  node("NonZero", {"x"}, {"found"});
  node("Transpose", {"found"}, {"tuples"});
  node("Unique", {"x"}, {"unique", "firsts", "inverse"});
  EXPECT_EQ(differ("rows"), "along 0");
  EXPECT_EQ(differ("found"), "along 1, tuples along 0");
  EXPECT_EQ(differ("tuples"), "along 0, tuples along 1");
  EXPECT_EQ(differ("firsts"), "along 0");
  EXPECT_EQ(differ("inverse"), "nothing");
  EXPECT_EQ(differ("values"), "nothing");
}

TEST_F(DistinctElements, OfAffineMaps) {
  node("Add", {"rows", "three"}, {"later"});
  node("Sub", {"three", "rows"}, {"down"});
  node("Neg", {"rows"}, {"minus"});
  node("Mul", {"rows", "zero"}, {"zeros"});
  node("Add", {"rows", "rows"}, {"twice"});
  node("Mod", {"rows", "three"}, {"modulo"});
  for (const char* const name : {"later", "down", "minus"}) EXPECT_EQ(differ(name), "along 0");
  for (const char* const name : {"zeros", "twice", "modulo"}) EXPECT_EQ(differ(name), "nothing");
  std::vector<std::string> premises;
  for (const int premise : fact("later").distinct.premises)
    premises.push_back(extents.premise_text(premise));
  EXPECT_NE(std::find(premises.begin(), premises.end(), "no extent is above 8388607"),
            premises.end());
}

TEST_F(DistinctElements, OfProductsThatFitFloat32) {
  input("y", DType::kFloat32, {"5"});
  list("five", {5});
  node("TopK", {"y", "five"}, {"sorted", "order"});
  number("large", std::int64_t{1} << 23);
  node("Mul", {"order", "three"}, {"small"});
  node("Mul", {"order", "large"}, {"inexact"});
  EXPECT_EQ(differ("order"), "along 0");
  EXPECT_EQ(differ("small"), "along 0");
  EXPECT_EQ(differ("inexact"), "nothing");
}

TEST_F(DistinctElements, OfGridsOfTuples) {
  node("Unsqueeze", {"rows", "second"}, {"tall"});
  node("Unsqueeze", {"columns", "first"}, {"wide"});
  node("Expand", {"tall", "shape"}, {"tall_grid"});
  node("Expand", {"wide", "shape"}, {"wide_grid"});
  list("last", {2});
  node("Unsqueeze", {"tall_grid", "last"}, {"r"});
  node("Unsqueeze", {"wide_grid", "last"}, {"c"});
  node("Concat", {"r", "c"}, {"grid"}, {{"axis", std::int64_t{-1}}});
  node("Concat", {"r", "r"}, {"same"}, {{"axis", std::int64_t{-1}}});
  EXPECT_EQ(differ("tall_grid"), "along 0, equal along 1");
  EXPECT_EQ(differ("wide_grid"), "along 1, equal along 0");
  EXPECT_EQ(differ("grid"), "along 0 1, tuples along 2, by columns 0 1");
  EXPECT_EQ(differ("same"), "along 0, equal along 1, tuples along 2, by columns 0");
}

TEST_F(DistinctElements, OfOneColumnOfTuples) {
  node("ArgMax", {"x"}, {"best"}, {{"axis", std::int64_t{1}}});
  node("Unsqueeze", {"rows", "second"}, {"tall"});
  node("Concat", {"tall", "best"}, {"tuples"}, {{"axis", std::int64_t{1}}});
  node("Concat", {"best", "tuples"}, {"more"}, {{"axis", std::int64_t{1}}});
  node("Add", {"more", "three"}, {"later"});
  EXPECT_EQ(differ("best"), "nothing");
  EXPECT_EQ(differ("tuples"), "along 0, tuples along 1, by columns 0");
  EXPECT_EQ(differ("more"), "along 0, tuples along 1, by columns 1");
  EXPECT_EQ(differ("later"), "along 0, tuples along 1, by columns 1");
}

TEST_F(DistinctElements, AreLostWhereElementsRepeat) {
  list("two", {2});
  node("Tile", {"rows", "two"}, {"tiled"});
  input("k", DType::kInt64, {"1"});
  node("Expand", {"rows", "k"}, {"stretched"});
  node("NonZero", {"x"}, {"found"});
  node("Gather", {"found", "zero"}, {"row"});
  node("Slice", {"found", "first", "second", "first"}, {"part"});
  node("Concat", {"rows", "columns"}, {"both"}, {{"axis", std::int64_t{0}}});
  node("Where", {"c", "rows", "zero"}, {"some"});
  input("c", DType::kBool, {"n"});
  for (const char* const name : {"tiled", "stretched", "row", "part", "both", "some"})
    EXPECT_EQ(differ(name), "nothing") << name;
}

// Axes are aligned at the last one, and the new ones stand before.
TEST_F(DistinctElements, AreKeptAlongAxesThatBroadcastingAligns) {
  input("z", DType::kFloat32, {"m", "n"});
  node("Shape", {"z"}, {"turned"});
  node("Expand", {"rows", "turned"}, {"copies"});
  node("Expand", {"rows", "shape"}, {"unaligned"});
  EXPECT_EQ(differ("copies"), "along 1, equal along 0");
  EXPECT_EQ(differ("unaligned"), "nothing");
}

TEST_F(DistinctElements, OfConstants) {
  list("list", {7, -1, 3});
  list("column", {3, 1});
  list("shape2", {2, 1});
  list("shape23", {2, 3});
  list("again", {1, 2, 1});
  node("Reshape", {"column", "shape2"}, {"tall"});
  node("Expand", {"tall", "shape23"}, {"grid"});
  node("Identity", {"list"}, {"kept"});
  node("Identity", {"again"}, {"kept_again"});
  EXPECT_EQ(differ("kept"), "along 0");
  EXPECT_EQ(differ("kept_again"), "nothing");
  EXPECT_EQ(differ("grid"), "along 0, equal along 1");
}

}  // namespace
}  // namespace windrow::internal

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

class ArithmeticProducers : public FactsFixture {
 protected:
  // The extent of x's first axis as a scalar `n`, and `last`, which is 1 less.
  void extent_of_x() {
    input("x", DType::kFloat32, {"rows", "3"});
    number("zero", 0);
    number("one", 1);
    node("Shape", {"x"}, {"shape"});
    node("Gather", {"shape", "zero"}, {"n"});
    node("Sub", {"n", "one"}, {"last"});
  }
};

TEST_F(ArithmeticProducers, SmallTensorsAreKnownElementByElement) {
  list("a", {1, 2, 3});
  constant("b", {10, 20}, {2, 1});
  node("Add", {"a", "b"}, {"sum"});
  EXPECT_EQ(text("sum"), "11..11 12..12 13..13 21..21 22..22 23..23");
  EXPECT_EQ(shape("sum"), "[2, 3]");
}

// A model may break the rules of broadcasting: then no element of `b` belongs to one of the result.
TEST_F(ArithmeticProducers, ShapesThatDoNotBroadcastAreNotReadElementByElement) {
  list("a", {1, 2, 3, 4, 5, 6, 7});
  constant("b", {10, 11, 12, 13, 14, 15}, {2, 3});
  node("Min", {"a", "b"}, {"least"});
  EXPECT_EQ(text("least"), "1..1 2..2 3..3 4..4 5..5 6..6 7..7");
}

// The columns of a table with any number of rows.
TEST_F(ArithmeticProducers, PositionsOnAnAxisStayApartUnderBroadcasting) {
  input("x", DType::kUint8, {"n", "2"});
  model.constants.emplace("offset", Tensor::of<std::uint8_t>({2}, {0, 1}));
  model.constants.emplace("factor", Tensor::of<std::uint8_t>({2}, {0, 1}));
  node("Mul", {"x", "factor"}, {"product"});
  EXPECT_EQ(text("product"), "0..0 0..255");
  EXPECT_EQ(fact("product").range.axis, 1);
}

TEST_F(ArithmeticProducers, WhatMayWrapAroundProvesNothing) {
  input("x", DType::kInt8, {"n"});
  model.constants.emplace("one", Tensor::of<std::int8_t>({}, {1}));
  model.constants.emplace("top", Tensor::of<std::int8_t>({}, {126}));
  node("Min", {"x", "top"}, {"bounded"});
  node("Add", {"bounded", "one"}, {"fits"});
  node("Add", {"x", "one"}, {"wraps"});
  EXPECT_EQ(text("fits"), "-127..127");
  EXPECT_EQ(text("wraps"), "-128..127");
}

TEST_F(ArithmeticProducers, ClipIsBoundedByExtents) {
  extent_of_x();
  input("i", DType::kInt64, {"k"});
  node("Clip", {"i", "zero", "last"}, {"clipped"});
  EXPECT_EQ(text("clipped"), "0..x.shape[0]-1 if x.shape[0] is at least 1");
}

TEST_F(ArithmeticProducers, MaxAndMinKeepIndicesOnAnAxisThatIsNotEmpty) {
  extent_of_x();
  input("i", DType::kInt64, {"k"});
  node("Sub", {"zero", "n"}, {"first"});
  node("Max", {"i", "first"}, {"raised"});
  node("Min", {"raised", "last"}, {"clipped"});
  node("Min", {"i", "last"}, {"lowered"});
  node("Max", {"lowered", "first"}, {"clipped the other way"});
  const char* const expected = "-x.shape[0]..x.shape[0]-1 if x.shape[0] is at least 1";
  EXPECT_EQ(text("clipped"), expected);
  EXPECT_EQ(text("clipped the other way"), expected);
}

TEST_F(ArithmeticProducers, CrossedAndUnknownBoundsOfClipProveNothing) {
  input("i", DType::kInt64, {"k"});
  input("bound", DType::kInt64, {});
  number("five", 5);
  number("three", 3);
  node("Clip", {"i", "five", "three"}, {"crossed"});
  node("Clip", {"i", "bound", "five"}, {"unknown"});
  node("Clip", {"i", "", "five"}, {"from_above"});
  node("Clip", {"i", "three"}, {"from_below"});
  node("Clip", {"i"}, {"unbounded"});
  EXPECT_EQ(text("crossed"), "?..?");
  EXPECT_EQ(text("unknown"), "?..?");
  EXPECT_EQ(text("from_above"), "?..5");
  EXPECT_EQ(text("from_below"), "3..?");
  EXPECT_EQ(text("unbounded"), "?..?");
}

TEST_F(ArithmeticProducers, ClipKeepsNaN) {
  input("x", DType::kFloat32, {"n"});
  real("low", 0);
  real("high", 9);
  node("Clip", {"x", "low", "high"}, {"clipped"});
  node("Cast", {"clipped"}, {"cast"}, {{"to", std::int64_t{7}}});
  EXPECT_EQ(text("clipped"), "0.000000..9.000000 or NaN");
  EXPECT_EQ(text("cast"), "?..?");
}

TEST_F(ArithmeticProducers, OldClipHasItsBoundsAsAttributes) {
  model.opset_imports[""] = 10;
  input("x", DType::kFloat32, {"n"});
  node("Clip", {"x"}, {"clipped"}, {{"min", -1.0}, {"max", 2.5}});
  EXPECT_EQ(text("clipped"), "-1.000000..2.500000 or NaN");
}

TEST_F(ArithmeticProducers, RemaindersHaveTheSignThatTheAttributeSays) {
  input("i", DType::kInt64, {"k"});
  input("divisor", DType::kInt64, {});
  number("ten", 10);
  number("minus", -10);
  node("Mod", {"i", "ten"}, {"of_divisor"});
  node("Mod", {"i", "minus"}, {"of_negative_divisor"});
  node("Mod", {"i", "ten"}, {"of_dividend"}, {{"fmod", std::int64_t{1}}});
  node("Mod", {"i", "divisor"}, {"by_anything"});
  EXPECT_EQ(text("of_divisor"), "0..9");
  EXPECT_EQ(text("of_negative_divisor"), "-9..0");
  EXPECT_EQ(text("of_dividend"), "-9..9");
  EXPECT_EQ(text("by_anything"), "?..?");
}

TEST_F(ArithmeticProducers, ARemainderByAnExtentTakesItForAtLeast1) {
  extent_of_x();
  input("i", DType::kInt64, {"k"});
  node("Mod", {"i", "n"}, {"rest"});
  EXPECT_EQ(text("rest"), "0..x.shape[0]-1 if x.shape[0] is at least 1");
}

TEST_F(ArithmeticProducers, DivisionRoundsTowardZero) {
  input("i", DType::kInt64, {"k"});
  number("low", -7);
  number("high", 9);
  number("two", 2);
  node("Clip", {"i", "low", "high"}, {"clipped"});
  node("Div", {"clipped", "two"}, {"half"});
  node("Div", {"two", "clipped"}, {"by_zero"});
  EXPECT_EQ(text("half"), "-3..4");
  EXPECT_EQ(text("by_zero"), "?..?");
}

TEST_F(ArithmeticProducers, OpenVinoDividesDownAndClampsByAttributes) {
  model.dialect = "openvino";
  model.opset_imports.clear();
  input("i", DType::kInt64, {"k"});
  number("two", 2);
  node("Clamp", {"i"}, {"clipped"}, {{"min", std::string("-7.5")}, {"max", std::string("9.9")}});
  node("Divide", {"clipped", "two"}, {"half"});
  node("Divide", {"clipped", "two"}, {"cut"}, {{"m_pythondiv", std::string("false")}});
  node("FloorMod", {"i", "two"}, {"bit"});
  node("Add", {"clipped", "two"}, {"other"}, {{"auto_broadcast", std::string("pdpd")}});
  node("Clamp", {"i"}, {"beyond"}, {{"min", std::string("1e30")}, {"max", std::string("2e30")}});
  EXPECT_EQ(text("clipped"), "-7..9");
  EXPECT_EQ(text("half"), "-4..4");
  EXPECT_EQ(text("cut"), "-3..4");
  EXPECT_EQ(text("bit"), "0..1");
  EXPECT_EQ(fact("other").dtype, DType::kAbsent);
  EXPECT_EQ(text("beyond"), "?..?");
}

// Before opset 7 an attribute determines how shapes are aligned.
TEST_F(ArithmeticProducers, OldBroadcastingIsNotKnown) {
  model.opset_imports[""] = 6;
  list("a", {1, 2});
  node("Add", {"a", "a"}, {"sum"});
  EXPECT_EQ(fact("sum").dtype, DType::kAbsent);
}

TEST_F(ArithmeticProducers, ReluOfNaNMayBeZero) {
  input("x", DType::kFloat32, {"n"});
  real("five", 5);
  real("six", 6);
  node("Clip", {"x", "five", "six"}, {"clipped"});
  node("Relu", {"clipped"}, {"positive"});
  node("Sigmoid", {"x"}, {"part"});
  EXPECT_EQ(text("positive"), "0.000000..6.000000 or NaN");
  EXPECT_EQ(text("part"), "0.000000..1.000000 or NaN");
}

// ONNX Runtime converts 64-bit integers to double for fmod = 1: there 2^53 + 1 modulo 2 is 0.
TEST_F(ArithmeticProducers, FmodOfIntegersMayRoundThemToDouble) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const Attributes fmod = {{"fmod", std::int64_t{1}}};
  number("two", 2);
  number("exact", kExact);
  number("odd", kExact + 1);
  number("even", kExact + 2);
  number("most", Interval::kHighest);
  number("least", Interval::kLowest);
  node("Mod", {"exact", "two"}, {"of_exact"}, fmod);
  node("Mod", {"odd", "two"}, {"of_odd"}, fmod);
  node("Mod", {"even", "odd"}, {"by_odd"}, fmod);
  node("Mod", {"most", "two"}, {"of_most"}, fmod);
  node("Mod", {"least", "most"}, {"of_least"}, fmod);
  node("Mod", {"odd", "two"}, {"by_floor"});
  EXPECT_EQ(text("of_exact"), "0..0");
  EXPECT_EQ(text("of_odd"), "0..1");
  EXPECT_EQ(text("by_odd"), "0.." + std::to_string(kExact - 1));
  EXPECT_EQ(text("of_most"), "0..1");
  EXPECT_EQ(text("of_least"), std::to_string(-(Interval::kHighest - 1)) + "..0");
  EXPECT_EQ(text("by_floor"), "1..1");
}

}  // namespace
}  // namespace windrow::internal

#include "src/ranges/departures.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "src/ranges/facts_fixture.h"

namespace windrow::internal {
namespace {

TEST(Departures, EachIsOfARuntimeThatWasRun) {
  const auto profiles = arithmetic_profiles();
  for (const Departure& row : departures()) {
    const auto found = std::find_if(
        profiles.begin(), profiles.end(),
        [&row](const ArithmeticProfile& profile) { return profile.name == row.profile; });
    ASSERT_NE(found, profiles.end()) << row.profile;
    EXPECT_TRUE(row.ran && found->ran) << row.what;
    // The newest release that was run, or the last one that departs.
    EXPECT_TRUE(row.source == found->source || row.source == "onnxruntime 1.31.1") << row.what;
    EXPECT_FALSE(row.seen.empty()) << row.what;
  }
}

class OnnxruntimeFacts : public FactsFixture {
 protected:
  OnnxruntimeFacts() { extents = Extents(profile_of("onnxruntime", "cpu")); }
};

TEST_F(OnnxruntimeFacts, SmallIntegersAreCompared) {
  input("x", DType::kInt64, {"n"});
  options.assumed["x"] = {-5, 300};
  number("zero", 0);
  number("nine", 9);
  node("Clip", {"x", "zero", "nine"}, {"clipped"});
  EXPECT_EQ(text("clipped"), "0..9 if x lies in -5 to 300 (assumed)");
}

TEST_F(OnnxruntimeFacts, IntegersAreComparedIfTheyFitIn32Bits) {
  input("x", DType::kInt64, {"n"});
  number("zero", 0);
  number("nine", 9);
  node("Max", {"x", "zero"}, {"raised"});
  node("Min", {"raised", "nine"}, {"small"});
  node("Clip", {"x", "zero"}, {"from zero"});
  EXPECT_EQ(text("small"), "0..9 if every element of x fits in 32 bits");
  EXPECT_EQ(text("from zero"), "0..2147483647 if every element of x fits in 32 bits");
}

TEST_F(OnnxruntimeFacts, AComparisonWithAWideNumberGivesOneOfBoth) {
  input("x", DType::kFloat32, {"3"});
  number("wide", std::int64_t{1} << 31);
  node("Shape", {"x"}, {"shape"});
  node("Min", {"shape", "wide"}, {"least"});
  EXPECT_EQ(text("least"), "3..2147483648");
}

TEST_F(OnnxruntimeFacts, PartsOfAConcatHaveElementsByAPremise) {
  input("x", DType::kInt64, {"a", "1"});
  input("z", DType::kInt64, {"b", "1"});
  node("Concat", {"x", "z"}, {"both"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(shape("both"),
            "[x.shape[0], 2] if x.shape[0] is at least 1 if z.shape[0] is at least 1");
}

// Mul(Div(1, n), n) becomes n / n, which a host shows only where the quotient is no output.
TEST_F(OnnxruntimeFacts, AReciprocalMayBeDividedAfterAll) {
  number("one", 1);
  number("two", 2);
  node("Div", {"one", "two"}, {"half"});
  node("Mul", {"half", "two"}, {"whole"});
  node("Div", {"two", "two"}, {"quotient"});
  EXPECT_EQ(text("whole"), "-2..2");
  EXPECT_EQ(text("quotient"), "1..1");
}

// Hosts may infer other extents of a pool than they compute, but not another rank.
TEST_F(OnnxruntimeFacts, TheRankOfADisputedShapeIsKnown) {
  input("x", DType::kFloat32, {"n", "3", "h", "w"});
  list("flat", {0, -1});
  node("MaxPool", {"x"}, {"pool"},
       {{"ceil_mode", std::int64_t{1}}, {"kernel_shape", std::vector<std::int64_t>{2, 2}}});
  node("Relu", {"pool"}, {"relu"});
  node("Reshape", {"relu", "flat"}, {"reshaped"});
  node("Squeeze", {"relu"}, {"squeezed"});
  node("Shape", {"relu"}, {"of relu"});
  node("Shape", {"reshaped"}, {"of reshaped"});
  node("Shape", {"squeezed"}, {"of squeezed"});
  EXPECT_EQ(shape("of relu"), "[4]");
  EXPECT_EQ(shape("of reshaped"), "[2]");
  EXPECT_EQ(shape("of squeezed"), "[of squeezed.shape[0]]");
}

TEST_F(OnnxruntimeFacts, BoundsOfHalvesMayBeOthers) {
  input("x", DType::kFloat32, {"n"});
  real("three", 3);
  for (const char* const to : {"1", "10"}) {
    const Attributes type{{"to", std::int64_t{std::stoll(to)}}};
    node("Cast", {"x"}, {std::string("data") + to}, type);
    node("Cast", {"three"}, {std::string("bound") + to}, type);
    node("Clip", {std::string("data") + to, std::string("bound") + to}, {to});
  }
  EXPECT_EQ(text("1").substr(0, 10), "3.000000..");
  EXPECT_EQ(text("10"), "-inf..inf or NaN");
}

class OpenvinoDepartures : public FactsFixture {
 protected:
  OpenvinoDepartures() { extents = Extents(profile_of("openvino", "cpu")); }
};

TEST_F(OpenvinoDepartures, QuotientsOfBytesAreRoundedEitherWay) {
  number("five", 5);
  number("seven", 7);
  node("Cast", {"five"}, {"a"}, {{"to", std::int64_t{2}}});
  node("Cast", {"seven"}, {"b"}, {{"to", std::int64_t{2}}});
  node("Div", {"a", "b"}, {"quotient"});
  EXPECT_EQ(text("quotient"), "-1..1");
}

// Nobody overrides a default input there, so that it is folded as a constant is.
TEST_F(OpenvinoDepartures, ADefaultInputOfOneElementMayLoseItsAxis) {
  input("x", DType::kInt64, {"1"});
  list("one", {1});
  model.default_inputs.push_back({"one", DType::kInt64, dims({"1"})});
  number("zero", 0);
  number("nine", 9);
  node("Neg", {"one"}, {"negative"});
  node("Clip", {"one", "zero", "nine"}, {"of default"});
  node("Clip", {"negative", "zero", "nine"}, {"of folded"});
  node("Clip", {"x", "zero", "nine"}, {"of input"});
  EXPECT_EQ(shape("of default"), "?");
  EXPECT_EQ(shape("of folded"), "?");
  EXPECT_EQ(shape("of input"), "[1]");
}

TEST_F(OpenvinoDepartures, AllElementsMayBeTakenForNoneInWhatIsJoinedToo) {
  input("x", DType::kInt64, {"n", "1"});
  list("none", {0});
  node("TopK", {"x", "none"}, {"best", "places"}, {{"axis", std::int64_t{0}}});
  node("Concat", {"places", "places"}, {"both"}, {{"axis", std::int64_t{1}}});
  EXPECT_EQ(shape("places").find('0'), std::string::npos) << shape("places");
  EXPECT_EQ(shape("both").find("places"), std::string::npos) << shape("both");
}

TEST_F(OpenvinoDepartures, ARangeThatCountsTowardItsLimitIsKnown) {
  input("x", DType::kFloat32, {"n"});
  number("zero", 0);
  number("one", 1);
  number("back", -1);
  list("axes", {0});
  node("Shape", {"x"}, {"shape"});
  node("Squeeze", {"shape", "axes"}, {"count"});
  node("Range", {"zero", "count", "one"}, {"up"});
  node("Range", {"zero", "count", "back"}, {"away"});
  EXPECT_EQ(text("up"),
            "0..x.shape[0]-1 if x.shape[0] is at least 1 if no extent is above 16777215");
  EXPECT_EQ(text("away"), "?..?");
}

TEST_F(OpenvinoDepartures, AQuotientMayBeRoundedEitherWay) {
  number("five", 5);
  number("minus two", -2);
  node("Div", {"five", "minus two"}, {"quotient"});
  EXPECT_EQ(text("quotient"), "-3..-2");
}

TEST_F(OpenvinoDepartures, IndicesOutOfRangeGiveOtherElements) {
  input("x", DType::kInt64, {"n"});
  list("table", {5, 6, 7});
  list("ends", {0, -3});
  list("beyond", {0, 3});
  list("axes", {1});
  node("Unsqueeze", {"table", "axes"}, {"rows"});
  node("Unsqueeze", {"ends", "axes"}, {"tuples inside"});
  node("Unsqueeze", {"beyond", "axes"}, {"tuples outside"});
  node("Gather", {"table", "ends"}, {"inside"});
  node("Gather", {"table", "beyond"}, {"beside"});
  node("Gather", {"rows", "beyond"}, {"outside"});
  node("GatherND", {"table", "tuples inside"}, {"elements"});
  node("GatherND", {"table", "tuples outside"}, {"foreign"});
  list("numbers", {0, 0, -1, 0});
  list("more numbers", {0, 0, 0, 1});
  list("two by two", {2, 2});
  node("Reshape", {"numbers", "two by two"}, {"pairs inside"});
  node("Reshape", {"more numbers", "two by two"}, {"pairs outside"});
  node("GatherND", {"rows", "pairs inside"}, {"by pairs"});
  node("GatherND", {"rows", "pairs outside"}, {"foreign by pairs"});
  list("from start", {0, 2});
  node("GatherElements", {"table", "from start"}, {"by element"});
  node("GatherElements", {"table", "ends"}, {"from end of another"});
  EXPECT_EQ(text("by pairs"), "5..7");
  EXPECT_EQ(text("foreign by pairs"), "?..?");
  EXPECT_EQ(text("by element"), "5..7");
  EXPECT_EQ(text("from end of another"), "?..?");
  EXPECT_EQ(text("inside"), "5..5 5..5");
  EXPECT_EQ(text("beside"), "?..?");
  EXPECT_EQ(text("outside"), "0..7");
  EXPECT_EQ(text("elements"), "5..7");
  EXPECT_EQ(text("foreign"), "?..?");
}

}  // namespace
}  // namespace windrow::internal

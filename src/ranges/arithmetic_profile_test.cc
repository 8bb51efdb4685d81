#include "src/ranges/arithmetic_profile.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

#include "src/ranges/facts_fixture.h"
#include "src/ranges/integers.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kMost = (std::int64_t{1} << 24) - 1;

TEST(ArithmeticProfile, EachRuntimeHasOne) {
  std::set<std::string> names;
  std::set<std::string_view> runtimes;
  for (const ArithmeticProfile& profile : arithmetic_profiles()) {
    EXPECT_TRUE(names.emplace(profile.name).second);
    EXPECT_EQ(profile.ran, !profile.runtimes.empty());
    EXPECT_FALSE(profile.source.empty());
    for (const std::string_view runtime : profile.runtimes)
      EXPECT_TRUE(runtimes.insert(runtime).second) << runtime;
  }
  EXPECT_EQ(&profile_of("onnx", "reference"), &specified_arithmetic());
  EXPECT_EQ(profile_of("openvino", "cpu").name, "openvino");
  EXPECT_EQ(profile_of("openvino", "gpu").name, "unknown");
  EXPECT_EQ(profile_of("onnxruntime", "cuda").name, "unknown");
  EXPECT_EQ(profile_of("something new", "").name, "unknown");
}

TEST(ArithmeticProfile, ValuesBeyondInt32MayBecomeAnything) {
  const ArithmeticProfile& openvino = profile_of("openvino", "cpu");
  EXPECT_EQ(openvino.given(DType::kInt64, {0, 9}), (Interval{0, 9}));
  EXPECT_EQ(openvino.given(DType::kInt64, {0, std::int64_t{1} << 31}), Interval());
  EXPECT_EQ(openvino.given(DType::kUint32, type_interval(DType::kUint32)), Interval());
  EXPECT_EQ(openvino.anything(DType::kUint16), Interval());
  EXPECT_EQ(specified_arithmetic().anything(DType::kUint16), (Interval{0, 65535}));
  EXPECT_EQ(specified_arithmetic().given(DType::kInt64, {0, std::int64_t{1} << 31}),
            (Interval{0, std::int64_t{1} << 31}));
}

TEST(ArithmeticProfile, FloatsAreRoundedOutward) {
  const FloatInterval stored = profile_of("openvino", "cpu").stored({0, 511, false});
  EXPECT_EQ(stored, (FloatInterval{0, 512, false}));
  EXPECT_EQ(specified_arithmetic().stored({0, 511, false}), (FloatInterval{0, 511, false}));
  EXPECT_EQ(profile_of("tensorrt", "gpu").stored({0, 70000, false}).high,
            std::numeric_limits<double>::infinity());
}

// Facts in OpenVINO's arithmetic.
class OpenvinoFacts : public FactsFixture {
 protected:
  OpenvinoFacts() { extents = Extents(profile_of("openvino", "cpu")); }
};

TEST_F(OpenvinoFacts, ArithmeticIsExactUpToTheLimitOfFloat32) {
  input("x", DType::kInt64, {"n"});
  options.assumed["x"] = {0, kMost - 1};
  number("one", 1);
  number("two", 2);
  node("Add", {"x", "one"}, {"within"});
  node("Add", {"x", "two"}, {"beyond"});
  node("Mod", {"beyond", "two"}, {"unknown"});
  EXPECT_EQ(text("within"), "1..16777215 if x lies in 0 to 16777214 (assumed)");
  EXPECT_EQ(text("beyond"), "?..?");
  EXPECT_EQ(text("unknown"), "?..?");
}

TEST_F(OpenvinoFacts, MaxAndMinBoundWhatIsNotKnown) {
  input("x", DType::kInt64, {"n"});
  number("zero", 0);
  number("nine", 9);
  number("large", kMost + 4);
  node("Max", {"x", "zero"}, {"raised"});
  node("Min", {"raised", "nine"}, {"small"});
  node("Min", {"raised", "large"}, {"rounded"});
  EXPECT_EQ(text("small"), "0..9");
  EXPECT_EQ(text("rounded"), "0..16777220");
}

TEST_F(OpenvinoFacts, AComparisonWithARoundedNumberProvesNothing) {
  input("x", DType::kInt64, {"n"});
  number("zero", 0);
  number("limit", kMost);
  number("large", kMost + 4);
  for (const char* const name : {"limit", "large"}) {
    const std::string is_less = std::string("below ") + name;
    node("Less", {"x", name}, {is_less});
    node("Where", {is_less, "x", "zero"}, {std::string("where ") + name});
  }
  EXPECT_EQ(text("where limit"), "?..16777214");
  EXPECT_EQ(text("where large"), "?..?");
}

TEST_F(OpenvinoFacts, AnExtentIsExactByAPremise) {
  input("x", DType::kFloat32, {"n"});
  number("one", 1);
  node("Shape", {"x"}, {"shape"});
  node("Sub", {"shape", "one"}, {"last"});
  EXPECT_EQ(text("shape"), "x.shape[0]..x.shape[0] if x.shape[0] is at least 1");
  EXPECT_EQ(
      text("last"),
      "x.shape[0]-1..x.shape[0]-1 if x.shape[0] is at least 1 if no extent is above 16777215");
}

TEST_F(OpenvinoFacts, NarrowCastsDoNotWrap) {
  input("x", DType::kInt64, {"n"});
  options.assumed["x"] = {0, 300};
  node("Cast", {"x"}, {"fits"}, {{"to", std::int64_t{4}}});
  node("Cast", {"x"}, {"bytes"}, {{"to", std::int64_t{2}}});
  EXPECT_EQ(text("fits"), "0..300 if x lies in 0 to 300 (assumed)");
  EXPECT_EQ(text("bytes"), "?..?");
}

}  // namespace
}  // namespace windrow::internal

#include "src/models/value_info.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windrow::internal {
namespace {

TEST(Text, IsMadeOfTextsNumbersTypesAndShapes) {
  const std::string name = "x";
  EXPECT_EQ(text_of({"input '", name, "' is ", DType::kInt8, Shape{2, 3}, " in ", -4, " places"}),
            "input 'x' is int8[2, 3] in -4 places");
  EXPECT_EQ(text_of({}), "");
}

TEST(Text, ErrorsHaveTheirCode) {
  const Status error = shape_error("the rank is ", 40, ", at most ", 32);
  EXPECT_EQ(error.code(), ErrorCode::kShape);
  EXPECT_EQ(error.message(), "the rank is 40, at most 32");
}

TEST(Text, ContextIsForErrorsOnly) {
  EXPECT_EQ(*with_context(Result<int>(3), "node 'n'"), 3);
  EXPECT_EQ(with_context(Result<int>(format_error("cut")), "node 'n'").error().message(),
            "node 'n': cut");
}

TEST(Text, ListsShowTheFirstElements) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const auto quoted = [](const std::string& name) { return "'" + name + "'"; };
  EXPECT_EQ(joined(names, "; ", quoted), "'a'; 'b'; 'c'");
  EXPECT_EQ(joined(std::vector<int>(), ", "), "");
  EXPECT_EQ(listed(names, ", ", 3), "a, b, c");
  EXPECT_EQ(listed(names, ", ", 2), "a, b and 1 more");
}

TEST(Text, IntervalsShowWhatIsKnown) {
  EXPECT_EQ(interval_text({3, {}}), "3");
  EXPECT_EQ(interval_text({-1, "N"}), "?");
  EXPECT_EQ(interval_text({-1, {}, 1, 10}), "1..10");
  EXPECT_EQ(interval_text({-1, {}, 1, Dim().high}), "1..");
}

}  // namespace
}  // namespace windrow::internal

#include "windrow/options.h"

#include <gtest/gtest.h>

namespace windrow {
namespace {

TEST(OutOfRange, NamesAndParses) {
  EXPECT_EQ(out_of_range_name(OutOfRange::kError), "error");
  EXPECT_EQ(out_of_range_name(OutOfRange::kZero), "zero");
  EXPECT_EQ(out_of_range_name(OutOfRange::kSkip), "skip");
  EXPECT_EQ(out_of_range_name(OutOfRange::kClamp), "clamp");
  EXPECT_EQ(out_of_range_name(OutOfRange::kModulo), "modulo");
  EXPECT_EQ(parse_out_of_range("modulo"), OutOfRange::kModulo);
  EXPECT_EQ(parse_out_of_range("error"), OutOfRange::kError);
  EXPECT_EQ(parse_out_of_range("Clamp"), std::nullopt);
  EXPECT_EQ(parse_out_of_range(""), std::nullopt);
}

TEST(Duplicates, NamesAndParses) {
  EXPECT_EQ(duplicates_name(Duplicates::kAllow), "allow");
  EXPECT_EQ(duplicates_name(Duplicates::kError), "error");
  EXPECT_EQ(parse_duplicates("allow"), Duplicates::kAllow);
  EXPECT_EQ(parse_duplicates("error"), Duplicates::kError);
  EXPECT_EQ(parse_duplicates("zero"), std::nullopt);
}

}  // namespace
}  // namespace windrow

#include "src/c_api/dtypes.h"

#include <gtest/gtest.h>

#include <string>

#include "windrow/c.h"
#include "windrow/dtype.h"

namespace windrow {
namespace {

TEST(CApiTables, EveryTypeHasANumberANameAndASize) {
  int types = 0;
  for (windrow_dtype number = 1; windrow_dtype_name(number) != nullptr; ++number) {
    const std::string name = windrow_dtype_name(number);
    EXPECT_EQ(windrow_dtype_parse(name.c_str()), number);
    const auto dtype = parse_dtype(name);
    ASSERT_TRUE(dtype) << name;
    EXPECT_EQ(windrow_dtype_bits(number), *dtype == DType::kString ? 128 : dtype_bits(*dtype));
    ++types;
  }
  EXPECT_EQ(types, 26);
  EXPECT_STREQ(windrow_dtype_name(WINDROW_FLOAT4_E2M1FN), "float4_e2m1fn");
  EXPECT_STREQ(windrow_dtype_name(WINDROW_NF4), "nf4");
  EXPECT_STREQ(windrow_dtype_name(WINDROW_ABSENT), "absent");
  EXPECT_EQ(windrow_dtype_name(-1), nullptr);
  EXPECT_EQ(windrow_dtype_bits(WINDROW_ABSENT), 0);
  EXPECT_EQ(windrow_dtype_bits(27), 0);
  EXPECT_EQ(windrow_dtype_parse("float33"), WINDROW_ABSENT);
  EXPECT_EQ(windrow_dtype_parse(nullptr), WINDROW_ABSENT);
}

}  // namespace
}  // namespace windrow

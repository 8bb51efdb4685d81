#include "windrow/dtype.h"

#include <gtest/gtest.h>

namespace windrow {
namespace {

TEST(DType, NameAndParseAreInverse) {
#define WINDROW_DTYPE(enumerator, name, bits, kind)    \
  EXPECT_EQ(dtype_name(DType::enumerator), name);      \
  EXPECT_EQ(parse_dtype(name), DType::enumerator);     \
  EXPECT_EQ(dtype_bits(DType::enumerator), int(bits)); \
  EXPECT_EQ(dtype_kind(DType::enumerator), DTypeKind::kind);
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
}

TEST(DType, AbsentHasNoBitsAndIsNotParsed) {
  EXPECT_EQ(dtype_bits(DType::kAbsent), 0);
  EXPECT_EQ(dtype_name(DType::kAbsent), "absent");
  EXPECT_EQ(dtype_kind(DType::kAbsent), DTypeKind::kAbsent);
  EXPECT_EQ(parse_dtype("absent"), std::nullopt);
  EXPECT_EQ(parse_dtype("float"), std::nullopt);
}

TEST(DType, PackedAndIntegerTypes) {
  EXPECT_TRUE(is_packed(DType::kInt4));
  EXPECT_TRUE(is_packed(DType::kUint4));
  EXPECT_TRUE(is_packed(DType::kFloat4E2M1));
  EXPECT_FALSE(is_packed(DType::kInt8));
  EXPECT_TRUE(is_integer(DType::kInt4));
  EXPECT_TRUE(is_integer(DType::kUint64));
  EXPECT_FALSE(is_integer(DType::kBool));
  EXPECT_FALSE(is_integer(DType::kFloat32));
}

TEST(DType, OfCppTypesHasTheirSize) {
  EXPECT_EQ(dtype_bits(dtype_of<bool>::value), 8);
  EXPECT_EQ(dtype_bits(dtype_of<std::int32_t>::value), 32);
  EXPECT_EQ(dtype_bits(dtype_of<double>::value), 64);
  EXPECT_EQ(dtype_bits(dtype_of<std::string>::value), int(8 * sizeof(std::string)));
}

}  // namespace
}  // namespace windrow

#include "src/c_api/error.h"

#include <gtest/gtest.h>

#include <new>
#include <string>
#include <vector>

#include "src/c_api/c_api_fixture.h"
#include "windrow/c.h"
#include "windrow/dtype.h"

namespace windrow {
namespace {

TEST_F(CApi, TellsAllAboutABadIndex) {
  Floats data = floats({3, 2}, {1, 2, 3, 4, 5, 6});
  Indices wanted = indices({2, 2}, {0, 1, 7, -9});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}), WINDROW_OK);
  Floats output = floats({2, 2, 2}, std::vector<float>(8));
  ASSERT_EQ(run(output.tensor()), WINDROW_INDEX_OUT_OF_RANGE);
  EXPECT_STREQ(windrow_error_operator(error_.get()), "onnx.Gather-13");
  EXPECT_STRNE(windrow_error_constraint(error_.get()), "");
  windrow_index_fault fault{};
  ASSERT_EQ(windrow_error_index_fault(error_.get(), &fault), 1);
  EXPECT_STREQ(fault.input, "indices");
  EXPECT_EQ(std::vector<std::int64_t>(fault.position, fault.position + fault.position_rank),
            (std::vector<std::int64_t>{1, 0}));
  EXPECT_EQ(fault.value, 7);
  EXPECT_EQ(fault.axis, 0);
  EXPECT_EQ(fault.extent, 3);
  EXPECT_EQ(fault.count, 2);
}

TEST_F(CApi, OtherErrorsHaveNoIndexFault) {
  Floats data = floats({2}, {1, 2});
  Indices wanted = indices({1}, {0});
  ASSERT_EQ(compile("Gather", {data.tensor(), wanted.tensor()}, {int_attribute("axis", 5)}),
            WINDROW_INVALID_ARGUMENT);
  windrow_index_fault fault{};
  fault.value = 77;
  EXPECT_EQ(windrow_error_index_fault(error_.get(), &fault), 0);
  EXPECT_EQ(fault.value, 77);
}

TEST_F(CApi, ANullErrorIsNoError) {
  EXPECT_EQ(windrow_error_code(nullptr), WINDROW_OK);
  EXPECT_STREQ(windrow_error_message(nullptr), "");
  EXPECT_STREQ(windrow_error_operator(nullptr), "");
  EXPECT_STREQ(windrow_error_constraint(nullptr), "");
  windrow_index_fault fault{};
  EXPECT_EQ(windrow_error_index_fault(nullptr, &fault), 0);
}

TEST_F(CApi, NamesAnUnknownOperator) {
  EXPECT_EQ(compile("Gatherr", {}), WINDROW_UNSUPPORTED);
  EXPECT_NE(message().find("Gatherr"), std::string::npos);
}

TEST(CApiErrors, LackOfMemoryIsAnErrorToo) {
  windrow_error* error = nullptr;
  const auto ask_too_much = []() -> Status { throw std::bad_alloc(); };
  EXPECT_EQ(internal::guarded(&error, ask_too_much), WINDROW_OUT_OF_MEMORY);
  ASSERT_NE(error, nullptr);
  EXPECT_EQ(windrow_error_code(error), WINDROW_OUT_OF_MEMORY);
  EXPECT_STREQ(windrow_error_message(error), "out of memory");
  windrow_error_free(error);
  EXPECT_EQ(internal::guarded(nullptr, ask_too_much), WINDROW_OUT_OF_MEMORY);
}

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
  EXPECT_EQ(types, 27);
  EXPECT_STREQ(windrow_dtype_name(WINDROW_FLOAT4_E2M1FN), "float4_e2m1fn");
  EXPECT_STREQ(windrow_dtype_name(WINDROW_NF4), "nf4");
  EXPECT_STREQ(windrow_dtype_name(WINDROW_UINT2), "uint2");
  EXPECT_EQ(windrow_dtype_bits(WINDROW_UINT2), 2);
  EXPECT_STREQ(windrow_dtype_name(WINDROW_ABSENT), "absent");
  EXPECT_EQ(windrow_dtype_name(-1), nullptr);
  EXPECT_EQ(windrow_dtype_bits(WINDROW_ABSENT), 0);
  EXPECT_EQ(windrow_dtype_bits(28), 0);
  EXPECT_EQ(windrow_dtype_parse("float33"), WINDROW_ABSENT);
  EXPECT_EQ(windrow_dtype_parse(nullptr), WINDROW_ABSENT);
}

}  // namespace
}  // namespace windrow

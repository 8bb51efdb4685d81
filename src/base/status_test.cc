#include "windrow/status.h"

#include <gtest/gtest.h>

#include <string>

#include "windrow/options.h"

namespace windrow {
namespace {

Status index_error() {
  IndexFault fault;
  fault.input = "indices";
  fault.position = {0, 3};
  fault.value = 7;
  return Status(ErrorInfo{ErrorCode::kIndexOutOfRange, "indices[0, 3] is 7", "onnx.Gather-13",
                          "ONNX-Gather-C3", std::make_shared<const IndexFault>(fault)});
}

TEST(Status, SuccessHasEmptyInfo) {
  const Status status;
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.code(), ErrorCode::kOk);
  EXPECT_EQ(status.message(), "");
  EXPECT_EQ(status.index_fault(), nullptr);
  EXPECT_TRUE(status.with_context("reading x").ok());
}

TEST(Status, WithContextKeepsTheRest) {
  const Status status = index_error().with_context("node 'a'");
  EXPECT_EQ(status.message(), "node 'a': indices[0, 3] is 7");
  EXPECT_EQ(status.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(status.operator_name(), "onnx.Gather-13");
  EXPECT_EQ(status.constraint(), "ONNX-Gather-C3");
  ASSERT_NE(status.index_fault(), nullptr);
  EXPECT_EQ(status.index_fault()->value, 7);
}

TEST(Result, ValueThrowsTheError) {
  const Result<int> good = 3;
  EXPECT_EQ(good.value(), 3);
  EXPECT_TRUE(good.error().ok());
  const Result<int> bad = index_error();
  EXPECT_FALSE(bad);
  try {
    (void)bad.value();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "indices[0, 3] is 7");
    EXPECT_EQ(error.status().constraint(), "ONNX-Gather-C3");
  }
}

TEST(ErrorCodeName, NamesEveryCodeDifferently) {
  EXPECT_EQ(error_code_name(ErrorCode::kIndexOutOfRange), "index out of range");
  EXPECT_EQ(error_code_name(ErrorCode::kShape), "shape");
  for (int a = 0; a <= static_cast<int>(ErrorCode::kInternal); ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_NE(error_code_name(static_cast<ErrorCode>(a)),
                error_code_name(static_cast<ErrorCode>(b)));
    }
  }
}

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

TEST(NegativeIndex, NamesAndParses) {
  EXPECT_EQ(negative_name(NegativeIndex::kFromEnd), "from_end");
  EXPECT_EQ(negative_name(NegativeIndex::kOutOfRange), "out_of_range");
  EXPECT_EQ(negative_name(NegativeIndex::kError), "error");
  EXPECT_EQ(parse_negative("from_end"), NegativeIndex::kFromEnd);
  EXPECT_EQ(parse_negative("out_of_range"), NegativeIndex::kOutOfRange);
  EXPECT_EQ(parse_negative("error"), NegativeIndex::kError);
  EXPECT_EQ(parse_negative("from end"), std::nullopt);
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

#include "src/distributed/error_text.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

Status index_error() {
  ErrorInfo info{ErrorCode::kIndexOutOfRange, "indices[1, 2] is 7", "array.Take-1", "ARRAY-Take-C3",
                 nullptr};
  IndexFault fault{"indices", {1, 2}, 7, "7", 0, 5, 3, {}};
  info.index_fault = std::make_shared<const IndexFault>(fault);
  return Status(std::move(info));
}

TEST(ErrorTextTest, KeepsEverything) {
  const Status error = decode_error(encode_error(index_error()));
  EXPECT_EQ(error.code(), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(error.message(), "indices[1, 2] is 7");
  EXPECT_EQ(error.operator_name(), "array.Take-1");
  EXPECT_EQ(error.constraint(), "ARRAY-Take-C3");
  ASSERT_NE(error.index_fault(), nullptr);
  EXPECT_EQ(error.index_fault()->input, "indices");
  EXPECT_EQ(error.index_fault()->position, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(error.index_fault()->value, 7);
  EXPECT_EQ(error.index_fault()->value_text, "7");
  EXPECT_EQ(error.index_fault()->axis, 0);
  EXPECT_EQ(error.index_fault()->extent, 5);
  EXPECT_EQ(error.index_fault()->count, 3);
}

TEST(ErrorTextTest, BytesThatEndTooEarlyAreNoError) {
  const std::string bytes = encode_error(index_error());
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_EQ(decode_error(std::string_view(bytes).substr(0, length)).code(), ErrorCode::kInternal)
        << length;
  EXPECT_EQ(decode_error(bytes + "x").code(), ErrorCode::kInternal);
}

}  // namespace
}  // namespace windrow::internal

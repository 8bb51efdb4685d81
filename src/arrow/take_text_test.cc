#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/arrow/arrow_fixture.h"

namespace windrow::arrow {
namespace {

using Rows = std::vector<std::string>;

const char kBytes[] = "onetwothree";

TEST(TakeText, RowsAndOffsets) {
  const std::int32_t offsets[] = {0, 3, 6, 6, 11};
  Producer producer("u", 4, {nullptr, offsets, kBytes});
  const std::vector<std::int64_t> ids = {3, 0, 2, -1};
  const Output output = take(producer.give().value(), ids_of(ids)).value();
  EXPECT_EQ(Exported(output).texts<std::int32_t>(), (Rows{"three", "one", "", "three"}));
}

TEST(TakeText, SliceWithNulls) {
  const std::int64_t offsets[] = {0, 3, 6, 11};
  const std::uint8_t validity = 0b101;
  Producer producer("U", 2, {&validity, offsets, kBytes});
  producer.array.offset = 1;
  const std::vector<std::int64_t> ids = {1, 0, 1};
  const Output output = take(producer.give().value(), ids_of(ids)).value();
  EXPECT_EQ(Exported(output).texts<std::int64_t>(), (Rows{"three", "-", "three"}));
}

TEST(TakeText, AnIdOutOfRangeIsNullOrEmpty) {
  const std::int32_t offsets[] = {0, 3};
  const std::vector<std::int64_t> ids = {7, 0};
  Options options;
  options.null_out_of_range = true;
  Producer nulls("u", 1, {nullptr, offsets, kBytes});
  EXPECT_EQ(
      Exported(take(nulls.give().value(), ids_of(ids), options).value()).texts<std::int32_t>(),
      (Rows{"-", "one"}));
  options = {};
  options.call.out_of_range = OutOfRange::kZero;
  Producer zeros("u", 1, {nullptr, offsets, kBytes});
  EXPECT_EQ(
      Exported(take(zeros.give().value(), ids_of(ids), options).value()).texts<std::int32_t>(),
      (Rows{"", "one"}));
}

TEST(TakeText, NoRows) {
  Producer producer("u", 0, {nullptr, nullptr, nullptr});
  const Output output = take(producer.give().value(), ids_of({})).value();
  EXPECT_EQ(Exported(output).values<std::int32_t>(1, 1), std::vector<std::int32_t>{0});
}

std::string message_of(const std::vector<std::int32_t>& offsets, std::int64_t id) {
  Producer producer("u", static_cast<std::int64_t>(offsets.size()) - 1,
                    {nullptr, offsets.data(), kBytes});
  const std::vector<std::int64_t> ids = {id};
  const Result<Output> output = take(producer.give().value(), ids_of(ids));
  EXPECT_FALSE(output.ok());
  return output.error().message();
}

TEST(TakeText, OffsetsThatFall) {
  EXPECT_EQ(message_of({0, 6, 3, 11}, 1),
            "arrow.take: column 'a' of values: the text of row 1 has the offsets 6 and 3, must not "
            "fall and be in [0, 11]");
}

TEST(TakeText, OffsetsPastTheLastOne) {
  EXPECT_EQ(message_of({0, 6, 400, 11}, 1),
            "arrow.take: column 'a' of values: the text of row 1 has the offsets 6 and 400, must "
            "not fall and be in [0, 11]");
}

TEST(TakeText, OffsetsBelowTheFirstOne) {
  EXPECT_EQ(message_of({3, -6, 3, 11}, 1),
            "arrow.take: column 'a' of values: the text of row 1 has the offsets -6 and 3, must "
            "not fall and be in [3, 11]");
}

TEST(TakeText, FirstAndLastOffset) {
  EXPECT_EQ(message_of({-1, 3}, 0),
            "arrow.take: column 'a' of values: the first offset of the text is -1, the last one "
            "is 3");
}

TEST(TakeText, OffsetsOfOtherRowsDoNotMatter) {
  const std::int32_t offsets[] = {0, 900, 6, 11};
  Producer producer("u", 3, {nullptr, offsets, kBytes});
  const std::vector<std::int64_t> ids = {2};
  EXPECT_EQ(Exported(take(producer.give().value(), ids_of(ids)).value()).texts<std::int32_t>(),
            Rows{"three"});
}

// 40 rows of 2^26 bytes, which all lie in the same memory.
TEST(TakeText, MoreTextThanOffsetsCanAddress) {
  const std::vector<char> bytes(std::size_t{1} << 26);
  const std::int32_t offsets[] = {0, 1 << 26};
  Producer producer("u", 1, {nullptr, offsets, bytes.data()});
  const std::vector<std::int64_t> ids(40);
  const Result<Output> output = take(producer.give().value(), ids_of(ids));
  ASSERT_FALSE(output.ok());
  EXPECT_EQ(
      output.error().message(),
      "arrow.take: column 'a' of values: the result has more text than offsets of 32 bits can "
      "address; cast to large_string or large_binary");
}

struct View {
  std::int32_t length;
  std::int32_t words[3];
};

TEST(TakeViews, SharesTheBytesOfLongTexts) {
  const char text[] = "a text that is longer than twelve bytes";
  const View views[] = {{3, {0x636261, 0, 0}}, {20, {0, 0, 2}}};
  const std::int64_t sizes[] = {sizeof text};
  Producer producer("vu", 2, {nullptr, views, text, sizes});
  const std::vector<std::int64_t> ids = {1, 0, 1};
  {
    const Output output = take(producer.give().value(), ids_of(ids)).value();
    EXPECT_EQ(producer.released, 1);  // the schema
    const Exported exported(output);
    EXPECT_EQ(exported.array.n_buffers, 4);
    EXPECT_EQ(exported.array.buffers[2], text);
    EXPECT_EQ(exported.values<View>(1, 3)[2].words[2], 2);
  }
  EXPECT_EQ(producer.released, 2);
}

TEST(TakeViews, ShortTextsShareNothing) {
  const View views[] = {{3, {0x636261, 0, 0}}};
  Producer producer("vu", 1, {nullptr, views, nullptr});
  const std::vector<std::int64_t> ids = {0, 0};
  const Output output = take(producer.give().value(), ids_of(ids)).value();
  EXPECT_EQ(producer.released, 2);
  EXPECT_EQ(Exported(output).array.n_buffers, 3);
}

TEST(TakeViews, ViewsThatNoBufferHolds) {
  const View views[] = {{20, {0, 1, 0}}, {20, {0, 0, 30}}, {-1, {0, 0, 0}}, {20, {0, 0, -3}}};
  const char text[40] = {};
  const std::int64_t sizes[] = {sizeof text};
  for (std::int64_t row = 0; row < 4; ++row) {
    Producer producer("vu", 4, {nullptr, views, text, sizes});
    const std::vector<std::int64_t> ids = {row};
    const Result<Output> output = take(producer.give().value(), ids_of(ids));
    ASSERT_FALSE(output.ok()) << row;
    EXPECT_EQ(output.error().code(), ErrorCode::kInvalidArgument);
  }
}

}  // namespace
}  // namespace windrow::arrow

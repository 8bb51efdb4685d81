#include "src/models/numbered_graph.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windrow::internal {
namespace {

TEST(ValueNames, NumbersNamesInOrder) {
  ValueNames names;
  EXPECT_EQ(names.find(""), kNoValue);
  EXPECT_EQ(names.add("a"), 0U);
  EXPECT_EQ(names.add("b"), 1U);
  EXPECT_EQ(names.add("a"), kNoValue);
  EXPECT_EQ(names.add(""), 2U);
  EXPECT_EQ(names.find("a"), 0U);
  EXPECT_EQ(names.find("b"), 1U);
  EXPECT_EQ(names.find(""), 2U);
  EXPECT_EQ(names.find("c"), kNoValue);
  EXPECT_EQ(names[1], "b");
  EXPECT_EQ(names.size(), 3U);
}

// Names of every length, alike but for one byte or a zero at the end.
TEST(ValueNames, TellsSimilarNamesApart) {
  std::vector<std::string> texts;
  for (std::size_t length = 0; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      texts.emplace_back(length, 'x');
      texts.back()[at] = 'y';
    }
    texts.emplace_back(length, '\0');
  }
  for (const std::size_t reserved : {std::size_t{0}, texts.size()}) {
    ValueNames names;
    names.reserve(reserved);
    for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(names.add(texts[i]), i);
    for (std::size_t i = 0; i < texts.size(); ++i) ASSERT_EQ(names.find(texts[i]), i);
    for (const std::string& text : texts) ASSERT_EQ(names.add(text), kNoValue);
    EXPECT_EQ(names.find(std::string(41, 'x')), kNoValue);
  }
}

}  // namespace
}  // namespace windrow::internal

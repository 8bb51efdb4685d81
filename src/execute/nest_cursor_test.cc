#include "src/execute/nest_cursor.h"

#include <gtest/gtest.h>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

// The stream values that a cursor visits from point `from` on.
std::vector<StreamValues> visit(const LoopNest& nest, const Box& box, std::int64_t from,
                                std::size_t streams, std::int64_t longest) {
  NestCursor cursor(nest, box);
  cursor.seek(from);
  std::vector<StreamValues> values;
  for (std::int64_t left = cursor.points() - from; left > 0;) {
    const std::int64_t count = std::min({left, cursor.run_length(), longest});
    for (std::int64_t j = 0; j < count; ++j) {
      values.emplace_back();
      for (std::size_t s = 0; s < streams; ++s)
        values.back().push_back(cursor.position(s) + j * cursor.step(s));
    }
    cursor.advance(count);
    left -= count;
  }
  return values;
}

TEST(NestCursor, VisitsEveryPointInOrderFromAnywhere) {
  std::mt19937 random(4);
  for (int round = 0; round < 500; ++round) {
    LoopNest nest = random_nest(random, 3);
    if (nest.empty()) nest.push_back({1, {0, 0, 0}});
    const auto all = walk(nest, 3);
    const auto from = static_cast<std::int64_t>(random() % all.size());
    ASSERT_EQ(visit(nest, {}, from, 3, 1 + static_cast<std::int64_t>(random() % 5)),
              std::vector<StreamValues>(all.begin() + from, all.end()));
  }
}

TEST(NestCursor, ABoxIsAPartOfOneLoop) {
  const LoopNest nest{{2, {100}}, {5, {10}}, {2, {1}}};
  EXPECT_EQ(visit(nest, {1, 2, 4}, 0, 1, 9),
            (std::vector<StreamValues>{{20}, {21}, {30}, {31}, {120}, {121}, {130}, {131}}));
}

}  // namespace
}  // namespace windrow::internal

#include "src/base/shelf.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace windrow::internal {
namespace {

struct Thing {
  std::int64_t number = 0;
  const void* user = nullptr;
};
using Things = Shelf<Thing, 16>;

std::unique_ptr<Thing> thing_of(std::int64_t number) {
  return std::make_unique<Thing>(Thing{number, nullptr});
}

std::unique_ptr<Thing> take(Things& things, std::int64_t number) {
  return things.take([&](const Thing& thing) { return thing.number == number; });
}

TEST(Shelf, GivesWhatWasPutOnce) {
  Things things;
  EXPECT_EQ(take(things, 3), nullptr);
  auto thing = thing_of(3);
  const Thing* put = thing.get();
  things.put(std::move(thing));
  auto taken = take(things, 3);
  EXPECT_EQ(taken.get(), put);
  EXPECT_EQ(take(things, 3), nullptr);
}

TEST(Shelf, ThreadsThatWantTheSameHaveOneEach) {
  Things things;
  things.put(thing_of(3));
  things.put(thing_of(3));
  auto first = take(things, 3);
  auto second = take(things, 3);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_NE(first, second);
  things.put(std::move(second));
  EXPECT_NE(take(things, 3), nullptr);
}

TEST(Shelf, KeepsThoseUsedLast) {
  Things things;
  for (std::int64_t number = 1; number <= 20; ++number) {
    things.put(thing_of(number));
    auto first = take(things, 1);
    ASSERT_NE(first, nullptr) << "after " << number;
    things.put(std::move(first));
  }
  EXPECT_EQ(take(things, 2), nullptr);
  EXPECT_NE(take(things, 20), nullptr);
}

TEST(Shelf, GivesBackWhatItHasNoRoomFor) {
  Things things;
  for (std::int64_t number = 1; number <= 16; ++number)
    EXPECT_EQ(things.put(thing_of(number)), nullptr);
  const std::unique_ptr<Thing> dropped = things.put(thing_of(17));
  ASSERT_NE(dropped, nullptr);
  EXPECT_EQ(dropped->number, 1);
}

TEST(Shelf, AThingIsWithOneThreadAtATime) {
  Things things;
  const auto work = [&](std::int64_t thread) {
    for (int round = 0; round < 2000; ++round) {
      const std::int64_t number = 1 + (thread + round) % 20;
      auto thing = take(things, number);
      if (thing == nullptr) thing = thing_of(number);
      ASSERT_EQ(thing->user, nullptr) << "another thread has it, too";
      ASSERT_EQ(thing->number, number);
      thing->user = &thing;
      thing->user = nullptr;
      things.put(std::move(thing));
    }
  };
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace windrow::internal

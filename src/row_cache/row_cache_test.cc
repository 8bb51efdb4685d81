#include "src/row_cache/row_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <random>
#include <thread>
#include <utility>
#include <vector>

namespace windrow::internal {
namespace {

using Row = std::vector<std::byte>;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

// A row whose every 8 bytes tell where it belongs and which version it is.
Row make_row(std::uint64_t table, std::int64_t offset, std::size_t bytes, std::uint64_t version) {
  Row row(bytes);
  for (std::size_t at = 0; at < bytes; ++at) {
    const std::uint64_t word = row_hash(table ^ (version << 32), offset) + at / 8;
    row[at] = static_cast<std::byte>(word >> (at % 8 * 8));
  }
  return row;
}

std::shared_ptr<RowCache> make_cache(std::int64_t bytes) {
  auto cache = RowCache::create(bytes);
  EXPECT_TRUE(cache) << cache.error().message();
  return *cache;
}

struct Found {
  std::vector<Row> rows;
  std::vector<std::uint8_t> found;
};

Found find(RowCache& cache, std::uint64_t table, std::size_t bytes,
           const std::vector<std::int64_t>& offsets) {
  Found result = {std::vector<Row>(offsets.size(), Row(bytes, std::byte{0xee})),
                  std::vector<std::uint8_t>(offsets.size(), 7)};
  std::vector<std::byte*> to;
  for (Row& row : result.rows) to.push_back(row.data());
  cache.find(table, static_cast<std::int64_t>(bytes), offsets, to, result.found);
  return result;
}

bool keeps(RowCache& cache, std::uint64_t table, std::int64_t offset, std::size_t bytes) {
  return find(cache, table, bytes, {offset}).found[0] == 1;
}

// Of the process, in bytes: its address space, then what of it is in memory.
std::pair<std::int64_t, std::int64_t> process_memory() {
  std::int64_t pages = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident;
  return {pages * 4096, resident * 4096};
}

TEST(RowCache, RefusesBudgetsThatCannotBe) {
  for (const std::int64_t bytes : {std::int64_t{0}, std::int64_t{-1}}) {
    const auto cache = RowCache::create(bytes);
    ASSERT_FALSE(cache);
    EXPECT_EQ(cache.error().code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(cache.error().message(),
              "the bytes of a cache must be at least 1, got " + std::to_string(bytes));
  }
  const auto cache = RowCache::create(std::numeric_limits<std::int64_t>::max());
  ASSERT_FALSE(cache);
  EXPECT_EQ(cache.error().code(), ErrorCode::kOutOfMemory);
}

TEST(RowCache, CopiesWhatWasInserted) {
  const auto cache = make_cache(kMiB);
  const Row row = make_row(1, 512, 100, 0);
  cache->insert(1, 512, row);
  const Found found = find(*cache, 1, 100, {0, 512, -1, 512, -512});
  EXPECT_EQ(found.found, (std::vector<std::uint8_t>{0, 1, 0, 1, 0}));
  EXPECT_EQ(found.rows[1], row);
  EXPECT_EQ(found.rows[3], row);
  EXPECT_EQ(found.rows[0], Row(100, std::byte{0xee}));
  EXPECT_FALSE(keeps(*cache, 2, 512, 100));
  const RowCacheStatistics statistics = cache->statistics();
  EXPECT_EQ(statistics.hits, 2);
  EXPECT_EQ(statistics.misses, 2);
  EXPECT_EQ(statistics.rows, 1);
  EXPECT_EQ(statistics.bytes, 100);
  EXPECT_EQ(statistics.evictions, 0);
}

TEST(RowCache, CopiesTheSamePastTheCaches) {
  const auto cache = make_cache(kMiB);
  for (const std::size_t bytes : std::array<std::size_t, 7>{1, 16, 64, 100, 1024, 4096, 4097}) {
    const Row row = make_row(bytes, 0, bytes, 0);
    cache->insert(bytes, 0, row);
    for (const std::size_t place : std::array<std::size_t, 4>{0, 1, 16, 63}) {
      alignas(64) std::array<std::byte, 5000> memory;
      memory.fill(std::byte{0xee});
      const std::array<std::int64_t, 1> offset = {0};
      const std::array<std::byte*, 1> to = {memory.data() + place};
      std::array<std::uint8_t, 1> found = {0};
      cache->find(bytes, static_cast<std::int64_t>(bytes), offset, to, found, true);
      ASSERT_EQ(found[0], 1);
      EXPECT_TRUE(std::equal(row.begin(), row.end(), to[0])) << bytes << " bytes at " << place;
      EXPECT_EQ(std::count(memory.begin(), to[0], std::byte{0xee}),
                static_cast<std::ptrdiff_t>(place));
      EXPECT_EQ(to[0][bytes], std::byte{0xee});
    }
  }
}

TEST(RowCache, RowOfAnotherLengthIsAMiss) {
  const auto cache = make_cache(kMiB);
  cache->insert(1, 0, make_row(1, 0, 100, 0));
  EXPECT_FALSE(keeps(*cache, 1, 0, 99));
  EXPECT_FALSE(keeps(*cache, 1, 0, 101));
  EXPECT_TRUE(keeps(*cache, 1, 0, 100));
  cache->insert(1, 0, make_row(1, 0, 64, 0));
  EXPECT_TRUE(keeps(*cache, 1, 0, 64));
  EXPECT_FALSE(keeps(*cache, 1, 0, 100));
  EXPECT_EQ(cache->statistics().rows, 1);
  EXPECT_EQ(cache->statistics().bytes, 64);
}

TEST(RowCache, EmptyBatchesAndEmptyRows) {
  const auto cache = make_cache(kMiB);
  cache->find(1, 512, {}, {}, {});
  cache->insert(1, 0, {});
  cache->insert(1, -512, make_row(1, 0, 512, 0));
  EXPECT_FALSE(keeps(*cache, 1, 0, 0));
  EXPECT_EQ(cache->statistics().rows, 0);
  EXPECT_EQ(cache->statistics().misses, 1);
}

TEST(RowCache, TooSmallForARow) {
  for (const std::int64_t bytes : {std::int64_t{1}, std::int64_t{4096}, std::int64_t{65536}}) {
    const auto cache = make_cache(bytes);
    const auto too_long = static_cast<std::size_t>(bytes);
    cache->insert(1, 0, make_row(1, 0, too_long, 0));
    EXPECT_FALSE(keeps(*cache, 1, 0, too_long));
    EXPECT_EQ(cache->statistics().rows, 0);
    EXPECT_EQ(cache->statistics().misses, 1);
  }
  const auto cache = make_cache(65536);
  cache->insert(1, 0, make_row(1, 0, 40000, 0));
  EXPECT_TRUE(keeps(*cache, 1, 0, 40000));
}

TEST(RowCache, ForgetsATable) {
  const auto cache = make_cache(kMiB);
  for (const std::uint64_t table : {1, 2}) cache->insert(table, 0, make_row(table, 0, 512, 0));
  cache->forget(1);
  EXPECT_FALSE(keeps(*cache, 1, 0, 512));
  EXPECT_TRUE(keeps(*cache, 2, 0, 512));
  const Row later = make_row(1, 0, 512, 1);
  cache->insert(1, 0, later);
  EXPECT_EQ(find(*cache, 1, 512, {0}).rows[0], later);
  EXPECT_EQ(cache->statistics().rows, 2);
}

TEST(RowCache, MemoryOfAForgottenTableIsUsedAgain) {
  const auto cache = make_cache(kMiB);
  const auto fill = [&](std::uint64_t table) {
    for (std::int64_t k = 0; k < 1500; ++k)
      cache->insert(table, k * 512, make_row(table, k * 512, 512, 0));
  };
  fill(1);
  EXPECT_EQ(cache->statistics().evictions, 0);
  cache->forget(1);
  fill(2);
  EXPECT_EQ(cache->statistics().evictions, 0);
  for (std::int64_t k = 0; k < 1500; ++k) EXPECT_TRUE(keeps(*cache, 2, k * 512, 512)) << k;
}

TEST(RowCache, ErasesRowsOfAnyLength) {
  const auto cache = make_cache(kMiB);
  for (std::int64_t k = 0; k < 8; ++k)
    cache->insert(1, k * 64, make_row(1, k * 64, static_cast<std::size_t>(k * 8 + 8), 0));
  cache->erase(1, std::vector<std::int64_t>{0, 128, 64 * 9, -1});
  cache->erase(2, std::vector<std::int64_t>{64});
  for (std::int64_t k = 0; k < 8; ++k)
    EXPECT_EQ(keeps(*cache, 1, k * 64, static_cast<std::size_t>(k * 8 + 8)), k != 0 && k != 2) << k;
  EXPECT_EQ(cache->statistics().rows, 6);
  EXPECT_EQ(cache->statistics().evictions, 0);
}

TEST(RowCache, TakesNoMoreMemoryThanItMay) {
  const std::int64_t budget = 24 * kMiB + 12345;
  const auto before = process_memory();
  const auto cache = make_cache(budget);
  EXPECT_LE(process_memory().first - before.first, budget);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  EXPECT_LE(process_memory().second - before.second, budget / 4);
#endif
  const Row row = make_row(1, 0, 512, 0);
  const auto fill = [&](std::int64_t rows) {
    for (std::int64_t k = 0; k < rows; ++k) cache->insert(1, k * 512, row);
  };
  fill(200000);
  const RowCacheStatistics statistics = cache->statistics();
  EXPECT_LE(statistics.bytes, budget);
  EXPECT_GE(statistics.bytes, budget * 85 / 100);
  EXPECT_EQ(statistics.bytes, statistics.rows * 512);
  EXPECT_EQ(statistics.rows + statistics.evictions, 200000);
  EXPECT_LE(process_memory().first - before.first, budget);
}

// Each row is asked for before it is inserted, as a table's reader does.
double share_of_hits(RowCache& cache, std::int64_t rows, int samples, std::mt19937& random) {
  const Row row = make_row(1, 0, 512, 0);
  const std::int64_t before = cache.statistics().hits;
  std::vector<double> weights;
  for (std::int64_t k = 1; k <= rows; ++k) weights.push_back(1.0 / static_cast<double>(k));
  std::discrete_distribution<std::int64_t> zipf(weights.begin(), weights.end());
  for (int k = 0; k < samples; ++k) {
    const std::int64_t offset = zipf(random) * 512;
    if (!keeps(cache, 1, offset, 512)) cache.insert(1, offset, row);
  }
  return static_cast<double>(cache.statistics().hits - before) / samples;
}

TEST(RowCache, KeepsTheRowsThatAreAskedForMost) {
  std::mt19937 random(1);
  const std::int64_t rows = 40000;
  const auto cache = make_cache(rows * 512 / 10);
  share_of_hits(*cache, rows, 200000, random);
  // The best that 10 % of the rows can give is 0.79; least recently used gives 0.72.
  EXPECT_GE(share_of_hits(*cache, rows, 200000, random), 0.73);
}

TEST(RowCache, AScanLeavesTheRowsThatAreAskedFor) {
  const auto cache = make_cache(kMiB);
  const Row row(512);
  for (int turn = 0; turn < 3; ++turn)
    for (std::int64_t k = 0; k < 500; ++k)
      if (!keeps(*cache, 1, k * 512, 512)) cache->insert(1, k * 512, row);
  for (std::int64_t k = 0; k < 20000; ++k) cache->insert(2, k * 512, row);
  int kept = 0;
  for (std::int64_t k = 0; k < 500; ++k) kept += keeps(*cache, 1, k * 512, 512) ? 1 : 0;
  EXPECT_GT(kept, 450);
}

// Random operations beside a map of what was inserted last.
class Model {
 public:
  explicit Model(std::int64_t bytes) : cache_(make_cache(bytes)) {}

  void step() {
    const auto table = static_cast<std::uint64_t>(draw(3));
    const int action = draw(100);
    if (action < 55) {
      insert(table);
    } else if (action < 60) {
      const std::int64_t offset = draw(kPlaces) * 64;
      cache_->erase(table, {&offset, 1});
      rows_.erase({table, offset});
    } else if (action == 60 && draw(100) == 0) {
      cache_->forget(table);
      std::erase_if(rows_, [&](const auto& row) { return row.first.first == table; });
    } else {
      find_some(table);
    }
  }
  std::int64_t hits() const { return cache_->statistics().hits; }
  std::int64_t evictions() const { return cache_->statistics().evictions; }

 private:
  static constexpr int kPlaces = 2000;
  static constexpr std::array<std::size_t, 6> kLengths = {1, 4, 64, 100, 1000, 9000};

  int draw(int end) { return static_cast<int>(random_() % static_cast<unsigned>(end)); }

  void insert(std::uint64_t table) {
    const std::int64_t offset = draw(kPlaces) * 64;
    const std::size_t length = kLengths[static_cast<std::size_t>(draw(kLengths.size()))];
    rows_[{table, offset}] = make_row(table, offset, length, ++version_);
    cache_->insert(table, offset, rows_[{table, offset}]);
  }

  void find_some(std::uint64_t table) {
    const std::size_t length = kLengths[static_cast<std::size_t>(draw(kLengths.size()))];
    std::vector<std::int64_t> offsets(static_cast<std::size_t>(draw(200)));
    for (std::int64_t& offset : offsets) offset = draw(kPlaces + 1) * 64 - 64;
    const Found found = find(*cache_, table, length, offsets);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      ASSERT_LE(found.found[i], 1);
      if (found.found[i] == 0) continue;
      const auto row = rows_.find({table, offsets[i]});
      ASSERT_NE(row, rows_.end()) << "an erased row was found";
      ASSERT_EQ(found.rows[i], row->second);
    }
  }

  std::shared_ptr<RowCache> cache_;
  std::map<std::pair<std::uint64_t, std::int64_t>, Row> rows_;
  std::mt19937 random_{17};
  std::uint64_t version_ = 0;
};

TEST(RowCache, RandomOperationsAgreeWithAMap) {
  for (const std::int64_t bytes : {128 * kMiB / 1024, kMiB, 16 * kMiB}) {
    Model model(bytes);
    for (int k = 0; k < 8000 && !testing::Test::HasFatalFailure(); ++k) model.step();
    EXPECT_GT(model.hits(), 1000) << bytes;
    EXPECT_EQ(model.evictions() > 0, bytes <= kMiB) << bytes;
  }
}

// Batches of many samples, of which some are in the same place and some are not found.
TEST(RowCache, LargeBatches) {
  const auto cache = make_cache(32 * kMiB);
  for (std::int64_t k = 0; k < 10000; k += 2) cache->insert(1, k * 96, make_row(1, k * 96, 96, 0));
  std::mt19937 random(3);
  std::vector<std::int64_t> offsets(5000);
  for (std::int64_t& offset : offsets)
    offset = static_cast<std::int64_t>(random() % 10001) * 96 - 96;
  const Found found = find(*cache, 1, 96, offsets);
  for (std::size_t i = 0; i < offsets.size(); ++i) {
    const bool is_kept = offsets[i] >= 0 && offsets[i] / 96 % 2 == 0 && offsets[i] < 10000 * 96;
    ASSERT_EQ(found.found[i], is_kept ? 1 : 0) << i;
    if (!is_kept) continue;
    ASSERT_EQ(found.rows[i], make_row(1, offsets[i], 96, 0)) << i;
  }
}

void hammer(RowCache& cache, unsigned seed, std::atomic<std::int64_t>& wrong) {
  std::mt19937 random(seed);
  for (int turn = 0; turn < 100; ++turn) {
    const std::uint64_t table = random() % 4;
    const std::size_t bytes = table == 3 ? 4000 : 100 * table + 8;
    std::vector<std::int64_t> offsets(300);
    for (std::int64_t& offset : offsets) offset = static_cast<std::int64_t>(random() % 3000) * 4096;
    const Found found = find(cache, table, bytes, offsets);
    for (std::size_t i = 0; i < offsets.size(); ++i) {
      const Row row = make_row(table, offsets[i], bytes, 0);
      if (found.found[i] == 0) {
        cache.insert(table, offsets[i], row);
      } else if (found.rows[i] != row) {
        ++wrong;
      }
    }
    cache.erase(table, std::span(offsets).first(10));
    if (turn % 40 == 39) cache.forget(table);
  }
}

TEST(RowCache, ThreadsFindRightRows) {
  const auto cache = make_cache(10 * kMiB);
  std::atomic<std::int64_t> wrong = 0;
  std::vector<std::thread> threads;
  for (unsigned seed = 0; seed < 8; ++seed)
    threads.emplace_back([&, seed] { hammer(*cache, seed, wrong); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  const RowCacheStatistics statistics = cache->statistics();
  EXPECT_EQ(statistics.hits + statistics.misses, 8 * 100 * 300);
  EXPECT_GT(statistics.hits, 10000);
  EXPECT_GT(statistics.evictions, 1000);
}

}  // namespace
}  // namespace windrow::internal

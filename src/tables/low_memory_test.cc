// Tables where memory runs out: each allocation of a call fails in turn, alone or with all that
// follow, in any thread. The call ends with kOutOfMemory or does without; nothing is thrown.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "src/tables/table_fixture.h"
#include "windrow/table.h"

namespace {

// Allocations until one fails; kNever: none does; kFailed: one did, and those that follow do not.
constexpr std::int64_t kNever = -1;
constexpr std::int64_t kFailed = -2;
std::atomic<std::int64_t> allowed = kNever;
std::atomic<bool> fails_on = false;  // whether all that follow fail, too
std::atomic<int> failures = 0;

bool fails() noexcept {
  std::int64_t left = allowed;
  do {
    if (left < 0) return false;
  } while (!allowed.compare_exchange_weak(
      left, left == 0 && !fails_on ? kFailed : std::max<std::int64_t>(left - 1, 0)));
  failures += left == 0 ? 1 : 0;
  return left == 0;
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (fails()) return nullptr;
  return std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
}

constexpr std::size_t kUsual = alignof(std::max_align_t);

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Not inlined: where a compiler sees memory of `new` reach std::free, it warns of a mismatch.
[[gnu::noinline]] void release(void* memory) { std::free(memory); }

}  // namespace

// All of them: memory of one may be freed by another.
void* operator new(std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new[](std::size_t bytes) { return allocate_or_throw(bytes, kUsual); }
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, kUsual);
}
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept {
  return allocate(bytes, kUsual);
}
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return allocate_or_throw(bytes, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return allocate(bytes, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace windrow::internal {
namespace {

class LowMemory : public FolderTest, public testing::WithParamInterface<TableReads> {
 protected:
  static TableOptions options() {
    TableOptions options;
    options.reads = GetParam();
    options.depth = 3;
    options.cache = TableCache::create(kLeastTableCache).value();
    return options;
  }

  // Calls `call`, which returns its error, until no allocation of it fails. `next` is what must
  // work after each.
  static void attack(const std::function<ErrorCode()>& call, const std::function<void()>& next) {
    for (const bool all : {false, true}) {
      std::int64_t point = 0;
      int refused = 0;
      for (bool is_reached = true; is_reached; ++point) {
        SCOPED_TRACE("allocation " + std::to_string(point) + (all ? " and all after" : ""));
        fails_on = all;
        allowed = point;
        ErrorCode code = ErrorCode::kOk;
        try {
          code = call();
        } catch (...) {
          allowed = kNever;
          ADD_FAILURE() << "an exception";
        }
        allowed = kNever;
        is_reached = failures.exchange(0) > 0;
        ASSERT_TRUE(code == ErrorCode::kOk || code == ErrorCode::kOutOfMemory)
            << static_cast<int>(code);
        refused += code == ErrorCode::kOutOfMemory ? 1 : 0;
        next();
      }
      EXPECT_GT(refused, 3) << point << " allocations";
    }
  }
};

TEST_P(LowMemory, TakesEndInAnErrorOrTheRows) {
  std::string bytes(std::size_t{1} << 20, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i / 64 % 251);
  const TablePart part{write("raw", bytes), "", DType::kUint8, Shape({16384, 64})};
  const auto table = Table::open({&part, 1}, options());
  if (!table) GTEST_SKIP() << table.error().message();
  const std::vector<std::int64_t> ids = {3, 9000, 16383, 3, 5000, -1, 12000, 700};
  const TensorView view(DType::kInt64, Shape({8}), ids.data());
  const auto check = [&](const Result<Tensor>& rows) {
    ASSERT_TRUE(rows) << rows.error().message();
    for (std::size_t i = 0; i < ids.size(); ++i)
      EXPECT_EQ(static_cast<const std::uint8_t*>(rows->data())[i * 64],
                (ids[i] + (ids[i] < 0 ? 16384 : 0)) % 251);
  };
  attack(
      [&] {
        const Result<Tensor> rows = table->take(view);
        return rows ? ErrorCode::kOk : rows.error().code();
      },
      [&] { check(table->take(view)); });
}

TEST_P(LowMemory, OpeningEndsInAnErrorOrATable) {
  const std::vector<TablePart> parts(
      2, {write("raw", std::string(6000, 'a')), "", DType::kUint8, Shape({60, 100})});
  const TableOptions given = options();
  if (!Table::open(parts, given)) GTEST_SKIP() << "no such reads";
  attack(
      [&] {
        const auto table = Table::open(parts, given);
        return table ? ErrorCode::kOk : table.error().code();
      },
      [&] { EXPECT_TRUE(Table::open(parts, given)); });
}

// A worker that finds an error needs memory to say so.
TEST_P(LowMemory, ErrorsOfFiles) {
  const std::filesystem::path path = write("raw", std::string(1 << 20, 'a'));
  const TablePart part{path, "", DType::kUint8, Shape({16384, 64})};
  const auto table = Table::open({&part, 1}, options());
  if (!table) GTEST_SKIP() << table.error().message();
  std::filesystem::resize_file(path, 1 << 16);
  std::vector<std::int64_t> ids(64);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(i * 255);
  const TensorView view(DType::kInt64, Shape({64}), ids.data());
  attack(
      [&] {
        const Result<Tensor> rows = table->take(view);
        if (rows) return ErrorCode::kInternal;
        return rows.error().code() == ErrorCode::kFormat ? ErrorCode::kOk : rows.error().code();
      },
      [&] { EXPECT_EQ(table->take(view).error().code(), ErrorCode::kFormat); });
}

TEST(LowMemoryOfACache, EndsInAnErrorOrACache) {
  for (std::int64_t point = 0; point < 8; ++point) {
    allowed = point;
    const auto cache = TableCache::create(kLeastTableCache);
    allowed = kNever;
    EXPECT_TRUE(cache || cache.error().code() == ErrorCode::kOutOfMemory) << point;
  }
}

INSTANTIATE_TEST_SUITE_P(Reads, LowMemory,
                         testing::Values(TableReads::kUring, TableReads::kThreads,
                                         TableReads::kReadAhead, TableReads::kBest),
                         [](const auto& info) {
                           return std::string(table_reads_name(info.param));
                         });

}  // namespace
}  // namespace windrow::internal

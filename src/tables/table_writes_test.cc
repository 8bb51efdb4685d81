#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "src/tables/log_pointer.h"
#include "src/tables/recording_disk.h"
#include "src/tables/redo_log.h"
#include "src/tables/table_fixture.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace {

constexpr std::int64_t kRows = 50;
constexpr std::int64_t kColumns = 30;

class TableWritesTest : public internal::FolderTest {
 protected:
  // Floats without a header, in two files of unequal lengths.
  std::vector<TablePart> parts() const {
    return {{folder_ / "a", "", DType::kFloat32, {20, kColumns}, 7},
            {folder_ / "b", "", DType::kFloat32, {kRows - 20, kColumns}, 0}};
  }
  void make_files() const {
    write("a", std::string(7 + 20 * kColumns * 4, '\0'));
    write("b", std::string((kRows - 20) * kColumns * 4 + 5, '\0'));
  }
  Result<Table> open(bool writable, std::optional<TableCache> cache = std::nullopt) const {
    TableOptions options;
    options.writable = writable;
    options.durability = TableDurability::kProcess;
    options.cache = std::move(cache);
    return Table::open(parts(), options);
  }
  std::string content(const char* name) const {
    std::ifstream file(folder_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::filesystem::path log() const { return folder_ / "a.windrow-log"; }

  // A log that holds a whole call, whose targets failed.
  void hold_call(const char* name, const std::string& identity) const {
    internal::RecordingDisk disk({std::string(100, 'x')});
    disk.fails = [](std::size_t) { return true; };
    internal::RecordingFile target(disk, 0);
    std::filesystem::remove(folder_ / name);
    auto file = internal::SystemFile::open_or_make(folder_ / name, 0600);
    ASSERT_TRUE(file);
    internal::RedoLog other(**file, {{&target, 0, 100}}, identity, true);
    const internal::RedoWrite put{0, 5, std::as_bytes(std::span("text", 4))};
    EXPECT_FALSE(other.write(std::span(&put, 1)));
    EXPECT_TRUE(other.is_pending());
  }

  static Tensor ids(std::initializer_list<std::int64_t> values) {
    return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
  }
  // Rows that hold the same number everywhere.
  static Tensor rows(std::vector<float> numbers) {
    std::vector<float> all;
    for (const float number : numbers) all.insert(all.end(), kColumns, number);
    return Tensor::from<float>({static_cast<std::int64_t>(numbers.size()), kColumns}, all);
  }
  static std::vector<float> firsts(const Tensor& taken) {
    std::vector<float> numbers;
    for (std::size_t i = 0; i < taken.values<float>().size(); i += kColumns) {
      numbers.push_back(taken.values<float>()[i]);
      for (std::size_t j = 0; j < kColumns; ++j)
        EXPECT_EQ(taken.values<float>()[i + j], numbers.back());
    }
    return numbers;
  }
};

TEST_F(TableWritesTest, WritesRowsOfSeveralFiles) {
  make_files();
  {
    Table table = open(true).value();
    const Status assigned = table.assign(ids({3, 19, 20, -1, 3}), rows({1, 2, 3, 4, 5}));
    ASSERT_TRUE(assigned) << assigned.message();
    ASSERT_TRUE(table.add(ids({3, 20, 3}), rows({10, 20, 30})));
    EXPECT_TRUE(std::filesystem::exists(log()));
    EXPECT_EQ(firsts(*table.take(ids({3, 19, 20, 49, 0}))), (std::vector<float>{45, 2, 23, 4, 0}));
  }
  EXPECT_FALSE(std::filesystem::exists(log()));
  EXPECT_EQ(content("a").substr(0, 7), std::string(7, '\0'));
  EXPECT_EQ(content("b").substr(content("b").size() - 5), std::string(5, '\0'));
  EXPECT_EQ(firsts(*open(false)->take(ids({3, 19, 20, 49, 0}))),
            (std::vector<float>{45, 2, 23, 4, 0}));
}

TEST_F(TableWritesTest, ABadCallWritesNothing) {
  make_files();
  Table table = open(true).value();
  const std::string before = content("a") + content("b");
  const auto refuse = [&](const Status& status, ErrorCode code, const char* text) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.code(), code);
    EXPECT_NE(status.message().find(text), std::string::npos) << status.message();
  };
  refuse(table.assign(ids({3, 50}), rows({1, 2})), ErrorCode::kIndexOutOfRange, "indices[1] is 50");
  refuse(table.add(ids({3, -51}), rows({1, 2})), ErrorCode::kIndexOutOfRange, "indices[1] is -51");
  refuse(table.add(ids({3}), rows({1, 2})), ErrorCode::kShape, "array.IndexAdd");
  refuse(table.assign(ids({3}), rows({1, 2})), ErrorCode::kShape,
         "rows have shape [2, 30], must have [1, 30]");
  refuse(table.assign(ids({3}), ids({1})), ErrorCode::kType, "rows have type int64");
  CallOptions unique;
  unique.duplicates = Duplicates::kError;
  refuse(table.assign(ids({3, 4, 3}), rows({1, 2, 3}), unique), ErrorCode::kDuplicate,
         "[2] writes the cell at [3]");
  refuse(table.add(ids({3, 4, 3}), rows({1, 2, 3}), unique), ErrorCode::kDuplicate,
         "writes the cell at [3, 0]");
  EXPECT_EQ(content("a") + content("b"), before);
  Table reader = [&] {
    { Table closed = std::move(table); }
    return open(false).value();
  }();
  refuse(reader.assign(ids({3}), rows({1})), ErrorCode::kUnsupported, "opened for reading");
}

TEST_F(TableWritesTest, AWriterIsAlone) {
  make_files();
  std::optional<Table> writer = open(true).value();
  for (const bool writable : {false, true}) {
    const auto second = open(writable);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code(), ErrorCode::kIo);
    EXPECT_NE(second.error().message().find("a' cannot be opened"), std::string::npos)
        << second.error().message();
  }
  writer.reset();
  const Table reader = open(false).value();
  EXPECT_TRUE(open(false));
  const auto second = open(true);
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find("a' cannot be opened for writing: another table"),
            std::string::npos);
}

TEST_F(TableWritesTest, AForkedProcessNeitherWritesNorUnlocks) {
  make_files();
  std::optional<Table> writer = open(true).value();
  const pid_t child = ::fork();
  if (child == 0) {
    const Status status = writer->assign(ids({3}), rows({1}));
    const bool reads = writer->take(ids({3})).ok();
    writer.reset();
    ::_exit(status.code() == ErrorCode::kUnsupported && reads ? 0 : 1);
  }
  int result = -1;
  ASSERT_EQ(::waitpid(child, &result, 0), child);
  EXPECT_EQ(result, 0);
  EXPECT_FALSE(open(false));
  EXPECT_TRUE(std::filesystem::exists(log()));
  EXPECT_TRUE(writer->assign(ids({3}), rows({1})));
}

TEST_F(TableWritesTest, ALogOfOtherFilesIsRefused) {
  make_files();
  hold_call("a.windrow-log", "other files");
  const std::string before = content("a") + content("b") + content("a.windrow-log");
  for (const bool writable : {false, true}) {
    const auto table = open(writable);
    ASSERT_FALSE(table);
    EXPECT_EQ(table.error().code(), ErrorCode::kUnsupported);
    EXPECT_NE(table.error().message().find("a.windrow-log' holds a call"), std::string::npos)
        << table.error().message();
  }
  EXPECT_EQ(content("a") + content("b") + content("a.windrow-log"), before);
}

// The second file alone, and both the other way round, are other tables.
TEST_F(TableWritesTest, ACallThatWasEndedIsKnownBesideEveryFile) {
  make_files();
  const std::string identity = "float32 [3]";
  hold_call("a.windrow-log", identity);
  ASSERT_TRUE(internal::make_log_pointer(folder_ / "b", folder_ / "a", identity, 0600, true));
  const auto opens = [&](std::vector<TablePart> parts, bool writable) {
    TableOptions options;
    options.writable = writable;
    const auto table = Table::open(parts, options);
    if (table) return true;
    EXPECT_EQ(table.error().code(), ErrorCode::kUnsupported);
    const std::string text = table.error().message();
    EXPECT_NE(text.find("a call that wrote to"), std::string::npos) << text;
    EXPECT_NE(text.find("a.windrow-log': open that table first"), std::string::npos) << text;
    return false;
  };
  const std::string before = content("a") + content("b") + content("a.windrow-log");
  for (const bool writable : {false, true}) {
    EXPECT_FALSE(opens({parts()[1]}, writable));
    EXPECT_FALSE(opens({parts()[1], parts()[0]}, writable));
  }
  EXPECT_EQ(content("a") + content("b") + content("a.windrow-log"), before);
  // Pointers of calls that are no longer there.
  hold_call("a.windrow-log", "another table");
  EXPECT_TRUE(opens({parts()[1]}, false));
  std::filesystem::remove(log());
  EXPECT_TRUE(opens({parts()[1]}, false));
  EXPECT_TRUE(opens({parts()[1]}, true));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "b.windrow-log"));
  // A call of a table of which the second file is the first one.
  hold_call("b.windrow-log", identity);
  const auto both = open(false);
  ASSERT_FALSE(both);
  EXPECT_NE(both.error().message().find("b.windrow-log': open that table first"), std::string::npos)
      << both.error().message();
}

TEST_F(TableWritesTest, APointerStandsBesideFurtherFilesOfAWriter) {
  make_files();
  std::filesystem::create_directory(folder_ / "far");
  std::filesystem::rename(folder_ / "b", folder_ / "far" / "b");
  std::vector<TablePart> apart = parts();
  apart[1].path = folder_ / "far" / "b";
  TableOptions options;
  options.writable = true;
  {
    Table table = Table::open(apart, options).value();
    EXPECT_EQ(content("far/b.windrow-log").substr(0, 22), "windrow-log pointer 1\n");
    EXPECT_TRUE(content("far/b.windrow-log").ends_with("\n../a.windrow-log"));
    ASSERT_TRUE(table.assign(ids({1, 30}), rows({1, 2})));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "far" / "b.windrow-log"));
  EXPECT_EQ(firsts(*Table::open(apart)->take(ids({1, 30}))), (std::vector<float>{1, 2}));
}

TEST_F(TableWritesTest, RefusesBytesThatAreThereTwice) {
  make_files();
  TableOptions options;
  options.writable = true;
  const std::vector<TablePart> twice = {parts()[0], parts()[0]};
  const auto table = Table::open(twice, options);
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().code(), ErrorCode::kUnsupported);
  EXPECT_TRUE(Table::open(twice));
}

TEST_F(TableWritesTest, AFullDiskLeavesTheTableAsItWas) {
  make_files();
  Table table = open(true).value();
  ASSERT_TRUE(table.assign(ids({1, 30}), rows({1, 2})));
  const std::string before = content("a") + content("b");
  struct rlimit all = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &all), 0);
  std::vector<std::int64_t> all_rows(kRows);
  std::iota(all_rows.begin(), all_rows.end(), 0);
  const Tensor every = Tensor::from<std::int64_t>({kRows}, all_rows);
  const Tensor ones = rows(std::vector<float>(kRows, 1));
  // The largest limits leave room for the files, but not for the log.
  for (const rlim_t limit : {0, 100, 2000, 3605, 5000}) {
    struct rlimit small = all;
    small.rlim_cur = limit;
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    const Status status = table.add(every, ones);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &all), 0);
    ASSERT_FALSE(status) << limit;
    EXPECT_EQ(status.code(), ErrorCode::kIo);
    EXPECT_NE(status.message().find("File too large"), std::string::npos) << status.message();
    EXPECT_EQ(content("a") + content("b"), before);
  }
  ASSERT_TRUE(table.add(ids({1}), rows({1})));
  EXPECT_EQ(firsts(*table.take(ids({1, 19, 30}))), (std::vector<float>{2, 0, 2}));
}

// The cache is too small for all rows, so that readers read rows while they are written.
TEST_F(TableWritesTest, TheCacheHasNoOldRow) {
  constexpr std::int64_t kLongRows = 64;
  constexpr std::int64_t kLong = 512;
  write("c", std::string(kLongRows * kLong * 4, '\0'));
  TableOptions options;
  options.writable = true;
  options.direct = false;
  options.durability = TableDurability::kProcess;
  options.cache = TableCache::create(kLeastTableCache).value();
  const TablePart part{folder_ / "c", "", DType::kFloat32, {kLongRows, kLong}, 0};
  Table table = Table::open(std::span(&part, 1), options).value();
  std::vector<std::int64_t> all(kLongRows);
  std::iota(all.begin(), all.end(), 0);
  const Tensor every = Tensor::from<std::int64_t>({kLongRows}, all);
  std::atomic<bool> is_done = false;
  struct Readers {
    std::atomic<bool>& is_done;
    std::vector<std::thread> threads = {};
    ~Readers() {
      is_done = true;
      for (std::thread& thread : threads) thread.join();
    }
  } readers{is_done};
  for (int i = 0; i < 3; ++i)
    readers.threads.emplace_back([&, i] {
      std::mt19937_64 random(static_cast<unsigned>(i));
      while (!is_done) {
        EXPECT_TRUE(table.take(ids({static_cast<std::int64_t>(random() % kLongRows)})));
        // Parts of rows are never kept: a write would not find them.
        EXPECT_TRUE(random() % 16 != 0 || table.take(ids({0, 7}), {.axis = 1}));
      }
    });
  std::vector<float> expected(kLongRows);
  for (int i = 1; i <= 3000; ++i) {
    const std::int64_t row = i * 37 % 8;
    expected[static_cast<std::size_t>(row)] = static_cast<float>(i);
    const std::vector<float> bytes(kLong, static_cast<float>(i));
    ASSERT_TRUE(table.assign(ids({row}), Tensor::from<float>({1, kLong}, bytes)));
    if (i % 4 != 0) continue;
    const auto taken = table.take(every);
    const auto column = table.take(ids({7}), {.axis = 1});
    for (std::size_t j = 0; j < expected.size(); ++j) {
      ASSERT_EQ(taken->values<float>()[j * kLong], expected[j]);
      ASSERT_EQ(column->values<float>()[j], expected[j]);
    }
  }
  EXPECT_GT(table.statistics().cached, 0);
}

}  // namespace
}  // namespace windrow

#include "src/tables/reads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "src/tables/row_fetch.h"
#include "src/tables/table_fixture.h"

namespace windrow::internal {
namespace {

struct EngineCase {
  std::string name;
  Engine (*make)(const EngineOptions&);
  bool direct;
};

class Engines : public FolderTest, public testing::WithParamInterface<EngineCase> {
 protected:
  // Numbers that say where they stand.
  static std::string content(std::int64_t bytes) {
    std::string text(static_cast<std::size_t>(bytes), '\0');
    for (std::size_t i = 0; i + 4 <= text.size(); i += 4) {
      const auto number = static_cast<std::uint32_t>(i * 2654435761U);
      std::memcpy(text.data() + i, &number, 4);
    }
    return text;
  }

  std::unique_ptr<ReadEngine> engine(int depth) const {
    Engine made = GetParam().make({depth, kMostReadBytes});
    EXPECT_TRUE(made) << made.error().message();
    return made ? *std::move(made) : nullptr;
  }

  // Absent where the file system has no such reads.
  static std::optional<BlockFile> open(const std::filesystem::path& path) {
    Result<BlockFile> file = BlockFile::open(path, GetParam().direct);
    if (!file && file.error().code() == ErrorCode::kUnsupported) return std::nullopt;
    EXPECT_TRUE(file) << file.error().message();
    return file ? std::optional<BlockFile>(*std::move(file)) : std::nullopt;
  }
};

TEST_P(Engines, ReadWhatIsWanted) {
  if (GetParam().name.starts_with("uring") && !has_ring_engine()) GTEST_SKIP() << "no io_uring";
  std::mt19937_64 random(20);
  for (const std::int64_t bytes : {5000, 1 << 20}) {
    const std::string first = content(bytes);
    const std::string second = content(bytes / 2).substr(4);
    const auto a = open(write("a", first));
    const auto b = open(write("b", second));
    if (!a || !b) GTEST_SKIP() << "no reads past the page cache";
    // The table begins in the first file behind a header, and ends in the second.
    const auto whole = static_cast<std::int64_t>(first.size() - 100 + second.size());
    const auto joint = static_cast<std::int64_t>(first.size()) - 100;
    const std::vector<TablePiece> pieces = {{&*a, 0, joint, 100}, {&*b, joint, whole, 0}};
    const std::string table = first.substr(100) + second;
    for (const int depth : {1, 3, 64}) {
      const auto reader = engine(depth);
      ASSERT_NE(reader, nullptr);
      for (const std::int64_t most : {8, 700, 120000}) {
        std::vector<std::string> rows(300);
        std::vector<Want> wants;
        std::vector<std::int64_t> froms;
        std::int64_t seen = 0;
        for (std::string& row : rows) {
          std::int64_t length = 1 + static_cast<std::int64_t>(random()) % most;
          length = std::min(std::abs(length) + 1, most);
          std::int64_t from =
              static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole));
          const std::int64_t end = from < joint ? joint : whole;
          length = std::min(length, end - from);
          row.assign(static_cast<std::size_t>(length), '?');
          wants.push_back({from, length, reinterpret_cast<std::byte*>(row.data())});
          froms.push_back(from);
        }
        wants.push_back(wants.front());
        RowFetch fetch(pieces, wants);
        fetch.seen = [&](const Want& want, const std::byte* read) {
          seen += 1;
          EXPECT_EQ(
              std::memcmp(read, table.data() + want.from, static_cast<std::size_t>(want.bytes)), 0);
        };
        const Status status = reader->run(fetch);
        ASSERT_TRUE(status) << status.message();
        for (std::size_t i = 0; i < rows.size(); ++i)
          ASSERT_EQ(rows[i], table.substr(static_cast<std::size_t>(froms[i]), rows[i].size()));
        EXPECT_LE(seen, static_cast<std::int64_t>(rows.size()));
        EXPECT_LE(fetch.counts().reads, seen);
      }
    }
  }
}

TEST_P(Engines, SayThatAFileWasCut) {
  if (GetParam().name.starts_with("uring") && !has_ring_engine()) GTEST_SKIP() << "no io_uring";
  const auto path = write("a", content(1 << 20));
  const auto file = open(path);
  if (!file) GTEST_SKIP() << "no reads past the page cache";
  const std::vector<TablePiece> pieces = {{&*file, 0, 1 << 20, 0}};
  std::filesystem::resize_file(path, 600001);
  std::vector<std::byte> room(256 * 64);
  std::vector<Want> wants;
  for (std::int64_t i = 0; i < 256; ++i) wants.push_back({i * 4096, 64, room.data() + i * 64});
  RowFetch fetch(pieces, wants);
  const Status status = engine(16)->run(fetch);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.code(), ErrorCode::kFormat);
  EXPECT_NE(status.message().find("was cut while it was read: it had 1048576 bytes"),
            std::string::npos)
      << status.message();
}

TEST_P(Engines, EndWhenTheSourceSaysSo) {
  if (GetParam().name.starts_with("uring") && !has_ring_engine()) GTEST_SKIP() << "no io_uring";
  const auto file = open(write("a", content(1 << 22)));
  if (!file) GTEST_SKIP() << "no reads past the page cache";
  const std::vector<TablePiece> pieces = {{&*file, 0, 1 << 22, 0}};
  std::vector<std::byte> room(256 * 64);
  std::vector<Want> wants;
  for (std::int64_t i = 0; i < 256; ++i) wants.push_back({i * 16384, 64, room.data() + i * 64});
  RowFetch fetch(pieces, wants);
  int asked = 0;
  fetch.ended = [&] { return ++asked >= 3; };
  const auto reader = engine(4);
  EXPECT_TRUE(reader->run(fetch));
  EXPECT_LT(fetch.counts().reads, 20);
  // The engine serves the next run.
  std::vector<Want> again = wants;
  RowFetch whole(pieces, again);
  EXPECT_TRUE(reader->run(whole));
  EXPECT_EQ(whole.counts().reads, 256);
}

INSTANTIATE_TEST_SUITE_P(All, Engines,
                         testing::Values(EngineCase{"uring", make_ring_engine, true},
                                         EngineCase{"uring_buffered", make_ring_engine, false},
                                         EngineCase{"threads", make_thread_engine, true},
                                         EngineCase{"threads_buffered", make_thread_engine, false},
                                         EngineCase{"read_ahead", make_read_ahead_engine, false}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace windrow::internal

#include "src/tables/block_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <string>

#include "src/tables/table_fixture.h"

namespace windrow::internal {
namespace {

using BlockFileTest = FolderTest;

TEST_F(BlockFileTest, KnowsItsSizeAndItsBlock) {
  const auto path = write("file", std::string(5000, 'x'));
  const auto buffered = BlockFile::open(path, false);
  ASSERT_TRUE(buffered) << buffered.error().message();
  EXPECT_EQ(buffered->size(), 5000);
  EXPECT_EQ(buffered->block(), 1);
  EXPECT_FALSE(buffered->is_direct());
  const auto best = BlockFile::open(path, std::nullopt);
  ASSERT_TRUE(best) << best.error().message();
  EXPECT_EQ(best->size(), 5000);
  EXPECT_EQ(best->is_direct(), best->block() > 1);
  EXPECT_EQ(kLargestBlock % best->block(), 0);
}

TEST_F(BlockFileTest, RefusesWhatIsNoFile) {
  const auto missing = BlockFile::open(folder_ / "none", std::nullopt);
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kIo);
  EXPECT_NE(missing.error().message().find("none': No such file or directory"), std::string::npos);
  const auto folder = BlockFile::open(folder_, std::nullopt);
  ASSERT_FALSE(folder);
  EXPECT_NE(folder.error().message().find("is not a regular file"), std::string::npos);
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(BlockFile::open(folder_ / "pipe", std::nullopt));
}

TEST_F(BlockFileTest, SaysWhereReadsPastThePageCacheAreMissing) {
  const auto file = BlockFile::open("/proc/self/status", true);
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code(), ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace windrow::internal

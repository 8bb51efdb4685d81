#include "src/tables/write_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <string>

#include "src/tables/table_fixture.h"

namespace windrow::internal {
namespace {

class WriteFileTest : public FolderTest {
 protected:
  static std::string content(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static std::span<const std::byte> bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
  }
};

TEST_F(WriteFileTest, ReadsAndWrites) {
  const auto path = write("file", "0123456789");
  const auto file = SystemFile::open(path);
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_EQ(*(*file)->size(), 10);
  ASSERT_TRUE((*file)->write(3, bytes("abc")));
  ASSERT_TRUE((*file)->sync());
  EXPECT_EQ(content(path), "012abc6789");
  std::string read(4, '?');
  ASSERT_TRUE((*file)->read(2, std::as_writable_bytes(std::span(read))));
  EXPECT_EQ(read, "2abc");
  const Status short_read = (*file)->read(8, std::as_writable_bytes(std::span(read)));
  ASSERT_FALSE(short_read);
  EXPECT_NE(short_read.message().find("file' ends at byte 10"), std::string::npos);
  ASSERT_TRUE((*file)->reserve(5000));
  EXPECT_EQ(*(*file)->size(), 5000);
  ASSERT_TRUE((*file)->resize(0));
  EXPECT_EQ(content(path), "");
}

TEST_F(WriteFileTest, MakesAFileAndFollowsNoLink) {
  const auto made = SystemFile::open_or_make(folder_ / "log", 0640);
  ASSERT_TRUE(made) << made.error().message();
  EXPECT_TRUE((*made)->sync());
  EXPECT_TRUE(SystemFile::open_or_make(folder_ / "log", 0640));
  std::filesystem::create_symlink(write("other", "x"), folder_ / "link");
  const auto link = SystemFile::open_or_make(folder_ / "link", 0640);
  ASSERT_FALSE(link);
  EXPECT_EQ(link.error().code(), ErrorCode::kIo);
  EXPECT_NE(link.error().message().find("cannot write '"), std::string::npos);
}

TEST_F(WriteFileTest, RefusesWhatIsNoFile) {
  EXPECT_EQ(SystemFile::open(folder_ / "none").error().code(), ErrorCode::kIo);
  EXPECT_EQ(SystemFile::open(folder_).error().code(), ErrorCode::kIo);
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  const auto pipe = SystemFile::open(folder_ / "pipe");
  ASSERT_FALSE(pipe);
  EXPECT_NE(pipe.error().message().find("is not a regular file"), std::string::npos);
}

TEST_F(WriteFileTest, SaysWhereTheSizeOfFilesIsLimited) {
  const auto path = write("file", std::string(100000, 'x'));
  const auto file = SystemFile::open(path);
  ASSERT_TRUE(file);
  struct rlimit before = {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  struct rlimit small = before;
  small.rlim_cur = 65536;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status fits = (*file)->check_limit(65536);
  const Status limited = (*file)->check_limit(65537);
  // Bytes up to the limit are written, and no signal ends the process.
  const Status written = (*file)->write(60000, bytes(std::string(10000, 'y')));
  const Status reserved = (*file)->reserve(200000);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_TRUE(fits);
  for (const Status& status : {limited, written, reserved}) {
    ASSERT_FALSE(status);
    EXPECT_EQ(status.code(), ErrorCode::kIo);
    EXPECT_NE(status.message().find("file': File too large"), std::string::npos)
        << status.message();
  }
}

}  // namespace
}  // namespace windrow::internal

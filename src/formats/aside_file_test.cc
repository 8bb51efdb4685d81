#include "src/formats/aside_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <set>
#include <string>
#include <utility>

#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

namespace fs = std::filesystem;

class AsideFileTest : public testing::Test {
 protected:
  fs::path folder() const { return folder_.path(); }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder()))
      found.insert(entry.path().filename().string());
    return found;
  }
  std::string text_of(const std::string& name) const { return read_bytes(folder_ / name); }
  void write(const std::string& name, const std::string& text) const {
    write_bytes(folder_ / name, text);
  }
  AsideFile begin(const std::string& name, const std::string& text) const {
    AsideFile file = AsideFile::create(folder_ / name).value();
    EXPECT_TRUE(file.write(text));
    return file;
  }
  static Status commit(AsideFile file) {
    AsideFile* const files[] = {&file};
    return commit_all(files);
  }

 private:
  TestFolder folder_;
};

TEST_F(AsideFileTest, TakesItsNameAtTheEnd) {
  write("a", "old");
  AsideFile file = begin("a", "new");
  EXPECT_EQ(text_of("a"), "old");
  EXPECT_TRUE(commit(std::move(file)));
  EXPECT_EQ(text_of("a"), "new");
  EXPECT_EQ(names(), std::set<std::string>{"a"});
}

TEST_F(AsideFileTest, VanishesWithoutCommit) {
  { const AsideFile file = begin("a", "new"); }
  {
    AsideFile file = begin("a", "new");
    EXPECT_TRUE(file.finish());
  }
  EXPECT_TRUE(names().empty());
}

// A process that is killed leaves nothing, where the file system has files without names.
TEST_F(AsideFileTest, HasNoNameWhileItIsWritten) {
  const int nameless = ::open(folder().c_str(), O_TMPFILE | O_WRONLY, 0600);
  if (nameless < 0) GTEST_SKIP() << "this file system gives every file a name";
  ::close(nameless);
  const AsideFile file = begin("a", "new");
  EXPECT_TRUE(names().empty());
}

TEST_F(AsideFileTest, AllOrNone) {
  write("a", "old a");
  write("b", "old b");
  AsideFile a = begin("a", "new a");
  AsideFile n = begin("n", "new n");
  AsideFile b = begin("b", "new b");
  fs::remove(folder() / "b");
  fs::create_directory(folder() / "b");
  AsideFile* const files[] = {&a, &n, &b};
  const Status status = commit_all(files);
  EXPECT_EQ(status.code(), ErrorCode::kIo);
  EXPECT_NE(status.message().find("b': a folder has this name"), std::string::npos);
  EXPECT_EQ(text_of("a"), "old a");
  fs::remove(folder() / "b");
  EXPECT_TRUE(commit_all(files));
  EXPECT_EQ(text_of("a"), "new a");
  EXPECT_EQ(text_of("b"), "new b");
  EXPECT_EQ(names(), (std::set<std::string>{"a", "b", "n"}));
}

// The rename of the last fails after those before it were done.
TEST_F(AsideFileTest, WhatWasReplacedComesBack) {
  fs::create_directory(folder() / "gone");
  write("a", "old a");
  AsideFile a = begin("a", "new a");
  AsideFile n = begin("n", "new n");
  AsideFile b = AsideFile::create(folder() / "gone" / "b", folder()).value();
  fs::remove(folder() / "gone");
  AsideFile* const files[] = {&a, &n, &b};
  EXPECT_EQ(commit_all(files).code(), ErrorCode::kIo);
  EXPECT_EQ(text_of("a"), "old a");
  EXPECT_FALSE(fs::exists(folder() / "n"));
}

TEST_F(AsideFileTest, ReplacesFilesAndLinksOnly) {
  write("victim", "old");
  fs::create_symlink("victim", folder() / "link");
  EXPECT_TRUE(commit(begin("link", "new")));
  EXPECT_EQ(text_of("victim"), "old");
  EXPECT_FALSE(fs::is_symlink(folder() / "link"));
  fs::create_directory(folder() / "folder");
  EXPECT_EQ(AsideFile::create(folder() / "folder").error().code(), ErrorCode::kIo);
  ASSERT_EQ(::mkfifo((folder() / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(AsideFile::create(folder() / "pipe").error().code(), ErrorCode::kIo);
}

TEST_F(AsideFileTest, KeepsTheModeOfWhatItReplaces) {
  for (const mode_t mode : {0600U, 0640U, 0755U, 0444U}) {
    fs::remove(folder() / "a");
    write("a", "old");
    ASSERT_EQ(::chmod((folder() / "a").c_str(), mode), 0);
    EXPECT_TRUE(commit(begin("a", "new")));
    struct stat info = {};
    ASSERT_EQ(::stat((folder() / "a").c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 07777U, mode);
  }
}

// 0: the file was refused, and the signal did not stay behind.
[[noreturn]] void save_above_the_limit(const fs::path& path) {
  ::signal(SIGXFSZ, SIG_DFL);
  const rlimit limit = {8, 8};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const Status status = save_tensor(Tensor::zeros(DType::kInt64, {16}).value(), path);
  sigset_t pending;
  ::sigpending(&pending);
  const bool good = status.code() == ErrorCode::kIo && ::sigismember(&pending, SIGXFSZ) == 0;
  ::_exit(good ? 0 : 1);
}

TEST_F(AsideFileTest, ALimitOfSizeIsAnErrorWhateverTheSignalDoes) {
  EXPECT_EXIT(save_above_the_limit(folder() / "a.npy"), testing::ExitedWithCode(0), "");
  EXPECT_TRUE(names().empty());
}

TEST_F(AsideFileTest, TensorFilesTakeTheirNamesTogether) {
  const Tensor tensor = Tensor::zeros(DType::kInt64, {2}).value();
  write("a.npy", "old");
  TensorFiles files;
  EXPECT_TRUE(files.add(tensor, folder() / "a.npy"));
  EXPECT_TRUE(files.add(tensor, folder() / "b.pb", "b"));
  EXPECT_EQ(text_of("a.npy"), "old");
  EXPECT_FALSE(fs::exists(folder() / "b.pb"));
  EXPECT_TRUE(files.commit());
  EXPECT_TRUE(load_tensor(folder() / "a.npy"));
  EXPECT_EQ(load_named_tensor(folder() / "b.pb").value().name, "b");
  EXPECT_TRUE(files.commit());  // of none
}

}  // namespace
}  // namespace windrow::internal

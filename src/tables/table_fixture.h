#ifndef WINDROW_TABLES_TABLE_FIXTURE_H_
#define WINDROW_TABLES_TABLE_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>

namespace windrow::internal {

// Tests with files in a folder of their own.
class FolderTest : public testing::Test {
 protected:
  FolderTest() {
    std::string name = (std::filesystem::temp_directory_path() / "windrow-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  ~FolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_TABLE_FIXTURE_H_

#include <gtest/gtest.h>

#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

TEST(TensorFiles, TheEndingChooses) {
  const TestFolder folder;
  const Tensor tensor = sample(DType::kInt16, {3, 2});
  for (const char* name : {"t.npy", "t.pb"}) {
    ASSERT_TRUE(save_tensor(tensor, folder / name, "x").ok());
    EXPECT_TRUE(same_bits(load_tensor(folder / name).value(), tensor));
  }
  EXPECT_EQ(load_named_tensor(folder / "t.npy").value().name, "");
  EXPECT_EQ(load_named_tensor(folder / "t.pb").value().name, "x");
  EXPECT_EQ(save_tensor(tensor, folder / "t.txt").code(), ErrorCode::kUnsupported);
  EXPECT_EQ(load_tensor(folder / "t").error().code(), ErrorCode::kUnsupported);
}

TEST(TensorFiles, NamesWhatCannotBeRead) {
  const TestFolder folder;
  std::filesystem::create_directory(folder / "folder.npy");
  write_bytes(folder / "empty.npy", "");
  write_bytes(folder / "empty.pb", "");
  write_bytes(folder / "text.npy", "hello, this is text");
  write_bytes(folder / "text.pb", "hello, this is text");
  struct Row {
    const char* name;
    ErrorCode code;
    const char* text;
  };
  for (const Row& row :
       {Row{"absent.npy", ErrorCode::kIo, "No such file"},
        Row{"absent.pb", ErrorCode::kIo, "No such file"},
        Row{"folder.npy", ErrorCode::kIo, "is a folder"},
        Row{"empty.npy", ErrorCode::kFormat, "empty"}, Row{"empty.pb", ErrorCode::kFormat, "empty"},
        Row{"text.npy", ErrorCode::kFormat, "magic"},
        Row{"text.pb", ErrorCode::kFormat, "protobuf"}}) {
    const Status error = load_tensor(folder / row.name).error();
    EXPECT_EQ(error.code(), row.code) << row.name;
    EXPECT_NE(error.message().find(row.text), std::string::npos) << error.message();
    EXPECT_NE(error.message().find(row.name), std::string::npos) << error.message();
  }
}

TEST(TensorFiles, WritingSaysWhatFailed) {
  const TestFolder folder;
  const Tensor tensor = sample(DType::kInt16, {3});
  EXPECT_EQ(save_tensor(tensor, folder / "absent/t.npy").code(), ErrorCode::kIo);
  std::filesystem::create_directory(folder / "t.npy");
  write_bytes(folder / "t.npy/file", "x");
  EXPECT_EQ(save_tensor(tensor, folder / "t.npy").code(), ErrorCode::kIo);
  EXPECT_EQ(save_tensor({}, folder / "none.npy").code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(files_in(folder), std::vector<std::string>{"t.npy"});
}

}  // namespace
}  // namespace windrow::internal

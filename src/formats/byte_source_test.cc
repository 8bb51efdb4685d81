#include "src/formats/byte_source.h"

#include <gtest/gtest.h>

#include <string>

#include "src/formats/onnx/messages.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/test_support.h"

namespace windrow::internal {
namespace {

// Files that change between the moment when they are opened and that when they are read.
class ChangedFile : public testing::Test {
 protected:
  // A .pb file with a tensor of 100 bytes and a name that follows them.
  ChangedFile() {
    pb::TensorProto tensor;
    tensor.set_data_type(pb::TensorProto::kUint8);
    tensor.add_dims(100);
    tensor.set_raw_data(std::string(100, 'x'));
    std::string bytes = tensor.serialize();
    fields_ = bytes.size();
    pb::TensorProto name;
    name.set_name("w");
    write_bytes(path_, bytes + name.serialize());
  }

  TestFolder folder_;
  std::filesystem::path path_ = folder_ / "t.pb";
  std::size_t fields_ = 0;  // bytes before the name
};

TEST_F(ChangedFile, ThatIsCutIsAnErrorNotASignal) {
  const FileSource file = FileSource::open(path_).value();
  std::string bytes(static_cast<std::size_t>(file.size()), '\0');
  ASSERT_TRUE(file.read(0, bytes.data(), file.size()).ok());
  std::filesystem::resize_file(path_, 10);
  const Status status = file.read(0, bytes.data(), file.size());
  EXPECT_EQ(status.code(), ErrorCode::kFormat);
  EXPECT_EQ(status.message(), "the file was cut while it was read");
}

TEST_F(ChangedFile, ThatIsCutBetweenTwoFieldsIsNoMessage) {
  for (const std::size_t size : {fields_, fields_ - 50, std::size_t{0}}) {
    const FileSource file = FileSource::open(path_).value();
    std::filesystem::resize_file(path_, size);
    const Status status = read_tensor_file(file, path_).error();
    EXPECT_EQ(status.code(), ErrorCode::kFormat);
    EXPECT_NE(status.message().find("the file was cut while it was read"), std::string::npos)
        << status.message();
    std::filesystem::resize_file(path_, static_cast<std::uintmax_t>(file.size()));
  }
}

TEST_F(ChangedFile, ThatGrowsIsNoMessage) {
  const FileSource file = FileSource::open(path_).value();
  std::filesystem::resize_file(path_, 5000);
  const Status status = read_tensor_file(file, path_).error();
  EXPECT_NE(status.message().find("the file was extended while it was read"), std::string::npos)
      << status.message();
}

}  // namespace
}  // namespace windrow::internal

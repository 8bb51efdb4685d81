#include "src/formats/onnx/external_data.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "src/formats/onnx/graph_write.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

// A tensor of four bytes in external data.
pb::TensorProto external(const std::vector<std::pair<std::string, std::string>>& entries) {
  pb::TensorProto proto;
  proto.set_name("w");
  proto.set_data_type(pb::TensorProto::kUint8);
  proto.add_dims(4);
  proto.set_data_location(pb::TensorProto::kExternal);
  for (const auto& [key, value] : entries) {
    auto& entry = *proto.add_external_data();
    entry.set_key(key);
    entry.set_value(value);
  }
  return proto;
}

class ExternalDataTest : public testing::Test {
 protected:
  ExternalDataTest() {
    std::filesystem::create_directories(folder_ / "model/sub");
    write_bytes(folder_ / "outside.bin", "outside!");
    write_bytes(folder_ / "model/data.bin", "0123456789");
    write_bytes(folder_ / "model/sub/data.bin", "abcd");
    std::filesystem::create_symlink("../outside.bin", folder_ / "model/out.bin");
    std::filesystem::create_symlink("..", folder_ / "model/up");
    std::filesystem::create_symlink("data.bin", folder_ / "model/in.bin");
  }

  Result<Tensor> read(const std::vector<std::pair<std::string, std::string>>& entries) const {
    ExternalData data(ExternalFolder::of(folder_ / "model/model.onnx"));
    return read_tensor(external(entries), data);
  }

  std::string text(const std::vector<std::pair<std::string, std::string>>& entries) const {
    const Result<Tensor> tensor = read(entries);
    if (!tensor) return tensor.error().message();
    return {static_cast<const char*>(tensor->data()), 4};
  }

  TestFolder folder_;
};

TEST_F(ExternalDataTest, IsReadAtItsOffset) {
  EXPECT_EQ(text({{"location", "data.bin"}}), "0123");
  EXPECT_EQ(text({{"location", "data.bin"}, {"offset", "6"}}), "6789");
  EXPECT_EQ(text({{"location", "data.bin"}, {"offset", "3"}, {"length", "4"}}), "3456");
  EXPECT_EQ(text({{"location", "sub/data.bin"}, {"checksum", "x"}}), "abcd");
  EXPECT_EQ(text({{"location", "./in.bin"}}), "0123");
}

TEST_F(ExternalDataTest, MayNotLeaveTheFolder) {
  for (const std::string& location :
       {std::string("../outside.bin"), std::string("sub/../../outside.bin"),
        (folder_ / "outside.bin").string(), (folder_ / "model/data.bin").string(),
        std::string("out.bin"), std::string("up/outside.bin"), std::string("sub/../data.bin"),
        std::string(""), std::string("data.bin\0x", 10)}) {
    const Status error = read({{"location", location}}).error();
    EXPECT_EQ(error.code(), ErrorCode::kFormat) << location;
    EXPECT_NE(error.message().find("refused"), std::string::npos) << error.message();
  }
}

TEST_F(ExternalDataTest, MustBeThereAndLongEnough) {
  EXPECT_EQ(read({{"location", "absent.bin"}}).error().code(), ErrorCode::kIo);
  EXPECT_EQ(read({{"location", "sub"}}).error().code(), ErrorCode::kIo);
  for (const std::string offset : {"7", "11", "9223372036854775807"})
    EXPECT_EQ(read({{"location", "data.bin"}, {"offset", offset}}).error().code(),
              ErrorCode::kFormat);
  for (const std::string number : {"-1", "", "x", "1x", "9223372036854775808"}) {
    EXPECT_FALSE(read({{"location", "data.bin"}, {"offset", number}}).ok());
    EXPECT_FALSE(read({{"location", "data.bin"}, {"length", number}}).ok());
  }
  EXPECT_FALSE(read({{"location", "data.bin"}, {"length", "3"}}).ok());
  EXPECT_FALSE(read({}).ok());
}

TEST_F(ExternalDataTest, OfHugeTensorsAllocatesNothing) {
  pb::TensorProto proto = external({{"location", "data.bin"}});
  proto.set_dims(0, std::int64_t{1} << 60);
  ExternalData data(ExternalFolder::of(folder_ / "model/model.onnx"));
  const Result<Tensor> tensor = read_tensor(proto, data);
  EXPECT_EQ(tensor.error().code(), ErrorCode::kFormat);
}

// One initializer of a model: `bytes` bytes from `offset` on in the file `location`.
struct Blob {
  std::string location;
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

// A model of such initializers alone, w0, w1, ..., as bytes.
std::string model_of(const std::vector<Blob>& blobs) {
  pb::ModelProto proto;
  proto.set_ir_version(8);
  proto.add_opset_import()->set_version(13);
  for (const Blob& blob : blobs) {
    pb::TensorProto& tensor = *proto.mutable_graph()->add_initializer();
    tensor = external({{"location", blob.location}, {"offset", std::to_string(blob.offset)}});
    tensor.set_name("w" + std::to_string(proto.graph().initializer_size() - 1));
    tensor.set_dims(0, blob.bytes);
  }
  return proto.serialize();
}

std::string error_of(const std::string& model, const TestFolder& folder) {
  const Status error = parse_model(model, folder.path() / "model").error();
  EXPECT_EQ(error.code(), ErrorCode::kFormat);
  return error.message();
}

TEST_F(ExternalDataTest, OfTheSameBytesIsInMemoryOnce) {
  const Model model =
      parse_model(model_of({{"data.bin", 2, 8}, {"data.bin", 2, 8}, {"in.bin", 2, 8}}),
                  folder_.path() / "model")
          .value();
  const Tensor& first = elements(model.constants.at("w0"));
  EXPECT_EQ(std::string(static_cast<const char*>(first.data()), 8), "23456789");
  EXPECT_EQ(elements(model.constants.at("w1")).data(), first.data());
  EXPECT_EQ(elements(model.constants.at("w2")).data(), first.data());
}

TEST_F(ExternalDataTest, ThatOverlapsMayTakeFourTimesTheFile) {
  std::vector<Blob> blobs;
  for (int i = 0; i < 5; ++i) blobs.push_back({"data.bin", i % 2, 9 - i / 2});
  ASSERT_TRUE(parse_model(model_of(blobs), folder_.path() / "model").ok());
  blobs.push_back({"data.bin", 3, 6});
  EXPECT_EQ(error_of(model_of(blobs), folder_),
            "tensor 'w5': uint8[6]: the constants overlap in external data 'data.bin': together "
            "they take more than 4 times its 10 bytes");
}

TEST_F(ExternalDataTest, CountsAFileOnceUnderAllItsNames) {
  std::vector<Blob> blobs;
  for (int i = 0; i < 8; ++i) {
    const std::string name = "link" + std::to_string(i);
    std::filesystem::create_hard_link(folder_ / "model/data.bin", folder_ / "model" / name);
    blobs.push_back({name, 0, 10 - i});
  }
  EXPECT_NE(error_of(model_of(blobs), folder_).find("overlap"), std::string::npos);
}

TEST_F(ExternalDataTest, OfAttributesCountsToo) {
  pb::ModelProto proto;
  ASSERT_TRUE(proto.parse(model_of({})));
  proto.mutable_graph();
  for (int i = 0; i < 8; ++i) {
    pb::NodeProto& node = *proto.mutable_graph()->add_node();
    node.set_op_type("Constant");
    node.add_output("c" + std::to_string(i));
    pb::AttributeProto& value = *node.add_attribute();
    value.set_name("value");
    value.set_type(pb::AttributeProto::kTensor);
    *value.mutable_t() = external({{"location", "data.bin"}});
    value.mutable_t()->set_dims(0, 10 - i);
  }
  EXPECT_NE(error_of(proto.serialize(), folder_).find("overlap"), std::string::npos);
}

TEST_F(ExternalDataTest, OfManyFilesKeepsFewOfThemOpen) {
  std::vector<Blob> blobs;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "part" + std::to_string(i);
    write_bytes(folder_ / "model" / name, "0123");
    blobs.push_back({name, 0, 4});
  }
  EXPECT_TRUE(parse_model(model_of(blobs), folder_.path() / "model").ok());
}

TEST_F(ExternalDataTest, OfAModelInMemoryNeedsItsFolder) {
  const Status error = parse_model(model_of({{"data.bin", 0, 4}})).error();
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(error.message(),
            "tensor 'w0': external data 'data.bin' stands in a file, and the model was given "
            "without the folder of its files");
}

}  // namespace
}  // namespace windrow::internal

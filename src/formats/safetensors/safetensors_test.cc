#include "src/formats/safetensors/safetensors.h"

#include <gtest/gtest.h>

#include <random>

#include "src/formats/archive.h"
#include "src/formats/test_support.h"
#include "windrow/tensor_archive.h"

namespace windrow::internal {
namespace {

std::string file_of(const std::string& header, const std::string& data) {
  std::string file;
  append_little_endian(header.size(), 8, file);
  return file + header + data;
}

Archive open(const std::string& bytes) {
  return open_safetensors(std::make_shared<MemorySource>(bytes));
}

// The first tensor, or what is wrong with the file.
Result<Tensor> load_first(const std::string& bytes) {
  Archive archive = open(bytes);
  if (!archive) return archive.error();
  if ((*archive)->names().empty()) return Status(ErrorCode::kInvalidArgument, "no tensor");
  return (*archive)->load(0, DType::kAbsent);
}

// One int32 tensor of two elements by the format's own text.
constexpr char kPage[] = R"({"test":{"dtype":"I32","shape":[2,1],"data_offsets":[0,8]}} )";
const std::string kEight("\1\0\0\0\2\0\0\0", 8);

TEST(SafeTensors, AFileByTheFormatsOwnTextIsRead) {
  const Tensor tensor = load_first(file_of(kPage, kEight)).value();
  EXPECT_EQ(tensor.shape(), (Shape{2, 1}));
  EXPECT_EQ(tensor.values<std::int32_t>()[1], 2);
}

TEST(SafeTensors, WhatIsWrittenIsThatText) {
  const TestFolder folder;
  NamedTensors tensors;
  tensors.emplace_back("test", Tensor::of<std::int32_t>({2, 1}, {1, 2}));
  ASSERT_TRUE(save_tensors(tensors, folder / "t.safetensors").ok());
  const std::string written = read_bytes(folder / "t.safetensors");
  EXPECT_EQ(written.substr(8, written.size() - 16).substr(0, 58), std::string(kPage).substr(0, 58));
  EXPECT_EQ(little_endian(written.data(), 8) % 8, 0U);
  EXPECT_EQ(written.substr(written.size() - 8), kEight);
}

TEST(SafeTensors, EveryTypeThatTheFormatHasComesBack) {
  const TestFolder folder;
  NamedTensors tensors;
  for (const DType type : all_dtypes()) {
    if (!safetensors_name(type).empty())
      for (const Shape& shape : {Shape{3, 5}, Shape{}, Shape{0, 4}})
        tensors.emplace_back("\"" + std::string(dtype_name(type)) + "\"\n\\" + to_string(shape),
                             sample(type, shape));
    NamedTensors one;
    one.emplace_back("x", sample(type, {2}));
    EXPECT_EQ(save_tensors(one, folder / "one.safetensors").code(),
              safetensors_name(type).empty() ? ErrorCode::kUnsupported : ErrorCode::kOk)
        << dtype_name(type);
  }
  ASSERT_EQ(tensors.size(), 19U * 3);
  ASSERT_TRUE(save_tensors(tensors, folder / "all.safetensors").ok());
  const TensorArchive archive = TensorArchive::open(folder / "all.safetensors").value();
  ASSERT_EQ(archive.names().size(), tensors.size());
  for (const auto& [name, tensor] : tensors)
    EXPECT_TRUE(same_bits(archive.load(name).value(), tensor)) << name;
}

TEST(SafeTensors, NamesMayHaveEscapes) {
  const std::string header = R"({"__metadata__":{"made":"\"by\" hand"},"\u00e4\ud83d\ude00\n/":)"
                             R"({"dtype":"U8","shape":[],"data_offsets":[0,1]}})";
  const Archive archive = open(file_of(header, "\7"));
  ASSERT_TRUE(archive.ok());
  EXPECT_EQ((*archive)->names()[0], "\u00e4\U0001f600\n/");
}

TEST(SafeTensors, WhatAHeaderMustNotSay) {
  struct Row {
    const char* header;
    const char* text;
    ErrorCode code = ErrorCode::kFormat;
  };
  const std::string deep(100000, '[');
  for (
      const Row& row : std::vector<Row>{
          {"", "'{' expected"},
          {"[]", "'{' expected"},
          {"{", "a string expected"},
          {"{}", "bytes that belong to no tensor"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}}x)", "text after"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},})", "a string expected"},
          {R"({"a":{"dtype":"I32","shape":[3],"data_offsets":[0,8]}})", "size of its 8 bytes"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,9]}})", "within 8"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[4,8]}})", "from 0 on"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[8,0]}})", ""},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8,8]}})", "more than two"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0]}})", "fewer than two"},
          {R"({"a":{"dtype":"I32","shape":[-2],"data_offsets":[0,8]}})", "whole number"},
          {R"({"a":{"dtype":"I32","shape":[2.0],"data_offsets":[0,8]}})", "']' expected"},
          {R"({"a":{"dtype":"I32","shape":[99999999999999999999],"data_offsets":[0,8]}})",
           "whole number"},
          {R"({"a":{"dtype":"I32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})",
           "does not have the size"},
          {R"({"a":{"dtype":"I32","data_offsets":[0,8]}})", "not all present"},
          {R"({"a":{"dtype":"I32","dtype":"I32","shape":[2],"data_offsets":[0,8]}})", "twice"},
          {R"({"a":{"dtype":"I32","shape":[2],"data_offsets":[0,8],"more":1}})", "unknown"},
          {R"({"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},)"
           R"("a":{"dtype":"I32","shape":[1],"data_offsets":[4,8]}})",
           "appears twice"},
          {R"({"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},)"
           R"("b":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})",
           "from 4 on"},
          {R"({"a":{"dtype":"Q9","shape":[2],"data_offsets":[0,8]}})", "'Q9'",
           ErrorCode::kUnsupported},
          {R"({"a":{"dtype":"F4","shape":[16],"data_offsets":[0,8]}})", "'F4'",
           ErrorCode::kUnsupported},
          {R"({"a":{"dtype":"I32","shape":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,)"
           R"(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]})",
           "rank", ErrorCode::kShape},
          {R"({"\ud83d":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})", "escape"},
          {R"({"\x":{"dtype":"I32","shape":[2],"data_offsets":[0,8]}})", "escape"},
          {"{\"a\n\":{}}", "control character"},
          {"{\"\xff\":{}}", "UTF-8"},
          {R"({"__metadata__":{"a":1}})", "a string expected"},
          {deep.c_str(), "'{' expected"}}) {
    const Status error = load_first(file_of(row.header, kEight)).error();
    EXPECT_EQ(error.code(), row.code) << row.header << ": " << error.message();
    EXPECT_NE(error.message().find(row.text), std::string::npos)
        << row.header << ": " << error.message();
  }
}

TEST(SafeTensors, LengthsBeyondTheFileAreRefused) {
  for (const std::uint64_t length :
       {std::uint64_t{9}, std::uint64_t{100'000'000}, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    std::string file;
    append_little_endian(length, 8, file);
    EXPECT_EQ(load_first(file + "{}      ").error().code(), ErrorCode::kFormat) << length;
  }
  EXPECT_EQ(load_first("").error().code(), ErrorCode::kFormat);
  EXPECT_EQ(load_first("1234567").error().code(), ErrorCode::kFormat);
}

TEST(SafeTensors, CutAndChangedFilesAreErrorsOrTensors) {
  const std::string whole = file_of(kPage, kEight);
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(load_first(whole.substr(0, size)).ok()) << size;
  std::mt19937 random(1);
  for (int i = 0; i < 50000; ++i) {
    std::string changed = whole;
    for (int j = 0; j < 2; ++j) changed[random() % changed.size()] = static_cast<char>(random());
    (void)load_first(changed);
  }
}

}  // namespace
}  // namespace windrow::internal

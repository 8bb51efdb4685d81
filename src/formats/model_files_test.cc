#include "src/formats/model_files.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "src/formats/test_support.h"
#include "windrow/models.h"

namespace windrow::internal {
namespace {

using std::string_view_literals::operator""sv;

// The header of a zip archive whose first file has this name.
std::string zip_of(std::string_view name) {
  std::string bytes("PK\3\4", 4);
  bytes.resize(26);
  bytes += static_cast<char>(name.size());
  bytes += std::string(3, '\0');
  return bytes.append(name);
}

std::string tar() {
  std::string bytes(512, '\0');
  return bytes.replace(257, 5, "ustar");
}

struct Row {
  std::string start;
  const char* text;
};

TEST(ForeignModel, IsNamedByItsFirstBytes) {
  const Row rows[] = {
      {std::string("\x18\0\0\0ORTM", 8), "ONNX Runtime's own format"},
      {std::string("\x1c\0\0\0TFL3", 8), "TensorFlow Lite"},
      {zip_of("archive/data.pkl"), "PyTorch"},
      {zip_of("model/version"), "PyTorch"},
      {"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.", "PyTorch"},
      {"\x80\x04\x95", "pickle of Python"},
      {zip_of("table.npy"), "arrays (.npz)"},
      {zip_of("metadata.json"), "zip archive"},
      {"ftrt\x01", "TensorRT engine"},
      {"\x08\x05\x12\x10\x0a\x0e\x0a\x05input", "Core ML"},
      {"\x08\x01\x12\x10\x0a\x0e\x12\x05tags", "SavedModel"},
      {"\x1f\x8b\x08", "gzip"},
      {"\x28\xb5\x2f\xfd", "zstd"},
      {std::string("\xfd"
                   "7zXZ\0",
                   6),
       "xz"},
      {"BZh9", "bzip2"},
      {"\x89HDF\r\n\x1a\n", "HDF5"},
      {"GGUF\x03", "GGUF"},
      {std::string("\x40\0\0\0\0\0\0\0{\"", 10), "safetensors"},
      {"\x93NUMPY\x01", "array of NumPy"},
      {"version https://git-lfs.github.com/spec/v1\n", "git lfs pull"},
      {"ML\xefR", "MLIR"},
      {tar(), "tar archive"},
      {"<!DOCTYPE html><html>", "web page"},
      {"<?xml version=\"1.0\"?>", ".xml and .bin"},
  };
  for (const Row& row : rows)
    EXPECT_NE(foreign_format(row.start).find(row.text), std::string_view::npos) << row.text;
}

TEST(ForeignModel, SaysNothingOfUnknownBytes) {
  for (const std::string_view start :
       {""sv, "this is no model at all"sv, "\x08\x08\x12\x04ORTM"sv, "\x08\x09\x12\x07pytorch:"sv,
        "PK"sv, "\x08\x01\x12"sv, "\x08\x01\x12\xff\xff"sv, "\0\0\0\0"sv})
    EXPECT_EQ(foreign_format(start), "") << start;
}

TEST(ForeignModel, AnyCutOfTheBytesIsHandled) {
  for (const std::string& whole :
       {zip_of("archive/data.pkl"), tar(), std::string("\x08\x05\x12\x10\x0a\x0e\x0a\x05input")})
    for (std::size_t length = 0; length <= whole.size(); ++length)
      foreign_format(std::string_view(whole).substr(0, length));
}

TEST(ForeignModel, IsNamedWhereAModelIsRead) {
  const TestFolder folder;
  write_bytes(folder / "a.onnx", std::string_view("\x18\0\0\0ORTM....", 12));
  write_bytes(folder / "unmarked.mlmodel", "???");
  std::filesystem::create_directory(folder / "a.mlpackage");
  std::filesystem::create_directory(folder / "saved");
  write_bytes(folder / "saved/saved_model.pb", "");
  const std::pair<const char*, const char*> rows[] = {{"a.onnx", "give the .onnx file"},
                                                      {"unmarked.mlmodel", "Core ML"},
                                                      {"a.mlpackage", "Core ML"},
                                                      {"a.mlpackage/", "Core ML"},
                                                      {"saved", "SavedModel"}};
  for (const auto& [name, text] : rows) {
    const Status error = load_model(folder / name).error();
    EXPECT_EQ(error.code(), ErrorCode::kFormat) << name;
    EXPECT_NE(error.message().find(text), std::string::npos) << error.message();
    EXPECT_NE(error.message().find(folder.path().string()), std::string::npos);
  }
  EXPECT_NE(parse_model("GGUF\x03").error().message().find("llama.cpp"), std::string::npos);
}

TEST(ForeignModel, LargeOnesAreNamedBeforeTheirSize) {
  const TestFolder folder;
  write_bytes(folder / "m.onnx", "GGUF\x03");
  std::filesystem::resize_file(folder / "m.onnx", std::uintmax_t{1} << 31);  // takes no space
  const Status error = load_model(folder / "m.onnx").error();
  EXPECT_NE(error.message().find("GGUF"), std::string::npos) << error.message();
}

TEST(ForeignModel, OtherErrorsStandAsTheyAre) {
  const TestFolder folder;
  EXPECT_EQ(load_model(folder / "absent.ort").error().code(), ErrorCode::kIo);
  write_bytes(folder / "damaged.xml", "<?xml version=\"1.0\"?><net");
  const std::string message = load_model(folder / "damaged.xml").error().message();
  EXPECT_EQ(message.find("begin like XML"), std::string::npos) << message;
}

}  // namespace
}  // namespace windrow::internal

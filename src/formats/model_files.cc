#include "src/formats/model_files.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/models/value_info.h"
#include "windrow/models.h"

namespace windrow {
namespace {

bool is_ir(const std::filesystem::path& path) { return path.extension() == ".xml"; }

Status check_dialect(const Model& model, bool to_ir) {
  const std::string wanted = to_ir ? "openvino" : "onnx";
  if (model.dialect == wanted) return {};
  return internal::unsupported_error(
      "a model of dialect '", model.dialect, "' can't be written as ",
      (to_ir ? "OpenVINO IR (.xml)" : "ONNX (only .xml names OpenVINO IR)"));
}

}  // namespace

Result<Model> load_model(const std::filesystem::path& path) {
  Result<Model> model = is_ir(path) ? internal::read_ir(path) : internal::read_onnx(path);
  return model ? std::move(model) : internal::with_foreign_format(model.error(), path);
}

Result<Model> parse_model(std::string_view bytes, const std::filesystem::path& folder) {
  Result<Model> model = internal::parse_onnx(bytes, folder);
  const std::string_view sentence = model ? "" : internal::foreign_format(bytes);
  return sentence.empty() ? std::move(model) : internal::format_error(sentence);
}

namespace internal {

Status stage_model(const Model& model, const std::filesystem::path& path,
                   const std::string& external_data, const std::filesystem::path& folder,
                   std::vector<AsideFile>& files) {
  Status status = check_dialect(model, is_ir(path));
  if (status && is_ir(path) && !external_data.empty())
    status =
        argument_error("OpenVINO IR keeps its constants in the .bin file, not in external data");
  if (status)
    status = is_ir(path) ? stage_ir(model, path, folder, files)
                         : stage_onnx(model, path, external_data, folder, files);
  return status ? status : status.with_context(quoted(path));
}

Status commit_files(std::vector<AsideFile>& files) {
  std::vector<AsideFile*> all;
  for (AsideFile& file : files) all.push_back(&file);
  return all.empty() ? Status() : commit_all(all);
}

}  // namespace internal

Status save_model(const Model& model, const std::filesystem::path& path,
                  const std::string& external_data) {
  std::vector<internal::AsideFile> files;
  Status status = internal::stage_model(model, path, external_data, {}, files);
  if (!status) return status;
  status = internal::commit_files(files);
  return status ? status : status.with_context(internal::quoted(path));
}

}  // namespace windrow

namespace windrow::internal {
namespace {

using std::string_view_literals::operator""sv;

constexpr std::string_view kOrt =
    "this is ONNX Runtime's own format (.ort); give the .onnx file that it was made from";
constexpr std::string_view kTfLite =
    "this is a TensorFlow Lite model (.tflite); give the model as ONNX, which tf2onnx writes";
constexpr std::string_view kTorch =
    "this is a file of PyTorch (.pt, .pth or .pt2); give the .onnx file that torch.onnx.export() "
    "writes";
constexpr std::string_view kTensorRt =
    "this is a built TensorRT engine (.engine or .plan); give the .onnx file that it was built "
    "from";
constexpr std::string_view kCoreMl =
    "this is a Core ML model (.mlmodel or .mlpackage); give the model that it was converted from "
    "as ONNX or OpenVINO IR";
constexpr std::string_view kSavedModel =
    "this is a TensorFlow SavedModel; give the model as ONNX, which tf2onnx writes";

// The little-endian number in the first `count` bytes at `at`. Requires that they are there.
std::uint64_t number_at(std::string_view start, std::size_t at, std::size_t count) {
  std::uint64_t number = 0;
  for (std::size_t i = count; i > 0; --i)
    number = number << 8 | static_cast<unsigned char>(start[at + i - 1]);
  return number;
}

// FlatBuffers begin with the offset of their root, which is small, and an identifier.
bool is_flat_buffer(std::string_view start, std::string_view identifier) {
  return start.size() >= 8 && number_at(start, 0, 4) < 0x10000 && start.substr(4, 4) == identifier;
}

// The name of the first file of a zip archive.
std::string_view first_entry(std::string_view start) {
  constexpr std::size_t kHeader = 30;
  if (!start.starts_with("PK\3\4"sv) || start.size() < kHeader) return {};
  return start.substr(kHeader, number_at(start, 26, 2));
}

// PyTorch writes archives of one folder, whose first file is one of these.
bool is_torch_archive(std::string_view start) {
  const std::string_view entry = first_entry(start);
  const std::size_t slash = entry.rfind('/');
  if (slash == std::string_view::npos) return false;
  constexpr std::array kFirst = {"data.pkl"sv,       "version"sv,        ".format_version"sv,
                                 "archive_format"sv, "byteorder"sv,      ".storage_alignment"sv,
                                 "constants.pkl"sv,  "archive_version"sv};
  return std::find(kFirst.begin(), kFirst.end(), entry.substr(slash + 1)) != kFirst.end();
}

// Skips a protobuf number; nothing if the bytes end before it does.
std::optional<std::string_view> after_number(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() && i < 10; ++i)
    if ((static_cast<unsigned char>(bytes[i]) & 0x80) == 0) return bytes.substr(i + 1);
  return std::nullopt;
}

// Protobuf messages that begin with a small version and a message in their second field. Returns
// the two bytes that tell what is in that message: the tags of its first field, and of that one's.
std::string_view inner_tags(std::string_view start, std::array<char, 2>& tags) {
  if (start.size() < 4 || start[0] != '\x08' || start[1] > 20 || start[2] != '\x12') return {};
  const auto message = after_number(start.substr(3));
  if (!message || message->empty()) return {};
  const auto field = after_number(message->substr(1));
  if (!field || field->empty()) return {};
  tags = {message->front(), field->front()};
  return {tags.data(), tags.size()};
}

// In ONNX's messages the second field is the producer's name, which does not begin so.
bool is_core_ml(std::string_view start) {
  std::array<char, 2> tags = {};
  return inner_tags(start, tags) == "\x0a\x0a"sv;
}

bool is_saved_model(std::string_view start) {
  std::array<char, 2> tags = {};
  return inner_tags(start, tags) == "\x0a\x12"sv;
}

bool is_safetensors(std::string_view start) {
  return start.size() > 8 && number_at(start, 0, 8) < (std::uint64_t{1} << 32) && start[8] == '{';
}

bool is_pickle(std::string_view start) {
  return start.size() > 2 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

bool is_web_page(std::string_view start) {
  return start.starts_with("<!DOCTYPE html"sv) || start.starts_with("<!doctype html"sv) ||
         start.starts_with("<html"sv);
}

struct Beginning {
  std::string_view bytes;
  std::string_view sentence;
};

constexpr std::array kBeginnings = {
    Beginning{"ftrt"sv, kTensorRt},
    Beginning{"ptrt"sv, kTensorRt},
    Beginning{"\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19"sv, kTorch},
    Beginning{"\x1f\x8b"sv, "this file is compressed by gzip; unpack it first (gunzip)"},
    Beginning{"\x28\xb5\x2f\xfd"sv, "this file is compressed by zstd; unpack it first (unzstd)"},
    Beginning{"\xfd"
              "7zXZ\0"sv,
              "this file is compressed by xz; unpack it first (unxz)"},
    Beginning{"BZh"sv, "this file is compressed by bzip2; unpack it first (bunzip2)"},
    Beginning{"\x89HDF\r\n\x1a\n"sv,
              "this is an HDF5 file, as Keras writes models (.h5); give the model as ONNX, which "
              "tf2onnx writes"},
    Beginning{"GGUF"sv,
              "this is a GGUF file, which holds weights for llama.cpp and no graph; give the "
              "model as ONNX or OpenVINO IR"},
    Beginning{"\x93NUMPY"sv, "this is an array of NumPy (.npy), not a model"},
    Beginning{"version https://git-lfs.github.com/spec/"sv,
              "this is a pointer of Git LFS in place of the file; fetch the file by git lfs pull"},
    Beginning{"ML\xefR"sv, "this is bytecode of MLIR; give the model as ONNX or OpenVINO IR"},
};

using Matches = bool (*)(std::string_view);

constexpr std::array kForms = {
    std::pair<Matches, std::string_view>{
        [](std::string_view start) { return is_flat_buffer(start, "ORTM"); }, kOrt},
    std::pair<Matches, std::string_view>{
        [](std::string_view start) { return is_flat_buffer(start, "TFL3"); }, kTfLite},
    std::pair<Matches, std::string_view>{&is_torch_archive, kTorch},
    std::pair<Matches, std::string_view>{
        [](std::string_view start) { return first_entry(start).ends_with(".npy"); },
        "this is an archive of NumPy's arrays (.npz), not a model"},
    std::pair<Matches, std::string_view>{
        [](std::string_view start) { return start.starts_with("PK\3\4"sv); },
        "this is a zip archive; unpack it and give the model that is in it"},
    std::pair<Matches, std::string_view>{
        &is_safetensors,
        "this is a safetensors file, which holds tensors and no graph; give the model as ONNX or "
        "OpenVINO IR"},
    std::pair<Matches, std::string_view>{
        &is_pickle,
        "this is a pickle of Python, as torch.save() and scikit-learn write; give the "
        "model as ONNX"},
    std::pair<Matches, std::string_view>{
        [](std::string_view start) {
          return start.size() > 262 && start.substr(257, 5) == "ustar";
        },
        "this is a tar archive; unpack it and give the model that is in it"},
    std::pair<Matches, std::string_view>{
        &is_web_page, "this is a web page, not a model; the download gave a page in its place"},
    std::pair<Matches, std::string_view>{
        [](std::string_view start) { return start.starts_with('<'); },
        "the bytes begin like XML, not like an ONNX model; OpenVINO IR is read from its .xml and "
        ".bin files"},
    std::pair<Matches, std::string_view>{&is_core_ml, kCoreMl},
    std::pair<Matches, std::string_view>{&is_saved_model, kSavedModel},
};

// For folders, and for formats whose bytes carry no mark.
constexpr std::array kEndings = {
    std::pair{".ort"sv, kOrt},         std::pair{".tflite"sv, kTfLite},
    std::pair{".pt"sv, kTorch},        std::pair{".pth"sv, kTorch},
    std::pair{".pt2"sv, kTorch},       std::pair{".engine"sv, kTensorRt},
    std::pair{".plan"sv, kTensorRt},   std::pair{".trt"sv, kTensorRt},
    std::pair{".mlmodel"sv, kCoreMl},  std::pair{".mlpackage"sv, kCoreMl},
    std::pair{".mlmodelc"sv, kCoreMl},
};

std::string_view format_of_folder(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::exists(path / "saved_model.pb", ignored)) return kSavedModel;
  return {};
}

// Empty if the file cannot be read, whose own error then stands.
std::string first_bytes(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return {};
  const std::int64_t count =
      std::min<std::int64_t>(file->size(), static_cast<std::int64_t>(kDecidingBytes));
  Result<std::string> bytes = file->read_bytes(0, count);
  return bytes ? *std::move(bytes) : std::string();
}

std::string_view format_by_ending(const std::filesystem::path& path) {
  // A trailing separator, as shells add to folders, is not a part of the name.
  const std::filesystem::path named = path.has_filename() ? path : path.parent_path();
  const std::string ending = named.extension().string();
  for (const auto& [name, sentence] : kEndings)
    if (ending == name) return sentence;
  return {};
}

}  // namespace

std::string_view foreign_format(std::string_view start) {
  start = start.substr(0, kDecidingBytes);
  for (const Beginning& beginning : kBeginnings)
    if (start.starts_with(beginning.bytes)) return beginning.sentence;
  for (const auto& [matches, sentence] : kForms)
    if (matches(start)) return sentence;
  return {};
}

Status with_foreign_format(Status error, const std::filesystem::path& path) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(path, ignored);
  const bool is_ir = path.extension() == ".xml";  // is XML, even if it is damaged
  const bool is_other = error.code() == ErrorCode::kFormat && !is_ir;
  std::string_view sentence;
  if (is_folder) {
    sentence = format_of_folder(path);
  } else if (is_other || error.code() == ErrorCode::kUnsupported) {
    sentence = foreign_format(first_bytes(path));
  }
  if (sentence.empty() && (is_folder || is_other)) sentence = format_by_ending(path);
  return sentence.empty() ? error : format_error(sentence).with_context(quoted(path));
}

}  // namespace windrow::internal

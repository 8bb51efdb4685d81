#include "src/formats/tensor_place.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/arrow_ipc/arrow_ipc.h"
#include "src/formats/byte_source.h"
#include "src/formats/npy/npy.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/models/check_inputs.h"
#include "src/models/value_info.h"

namespace windrow::internal {

Status check_place(const TensorPlace& place, std::int64_t file_bytes) {
  if (place.dtype == DType::kString) return unsupported_error("strings have no fixed size");
  const auto bytes = dense_byte_count(place.dtype, place.shape);
  if (!bytes) return format_error(place.dtype, place.shape, " is too large");
  if (is_packed(place.dtype)) {
    const int in_a_byte = 8 / dtype_bits(place.dtype);
    if (element_count(place.shape).value_or(0) % in_a_byte != 0)
      return unsupported_error(place.dtype, place.shape, " ends within a byte, expected elements ",
                               "that are whole bytes, ", in_a_byte, " to a byte");
  }
  Status status = check_range(place.first_byte, *bytes, file_bytes);
  return status ? status : status.with_context(text_of({place.dtype, place.shape}));
}

namespace {

Result<TensorPlace> place_in_npy(const std::filesystem::path& path, const std::string& name,
                                 DType expected) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  if (!name.empty())
    return argument_error(quoted(path), " has no tensor '", name,
                          "': the one of a .npy file has no name");
  Result<TensorPlace> place = place_npy(*file, expected);
  if (!place) return place.error().with_context(quoted(path));
  place->path = path;
  return place;
}

Result<TensorPlace> place_in_archive(const std::filesystem::path& path, const std::string& name,
                                     DType expected) {
  const Archive reader = open_archive(path);
  if (!reader) return reader.error();
  const Result<std::size_t> position = choose_name(path, (*reader)->names(), name);
  if (!position) return position.error();
  Result<TensorPlace> place = (*reader)->place(*position, expected);
  if (!place) return place.error().with_context(quoted(path));
  place->path = path;
  return place;
}

Result<std::vector<TensorPlace>> place_in_arrow(const std::filesystem::path& path,
                                                const std::string& name, DType /*expected*/) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  Result<std::vector<TensorPlace>> places = place_arrow(*file, path, name);
  if (!places) return places;
  for (TensorPlace& place : *places) place.path = path;
  return places;
}

using FoundPlaces = Result<std::vector<TensorPlace>>;
using Find = FoundPlaces (*)(const std::filesystem::path&, const std::string&, DType);

// The only piece of a tensor.
FoundPlaces in_one_piece(Result<TensorPlace> place) {
  if (!place) return place.error();
  return std::vector<TensorPlace>{*std::move(place)};
}

struct PlacedFormat {
  std::string_view ending;
  Find find;
};

constexpr Find kInArchive = [](const std::filesystem::path& path, const std::string& name,
                               DType expected) {
  return in_one_piece(place_in_archive(path, name, expected));
};

constexpr std::array kPlacedFormats = {
    PlacedFormat{".npy",
                 [](const std::filesystem::path& path, const std::string& name, DType expected) {
                   return in_one_piece(place_in_npy(path, name, expected));
                 }},
    PlacedFormat{".npz", kInArchive},
    PlacedFormat{".safetensors", kInArchive},
    PlacedFormat{".onnx", [](const std::filesystem::path& path, const std::string& name,
                             DType) { return in_one_piece(place_onnx(path, name)); }},
    PlacedFormat{".xml", [](const std::filesystem::path& path, const std::string& name,
                            DType) { return in_one_piece(place_ir(path, name)); }},
    PlacedFormat{".arrow", &place_in_arrow},
    PlacedFormat{".feather", &place_in_arrow},
};

}  // namespace

Result<std::vector<TensorPlace>> find_tensor(const std::filesystem::path& path,
                                             const std::string& name, DType expected) {
  const std::string ending = path.extension().string();
  const PlacedFormat* const format = find_where(
      kPlacedFormats, [&ending](const PlacedFormat& row) { return row.ending == ending; });
  if (format == nullptr)
    return unsupported_error(
        quoted(path), " is not a file whose tensors can be found: the name must end in ",
        joined(kPlacedFormats, ", ", [](const PlacedFormat& row) { return row.ending; }),
        ", or the type and the shape be given");
  return format->find(path, name, expected);
}

}  // namespace windrow::internal

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/checked.h"
#include "src/formats/archive.h"
#include "src/formats/npy/utf8.h"
#include "src/formats/safetensors/safetensors_header.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

// The limit of the format's own library.
constexpr std::int64_t kLongestHeader = 100'000'000;
constexpr std::int64_t kLengthBytes = 8;
constexpr std::size_t kAlignment = 8;

class SafeTensorsReader final : public ArchiveReader {
 public:
  SafeTensorsReader(std::shared_ptr<const ByteSource> source, std::vector<SafeTensor> tensors,
                    std::int64_t data)
      : source_(std::move(source)), tensors_(std::move(tensors)), data_(data) {
    for (const SafeTensor& tensor : tensors_) names_.push_back(tensor.name);
  }

  // The file names the types, so the expected type is not needed.
  Result<Tensor> load(std::size_t position, DType /*expected*/) const override {
    const SafeTensor& entry = tensors_[position];
    const DType type = safetensors_type(entry.dtype);
    if (type == DType::kAbsent)
      return unsupported_error("tensor '", entry.name, "' has the type '", entry.dtype,
                               "', which the library does not have");
    const auto count = element_count(entry.shape);
    const auto bytes = count ? checked_mul(*count, dtype_bits(type) / 8) : std::nullopt;
    if (bytes != entry.end - entry.begin)
      return format_error("tensor '", entry.name, "', ", to_string(entry.shape), " of type '",
                          entry.dtype, "', does not have the size of its ", entry.end - entry.begin,
                          " bytes");
    Result<Tensor> tensor = Tensor::allocate(type, entry.shape);
    if (!tensor) return tensor;
    const Status status = source_->read(data_ + entry.begin, tensor->data(), *bytes);
    if (!status) return status;
    return tensor;
  }

 private:
  std::shared_ptr<const ByteSource> source_;
  std::vector<SafeTensor> tensors_;
  std::int64_t data_;  // where the bytes of tensors begin
};

// Every byte belongs to one tensor, so that no other file hides in this one.
Status check_places(const std::vector<SafeTensor>& tensors, std::int64_t size) {
  std::vector<const SafeTensor*> in_place;
  for (const SafeTensor& tensor : tensors) in_place.push_back(&tensor);
  std::sort(in_place.begin(), in_place.end(), [](const SafeTensor* a, const SafeTensor* b) {
    return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
  });
  std::int64_t at = 0;
  for (const SafeTensor* const tensor : in_place) {
    if (tensor->begin != at || tensor->end < at || tensor->end > size)
      return format_error("tensor '", tensor->name, "' has the bytes ", tensor->begin, " to ",
                          tensor->end, ", expected them from ", at, " on and within ", size);
    at = tensor->end;
  }
  if (at == size) return {};
  return format_error("the file has ", size - at, " bytes that belong to no tensor");
}

// A JSON string. Names are UTF-8, so that only quotes, backslashes and control characters are
// escaped.
std::string quoted_json(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      json += c;
    } else {
      json += "\\u00";
      json += kDigits[c >> 4];
      json += kDigits[c & 15];
    }
  }
  return json + '"';
}

Status check_storable(const std::string& name, const Tensor& tensor) {
  if (safetensors_name(tensor.dtype()).empty())
    return unsupported_error("tensor '", name, "' is of type ", dtype_name(tensor.dtype()),
                             ", which .safetensors can't hold; .npz can");
  if (!is_utf8(name) || name == "__metadata__")
    return unsupported_error("the name '", name, "' is one that .safetensors can't hold");
  return {};
}

}  // namespace

Archive open_safetensors(std::shared_ptr<const ByteSource> source) {
  if (source->size() == 0) return format_error("the file is empty");
  unsigned char length[kLengthBytes] = {};
  if (Status status = source->read(0, length, kLengthBytes); !status) return status;
  const std::uint64_t header_bytes = little_endian(length, kLengthBytes);
  if (header_bytes > static_cast<std::uint64_t>(kLongestHeader))
    return format_error("not a .safetensors file (a header of ", header_bytes, " bytes)");
  const std::int64_t data = kLengthBytes + static_cast<std::int64_t>(header_bytes);
  if (data > source->size())
    return format_error("not a .safetensors file, or cut within its header");
  const Result<std::string> json = source->read_bytes(kLengthBytes, data - kLengthBytes);
  if (!json) return json.error();
  Result<std::vector<SafeTensor>> tensors = parse_safetensors_header(*json);
  if (!tensors) return tensors.error();
  if (Status status = check_places(*tensors, source->size() - data); !status) return status;
  return std::unique_ptr<ArchiveReader>(
      std::make_unique<SafeTensorsReader>(std::move(source), *std::move(tensors), data));
}

Status write_safetensors(const NamedTensors& tensors, AsideFile& file) {
  if (Status status = check_names_differ(tensors); !status) return status;
  std::vector<const std::pair<std::string, Tensor>*> order;
  for (const auto& named : tensors) {
    if (Status status = check_storable(named.first, named.second); !status) return status;
    order.push_back(&named);
  }
  // Tensors of the widest elements come first, so that each begins at a multiple of its element's
  // size.
  std::stable_sort(order.begin(), order.end(), [](const auto* a, const auto* b) {
    return dtype_bits(a->second.dtype()) > dtype_bits(b->second.dtype());
  });
  std::string json = "{";
  std::int64_t at = 0;
  for (const auto* const named : order) {
    const auto& [name, tensor] = *named;
    json += (json.size() == 1 ? "" : ",") + quoted_json(name) + R"(:{"dtype":")" +
            std::string(safetensors_name(tensor.dtype())) + R"(","shape":[)" +
            joined(tensor.shape(), ",") + R"(],"data_offsets":[)" + std::to_string(at) + ",";
    at += tensor.byte_count();
    json += std::to_string(at) + "]}";
  }
  json += '}';
  json.append((kAlignment - json.size() % kAlignment) % kAlignment, ' ');
  std::string start;
  append_little_endian(json.size(), kLengthBytes, start);
  if (Status status = file.write(start + json); !status) return status;
  for (const auto* const named : order)
    if (Status status = file.write(named->second.data(), named->second.byte_count()); !status)
      return status;
  return {};
}

}  // namespace windrow::internal

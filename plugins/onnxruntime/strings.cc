#include "plugins/onnxruntime/strings.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace windrow::plugins {

OrtStatus* read_strings(const OrtApi& ort, const OrtValue* value,
                        std::vector<std::string>& strings) {
  OrtTensorTypeAndShapeInfo* info = nullptr;
  if (OrtStatus* status = ort.GetTensorTypeAndShape(value, &info)) return status;
  const HostOwned<OrtTensorTypeAndShapeInfo> owner(info, ort.ReleaseTensorTypeAndShapeInfo);
  std::size_t count = 0;
  if (OrtStatus* status = ort.GetTensorShapeElementCount(info, &count)) return status;
  strings.clear();
  if (count == 0) return nullptr;
  std::size_t bytes = 0;
  if (OrtStatus* status = ort.GetStringTensorDataLength(value, &bytes)) return status;
  std::string text(bytes, '\0');
  std::vector<std::size_t> starts(count);
  if (OrtStatus* status =
          ort.GetStringTensorContent(value, text.data(), bytes, starts.data(), count))
    return status;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = i + 1 < count ? starts[i + 1] : bytes;
    strings.emplace_back(text, starts[i], end - starts[i]);
  }
  return nullptr;
}

OrtStatus* write_strings(const OrtApi& ort, std::span<const std::string> strings, OrtValue* value) {
  for (std::size_t i = 0; i < strings.size(); ++i) {
    char* buffer = nullptr;
    if (OrtStatus* status =
            ort.GetResizedStringTensorElementBuffer(value, i, strings[i].size(), &buffer))
      return status;
    std::copy(strings[i].begin(), strings[i].end(), buffer);
  }
  return nullptr;
}

namespace {

// The numbers of the types that the oldest headers do not name.
constexpr std::size_t kUint2Number = 24;
constexpr std::size_t kFloat8E8M0Number = 26;

// The host's number of a type: ONNX's, but for these two.
constexpr std::size_t number_of(DType type, std::size_t onnx) {
  if (type == DType::kUint2) return kUint2Number;
  return type == DType::kFloat8E8M0 ? kFloat8E8M0Number : onnx;
}

// The types by the host's numbers.
constexpr auto kTypes = [] {
  std::array<DType, kFloat8E8M0Number + 1> types{};
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, onnx, ...) \
  if (onnx != 0) types[number_of(DType::enumerator, onnx)] = DType::enumerator;
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  return types;
}();

}  // namespace

ONNXTensorElementDataType to_host(DType type) noexcept {
  for (std::size_t number = 0; number < kTypes.size(); ++number) {
    if (kTypes[number] == type && type != DType::kAbsent)
      return static_cast<ONNXTensorElementDataType>(number);
  }
  return ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
}

DType from_host(ONNXTensorElementDataType type) noexcept {
  const auto number = static_cast<std::size_t>(type);
  return number < kTypes.size() ? kTypes[number] : DType::kAbsent;
}

}  // namespace windrow::plugins

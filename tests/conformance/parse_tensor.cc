#include <cstring>
#include <limits>
#include <stdexcept>

#include "tests/conformance/case_record.h"
#include "tests/support/elements.h"
#include "tests/support/ieee.h"

namespace windrow::tests {
namespace {

using nlohmann::json;

bool is_bits(const json& value) {
  return value.is_string() && value.get_ref<const std::string&>().rfind("0x", 0) == 0;
}

double parse_real(const json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string& text = value.get_ref<const std::string&>();
  if (text == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (text == "inf") return std::numeric_limits<double>::infinity();
  if (text == "-inf") return -std::numeric_limits<double>::infinity();
  throw std::runtime_error("a tensor holds \"" + text + "\"");
}

// One component of a number as bits.
std::uint64_t parse_component(DType type, const json& value) {
  if (is_bits(value)) return std::stoull(value.get<std::string>(), nullptr, 16);
  if (has_ieee_component(type)) return encode_component(type, parse_real(value));
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_unsigned()) return value.get<std::uint64_t>();
  if (value.is_number_integer()) return static_cast<std::uint64_t>(value.get<std::int64_t>());
  throw std::runtime_error("a tensor of type " + std::string(dtype_name(type)) + " holds " +
                           value.dump());
}

std::string component_text(DType type, const json& value) {
  const std::uint64_t bits = parse_component(type, value);
  std::string bytes(static_cast<std::size_t>(is_packed(type) ? 1 : component_bytes(type)), '\0');
  std::memcpy(bytes.data(), &bits, bytes.size());
  return bytes;
}

std::string parse_element(DType type, const json& value) {
  if (type == DType::kString) return value.get<std::string>();
  if (dtype_kind(type) != DTypeKind::kComplex) return component_text(type, value);
  return component_text(type, value.at(0)) + component_text(type, value.at(1));
}

bool is_exact(DType type, const json& value) {
  if (type == DType::kString) return true;
  return is_bits(value.is_array() ? value.at(0) : value);
}

}  // namespace

Tensor parse_tensor(const json& json, std::vector<bool>* exact) {
  const auto type = parse_dtype(json.at("dtype").get<std::string>());
  if (!type) throw std::runtime_error("unknown dtype " + json.at("dtype").dump());
  const auto extents = json.at("shape").get<std::vector<std::int64_t>>();
  if (extents.size() > static_cast<std::size_t>(kMaxRank))
    throw std::runtime_error("a tensor's rank is above 32");
  const Shape shape{std::span<const std::int64_t>(extents)};
  const auto& data = json.at("data");
  const auto count = element_count(shape);
  if (!count || *count != static_cast<std::int64_t>(data.size()))
    throw std::runtime_error("shape " + to_string(shape) + " does not hold " +
                             std::to_string(data.size()) + " elements");
  Tensor tensor = Tensor::zeros(*type, shape).value();
  if (*count == 0) return tensor;
  Dims position = Dims::filled(shape.rank(), 0);
  for (const auto& value : data) {
    write_element(tensor.mutable_view(), position, parse_element(*type, value));
    if (exact != nullptr) exact->push_back(is_exact(*type, value));
    next_position(shape, position);
  }
  return tensor;
}

}  // namespace windrow::tests

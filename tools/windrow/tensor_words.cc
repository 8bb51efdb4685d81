#include "tools/windrow/tensor_words.h"

#include <fmt/core.h>

#include <charconv>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "windrow/small_float.h"

namespace windrow::tool {

void refuse(const std::string& input, const std::string& text) {
  fail(ErrorCode::kInvalidArgument, fmt::format("--{}: {}", input, text));
}

namespace {

// The extents of nested lists, as their first elements have them.
Shape nested_shape(const std::string& input, const Json& lists) {
  Shape shape;
  for (const Json* list = &lists; list->is_array(); list = &list->front()) {
    if (!shape.push_back(static_cast<std::int64_t>(list->size())))
      refuse(input, fmt::format("more than {} axes", kMaxRank));
    if (list->empty()) break;
  }
  return shape;
}

// Appends the elements of nested lists, which must have that shape. Recurses once per axis.
void append_elements(const std::string& input, const Json& lists, const Shape& shape, int axis,
                     std::vector<const Json*>& elements) {
  if (axis == shape.rank() && !lists.is_structured()) return elements.push_back(&lists);
  if (axis == shape.rank() || !lists.is_array() ||
      static_cast<std::int64_t>(lists.size()) != shape[axis])
    refuse(input, "its lists must have equal lengths and hold single values");
  for (const Json& part : lists) append_elements(input, part, shape, axis + 1, elements);
}

// Puts the low bits of an element of fewer than 8 into a tensor of zeros.
void put_packed(Tensor& tensor, std::int64_t position, std::uint16_t bits) {
  auto* const bytes = static_cast<std::uint8_t*>(tensor.data());
  const int width = dtype_bits(tensor.dtype());
  const std::int64_t per_byte = 8 / width;
  const std::int64_t place = position % per_byte;
  const std::int64_t shift = width == 1 ? 7 - place : place * width;
  std::uint8_t& byte = bytes[position / per_byte];
  byte = static_cast<std::uint8_t>(byte | (bits & ((1 << width) - 1)) << shift);
}

// Writes the elements of one tensor, one after the other.
class Writer {
 public:
  Writer(const std::string& input, DType type, const Shape& shape)
      : input_(input), tensor_(Tensor::zeros(type, shape).value()) {
    const auto small = small_float_of(type);
    if (!small) return;
    for (int bits = 0; bits < 1 << dtype_bits(type); ++bits) {
      const float value = decode(*small, static_cast<std::uint16_t>(bits));
      if (std::isfinite(value)) patterns_.emplace(value, static_cast<std::uint16_t>(bits));
      if (value == 0 && std::signbit(value)) negative_zero_ = static_cast<std::uint16_t>(bits);
    }
  }

  void add(const Json& element) {
    const DType type = tensor_.dtype();
    if (type == DType::kString) return add_text(element);
    if (type == DType::kBool && element.is_boolean()) return put<bool>(element.get<bool>());
    if (!element.is_number())
      refuse(input_, fmt::format("{} is not of type {}", element.dump(), dtype_name(type)));
    if (type == DType::kFloat32) return put(static_cast<float>(element.get<double>()));
    if (type == DType::kFloat64) return put(element.get<double>());
    if (type == DType::kComplex64 || type == DType::kComplex128) return add_real(element);
    if (!patterns_.empty()) return put_bits(signed_nearest(element.get<double>()));
    add_integer(element);
  }

  Tensor finished() && { return std::move(tensor_); }

 private:
  template <class T>
  void put(T value) {
    static_cast<T*>(tensor_.data())[next_++] = value;
  }

  void put_bits(std::uint16_t bits) {
    if (dtype_bits(tensor_.dtype()) == 16) return put(bits);
    if (dtype_bits(tensor_.dtype()) == 8) return put(static_cast<std::uint8_t>(bits));
    put_packed(tensor_, next_++, bits);
  }

  void add_text(const Json& element) {
    if (!element.is_string()) refuse(input_, element.dump() + " is not a string");
    put(element.get<std::string>());
  }

  // A complex number without an imaginary part.
  void add_real(const Json& element) {
    const auto value = element.get<double>();
    if (tensor_.dtype() == DType::kComplex64)
      put(std::complex<float>(static_cast<float>(value)));
    else
      put(std::complex<double>(value));
  }

  std::uint16_t nearest(double value) const {
    auto above = patterns_.lower_bound(static_cast<float>(value));
    if (above == patterns_.end()) return std::prev(above)->second;
    if (above == patterns_.begin()) return above->second;
    const auto below = std::prev(above);
    return value - below->first < above->first - value ? below->second : above->second;
  }

  std::uint16_t signed_nearest(double value) const {
    const std::uint16_t bits = nearest(value);
    return bits == 0 && negative_zero_ && std::signbit(value) ? *negative_zero_ : bits;
  }

  template <class T>
  void add_as(const Json& element, std::int64_t low = std::numeric_limits<T>::min(),
              std::uint64_t high = std::numeric_limits<T>::max()) {
    const bool unsigned_number = element.is_number_unsigned();
    const bool fits =
        unsigned_number
            ? element.get<std::uint64_t>() <= high
            : element.is_number_integer() && element.get<std::int64_t>() >= low &&
                  (element.get<std::int64_t>() < 0 || element.get<std::uint64_t>() <= high);
    if (!fits)
      refuse(input_, fmt::format("{} is not of type {}, whole numbers from {} to {}",
                                 element.dump(), dtype_name(tensor_.dtype()), low, high));
    const auto value =
        static_cast<T>(unsigned_number ? element.get<std::uint64_t>()
                                       : static_cast<std::uint64_t>(element.get<std::int64_t>()));
    if (is_packed(tensor_.dtype()))
      put_packed(tensor_, next_++, static_cast<std::uint16_t>(value));
    else
      put(value);
  }

  void add_integer(const Json& element) {
    switch (tensor_.dtype()) {
      case DType::kInt4:
        return add_as<std::int8_t>(element, -8, 7);
      case DType::kInt8:
        return add_as<std::int8_t>(element);
      case DType::kInt16:
        return add_as<std::int16_t>(element);
      case DType::kInt32:
        return add_as<std::int32_t>(element);
      case DType::kInt64:
        return add_as<std::int64_t>(element);
      case DType::kUint8:
        return add_as<std::uint8_t>(element);
      case DType::kUint16:
        return add_as<std::uint16_t>(element);
      case DType::kUint32:
        return add_as<std::uint32_t>(element);
      case DType::kUint64:
        return add_as<std::uint64_t>(element);
      case DType::kUint1:
      case DType::kBool:
        return add_as<std::uint8_t>(element, 0, 1);
      case DType::kUint2:
        return add_as<std::uint8_t>(element, 0, 3);
      default:  // kUint4, and kNF4, whose codes these are
        return add_as<std::uint8_t>(element, 0, 15);
    }
  }

  const std::string& input_;
  Tensor tensor_;
  std::int64_t next_ = 0;
  std::map<float, std::uint16_t> patterns_;     // of a small float type, by their values
  std::optional<std::uint16_t> negative_zero_;  // of a small float type that has it; +0 has no bits
};

// The first number that a type does not hold exactly, or that is not worth counting to.
std::int64_t counting_limit(DType type) {
  if (const auto small = small_float_of(type))
    return type == DType::kFloat4E2M1 ? 5 : std::int64_t{2} << small->mantissa_bits;
  if (type == DType::kBool) return 2;
  if (dtype_bits(type) < 4) return std::int64_t{1} << dtype_bits(type);
  if (dtype_bits(type) == 4) return 8;
  if (dtype_bits(type) == 8) return 128;
  return std::int64_t{1} << 15;
}

}  // namespace

std::optional<Shape> parse_shape(const std::string& word) {
  if (word.find('x') == std::string::npos) return std::nullopt;
  return parse_extents(word);
}

std::optional<Shape> parse_extents(const std::string& word) {
  Shape shape;
  const char* at = word.data();
  const char* const end = at + word.size();
  while (at != end) {
    std::int64_t extent = 0;
    const auto parsed = std::from_chars(at, end, extent);
    if (parsed.ec != std::errc() || extent < 0 || !shape.push_back(extent)) return std::nullopt;
    at = parsed.ptr;
    if (at == end) break;
    if (*at++ != 'x') return std::nullopt;
  }
  return shape;
}

Tensor counting_tensor(DType type, const Shape& shape) {
  const std::int64_t limit = counting_limit(type);
  const bool wide = dtype_bits(type) > 16 && type != DType::kString;
  Writer writer("", type, shape);
  for (std::int64_t i = 0; i < element_count(shape).value_or(0); ++i)
    writer.add(type == DType::kString ? Json(std::to_string(i)) : Json(wide ? i : i % limit));
  return std::move(writer).finished();
}

Tensor tensor_of_lists(const std::string& input, DType type, const Json& lists) {
  const Shape shape = nested_shape(input, lists);
  std::vector<const Json*> elements;
  append_elements(input, lists, shape, 0, elements);
  Writer writer(input, type, shape);
  for (const Json* element : elements) writer.add(*element);
  return std::move(writer).finished();
}

}  // namespace windrow::tool

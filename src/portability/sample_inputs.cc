#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/float_types.h"
#include "src/base/packed.h"
#include "src/models/host_ops/convert.h"
#include "src/ranges/integers.h"
#include "windrow/fix.h"

namespace windrow {
namespace internal {
namespace {

constexpr std::int64_t kLargestExtent = 4;
constexpr std::int64_t kMostElements = std::int64_t{1} << 26;

// The shapes of a sample, by input.
using Shapes = std::map<std::string, Shape, std::less<>>;

class Sampler {
 public:
  Sampler(const Model& model, std::span<const InputContract> contracts,
          const SampleOptions& options)
      : model_(model), contracts_(contracts), options_(options), random_(options.seed) {}

  Result<NamedTensors> draw() {
    for (const ValueInfo& input : model_.inputs) shapes_.emplace(input.name, draw_shape(input));
    NamedTensors inputs;
    for (const ValueInfo& input : model_.inputs) {
      const Shape& shape = shapes_.at(input.name);
      if (element_count(shape).value_or(kMostElements + 1) > kMostElements)
        return Status(ErrorCode::kUnsupported,
                      "input '" + input.name + "' is too large to be drawn: give inputs");
      const DType type = input.dtype == DType::kAbsent ? DType::kFloat32 : input.dtype;
      Result<Tensor> tensor = draw_tensor(input.name, type, shape);
      if (!tensor) return tensor.error();
      inputs.emplace_back(input.name, *std::move(tensor));
    }
    return inputs;
  }

 private:
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, std::max(low, high))(random_);
  }

  std::int64_t draw_extent(const Dim& dim) {
    if (dim.is_known()) return dim.value;
    const auto among = [&] {
      const std::int64_t low = std::max<std::int64_t>(dim.low, 1);
      return std::min(draw(low, std::max(low, kLargestExtent)), dim.high);
    };
    if (dim.symbol.empty()) return among();
    const auto known = symbols_.find(dim.symbol);
    return known != symbols_.end() ? known->second
                                   : symbols_.emplace(dim.symbol, among()).first->second;
  }

  Shape draw_shape(const ValueInfo& input) {
    if (!input.dims) return {draw(1, kLargestExtent)};
    Shape shape;
    for (const Dim& dim : *input.dims) shape.push_back(draw_extent(dim));
    return shape;
  }

  // An end of a contract: "7", "table.shape[0] - 1", "-table.shape[0]".
  std::optional<std::int64_t> end_of(std::string_view text) const {
    constexpr std::string_view kShape = ".shape[";
    const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
      std::int64_t value = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
      return value;
    };
    const std::size_t shape = text.rfind(kShape);
    if (shape == std::string_view::npos) return number(text);
    const std::size_t close = text.find(']', shape);
    const bool is_minus = text.starts_with('-');
    const auto input = shapes_.find(text.substr(is_minus ? 1 : 0, shape - (is_minus ? 1 : 0)));
    if (close == std::string_view::npos || input == shapes_.end()) return std::nullopt;
    const auto axis = number(text.substr(shape + kShape.size(), close - shape - kShape.size()));
    if (!axis || *axis < 0 || *axis >= input->second.rank()) return std::nullopt;
    std::string rest(text.substr(close + 1));
    std::erase(rest, ' ');
    std::erase(rest, '+');
    const std::int64_t extent = input->second[static_cast<int>(*axis)];
    return (is_minus ? -extent : extent) + (rest.empty() ? 0 : number(rest).value_or(0));
  }

  // The interval from which the integers of an input are drawn.
  std::pair<std::int64_t, std::int64_t> range_of(const std::string& name) {
    for (const InputContract& contract : contracts_) {
      if (contract.input != name) continue;
      const auto low = end_of(contract.low);
      const auto high = end_of(contract.high);
      const std::int64_t first = low.value_or(high ? std::min<std::int64_t>(0, *high) : 0);
      const std::int64_t last = high.value_or(std::max<std::int64_t>(first, 1));
      // A node may refuse much that a contract allows, so half of the samples stay near 0.
      if (options_.seed % 2 == 0) return {first, last};
      const std::int64_t near = std::max<std::int64_t>(first, std::min<std::int64_t>(last, 0));
      return {near, std::min(last, near + (near < last ? 1 : 0))};
    }
    return {0, 1};
  }

  Result<Tensor> draw_tensor(const std::string& name, DType type, const Shape& shape) {
    auto [low, high] = range_of(name);
    if (options_.breaks_contracts) {
      low = low > std::numeric_limits<std::int64_t>::min() / 4 ? 2 * low - 2 : low;
      high = high < std::numeric_limits<std::int64_t>::max() / 4 ? 2 * high + 2 : high;
    }
    const bool is_number = is_integer(type) && !is_packed(type);
    Result<Tensor> tensor = Tensor::zeros(is_number ? DType::kInt64 : type, shape);
    if (!tensor) return tensor.error();
    const Interval all = type_interval(type);
    for (std::int64_t i = 0; i < tensor->element_count(); ++i) {
      const std::int64_t integer = draw(low, high);
      if (is_number) {
        put(*tensor, i, std::clamp(integer, all.low, all.high));
      } else {
        set(*tensor, i);
      }
    }
    return is_number ? convert(*tensor, type) : std::move(tensor);
  }

  template <class T>
  static void put(Tensor& tensor, std::int64_t at, T value) {
    static_cast<T*>(tensor.data())[at] = value;
  }

  // Floats with few digits, including zeros of both signs.
  float draw_float() {
    const float value = static_cast<float>(draw(0, 64)) / 8.0F;
    return draw(0, 1) == 0 ? value : -value;
  }

  void set(Tensor& tensor, std::int64_t at) {
    switch (tensor.dtype()) {
      case DType::kBool:
        return put<std::uint8_t>(tensor, at, static_cast<std::uint8_t>(draw(0, 1)));
      case DType::kFloat16:
        return put(tensor, at, float_to_float16(draw_float()));
      case DType::kBFloat16:
        return put(tensor, at, float_to_bfloat16(draw_float()));
      case DType::kFloat32:
        return put(tensor, at, draw_float());
      case DType::kFloat64:
        return put(tensor, at, static_cast<double>(draw_float()));
      case DType::kComplex64:
        put(tensor, 2 * at, draw_float());
        return put(tensor, 2 * at + 1, draw_float());
      case DType::kComplex128:
        put(tensor, 2 * at, static_cast<double>(draw_float()));
        return put(tensor, 2 * at + 1, static_cast<double>(draw_float()));
      case DType::kString:
        return put(tensor, at, std::string(1, static_cast<char>('a' + draw(0, 3))));
      default:
        set_bits(tensor, at);
    }
  }

  // Sets an element of a packed type, or an 8-bit float that is not NaN.
  void set_bits(Tensor& tensor, std::int64_t at) {
    if (is_packed(tensor.dtype()))
      return set_packed(tensor.dtype(), tensor.data(), at, static_cast<std::uint8_t>(draw(0, 15)));
    put(tensor, at, static_cast<std::uint8_t>(draw(0, 0x77)));
  }

  const Model& model_;
  std::span<const InputContract> contracts_;
  const SampleOptions options_;
  std::mt19937_64 random_;
  Shapes shapes_;
  std::map<std::string, std::int64_t, std::less<>> symbols_;
};

}  // namespace
}  // namespace internal

Result<NamedTensors> sample_inputs(const Model& model, std::span<const InputContract> contracts,
                                   const SampleOptions& options) {
  return internal::Sampler(model, contracts, options).draw();
}

}  // namespace windrow

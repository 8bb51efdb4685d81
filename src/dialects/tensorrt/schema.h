#ifndef WINDROW_DIALECTS_TENSORRT_SCHEMA_H_
#define WINDROW_DIALECTS_TENSORRT_SCHEMA_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "src/dialects/operator.h"
#include "src/dialects/rules.h"
#include "src/dialects/schema.h"
#include "windrow/options.h"
#include "windrow/tensorrt_attributes.h"

namespace windrow::internal {

struct TensorrtDialect {
  static constexpr std::string_view kDialect = "tensorrt";
  static constexpr std::string_view kOutput = "output";
};

template <>
struct Schema<tensorrt::Gather> : TensorrtDialect {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kSummary =
      "DEFAULT: slices along one axis; ELEMENT: elements by position; ND: slices at index tuples.";
  static constexpr std::string_view kShapes =
      "DEFAULT: data[:axis] ++ indices[num_elementwise_dims:] ++ data[axis+1:]; ELEMENT: indices; "
      "ND: indices[:-1] ++ data[num_elementwise_dims+K:]";
  static constexpr bool kScatter = false;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kZero; }
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {
      AttributeSchema{"mode", &tensorrt::Gather::mode},
      AttributeSchema{"axis", &tensorrt::Gather::axis},
      AttributeSchema{"num_elementwise_dims", &tensorrt::Gather::num_elementwise_dims}};
};

template <>
struct Schema<tensorrt::Scatter> : TensorrtDialect {
  static constexpr std::string_view kName = "Scatter";
  static constexpr std::string_view kSummary =
      "ELEMENT: updates at their positions with the index on one axis; ND: updates at index "
      "tuples.";
  static constexpr std::string_view kShapes =
      "data (ELEMENT: indices and updates of one shape; ND: indices [.., K], updates indices[:-1] "
      "++ data[K:])";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool strict) {
    return strict ? OutOfRange::kError : OutOfRange::kSkip;
  }
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static constexpr std::array kAttributes = {AttributeSchema{"mode", &tensorrt::Scatter::mode},
                                             AttributeSchema{"axis", &tensorrt::Scatter::axis}};
};

template <>
struct Schema<tensorrt::OneHot> : TensorrtDialect {
  static constexpr std::string_view kName = "OneHot";
  static constexpr std::string_view kSummary =
      "One value at the index and another one elsewhere, along a new axis.";
  static constexpr std::string_view kShapes =
      "indices with depth inserted at axis (depth a scalar; values [off, on])";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool strict) {
    return strict ? OutOfRange::kError : OutOfRange::kSkip;
  }
  static constexpr std::array kInputs = {InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"values"},
                                         InputSchema{"depth", InputGroup::kDepth}};
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &tensorrt::OneHot::axis}};
};

template <>
struct Schema<tensorrt::KVCacheUpdate> : TensorrtDialect {
  static constexpr std::string_view kName = "KVCacheUpdate";
  static constexpr std::string_view kSummary =
      "A key-value cache with an update written per sequence from a position on.";
  static constexpr std::string_view kShapes =
      "cache [b, heads, s, d] (update: [b, heads, new, d]; write_indices [b])";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {InputSchema{"cache"}, InputSchema{"update"},
                                         InputSchema{"write_indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema{"mode", &tensorrt::KVCacheUpdate::mode}};
};

// A3: the mode is one of `modes`.
Status check_mode(const Rules& rules, const std::string& mode,
                  std::initializer_list<std::string_view> modes);

// A1: the axis is in [0, r), r being the rank of data.
Status check_layer_axis(const Rules& rules, std::int64_t axis, const KnownInput& data);

// The limits of a TensorRT release, which `strict` enforces.

enum class Layer : std::uint8_t { kGather, kScatter, kOneHot, kKVCacheUpdate };

// S2: data and indices have types of the release.
Status check_release_types(const Rules& rules, Layer layer, int release, DType data, DType indices,
                           const CallOptions& options);

// S1: no tensor, the result included, has a rank above 8.
Status check_release_rank(const Rules& rules, const KnownInputs& inputs,
                          const SymbolicShape& result, const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_SCHEMA_H_

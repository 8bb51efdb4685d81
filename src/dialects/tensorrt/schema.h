#ifndef WINDROW_DIALECTS_TENSORRT_SCHEMA_H_
#define WINDROW_DIALECTS_TENSORRT_SCHEMA_H_

#include <array>
#include <string_view>

#include "src/dialects/schema.h"
#include "windrow/tensorrt_attributes.h"

namespace windrow::internal {

template <>
struct Schema<tensorrt::Gather> {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kZero; }
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<tensorrt::Gather>{"mode", &tensorrt::Gather::mode},
      AttributeSchema<tensorrt::Gather>{"axis", &tensorrt::Gather::axis},
      AttributeSchema<tensorrt::Gather>{"num_elementwise_dims",
                                        &tensorrt::Gather::num_elementwise_dims}};
};

template <>
struct Schema<tensorrt::Scatter> {
  static constexpr std::string_view kName = "Scatter";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool strict) {
    return strict ? OutOfRange::kError : OutOfRange::kSkip;
  }
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};
  static constexpr std::array kAttributes = {
      AttributeSchema<tensorrt::Scatter>{"mode", &tensorrt::Scatter::mode},
      AttributeSchema<tensorrt::Scatter>{"axis", &tensorrt::Scatter::axis}};
};

template <>
struct Schema<tensorrt::OneHot> {
  static constexpr std::string_view kName = "OneHot";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool strict) {
    return strict ? OutOfRange::kError : OutOfRange::kSkip;
  }
  static constexpr std::array kInputs = {InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"values"},
                                         InputSchema{"depth", InputGroup::kDepth}};
  static constexpr std::array kAttributes = {
      AttributeSchema<tensorrt::OneHot>{"axis", &tensorrt::OneHot::axis}};
};

template <>
struct Schema<tensorrt::KVCacheUpdate> {
  static constexpr std::string_view kName = "KVCacheUpdate";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {InputSchema{"cache"}, InputSchema{"update"},
                                         InputSchema{"write_indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<tensorrt::KVCacheUpdate>{"mode", &tensorrt::KVCacheUpdate::mode}};
};

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_SCHEMA_H_

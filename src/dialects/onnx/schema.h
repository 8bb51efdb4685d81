#ifndef WINDROW_DIALECTS_ONNX_SCHEMA_H_
#define WINDROW_DIALECTS_ONNX_SCHEMA_H_

#include <array>
#include <string_view>

#include "src/dialects/schema.h"
#include "windrow/onnx_attributes.h"

namespace windrow::internal {

template <>
struct Schema<onnx::Gather> {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::Gather>{"axis", &onnx::Gather::axis}};
};

template <>
struct Schema<onnx::GatherElements> {
  static constexpr std::string_view kName = "GatherElements";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::GatherElements>{"axis", &onnx::GatherElements::axis}};
};

template <>
struct Schema<onnx::GatherND> {
  static constexpr std::string_view kName = "GatherND";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::GatherND>{"batch_dims", &onnx::GatherND::batch_dims, 12}};
};

template <>
struct Schema<onnx::Scatter> {
  static constexpr std::string_view kName = "Scatter";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::Scatter>{"axis", &onnx::Scatter::axis}};
};

template <>
struct Schema<onnx::ScatterElements> {
  static constexpr std::string_view kName = "ScatterElements";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::ScatterElements>{"axis", &onnx::ScatterElements::axis},
      AttributeSchema<onnx::ScatterElements>{"reduction", &onnx::ScatterElements::reduction, 16}};
};

template <>
struct Schema<onnx::ScatterND> {
  static constexpr std::string_view kName = "ScatterND";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::ScatterND>{"reduction", &onnx::ScatterND::reduction, 16}};
};

template <>
struct Schema<onnx::TensorScatter> {
  static constexpr std::string_view kName = "TensorScatter";
  static constexpr std::string_view kOutput = "present_cache";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {InputSchema{"past_cache"}, InputSchema{"update"},
                                         InputSchema{"write_indices", InputGroup::kIndex, true}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::TensorScatter>{"axis", &onnx::TensorScatter::axis},
      AttributeSchema<onnx::TensorScatter>{"mode", &onnx::TensorScatter::mode}};
};

template <>
struct Schema<onnx::OneHot> {
  static constexpr std::string_view kName = "OneHot";
  static constexpr std::string_view kOutput = "output";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"depth", InputGroup::kDepth},
                                         InputSchema{"values"}};
  static constexpr std::array kAttributes = {
      AttributeSchema<onnx::OneHot>{"axis", &onnx::OneHot::axis}};
};

template <>
struct Schema<onnx::ArrayFeatureExtractor> {
  static constexpr std::string_view kName = "ArrayFeatureExtractor";
  static constexpr std::string_view kOutput = "Z";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"X"}, InputSchema{"Y", InputGroup::kIndex}};
  static constexpr std::array<AttributeSchema<onnx::ArrayFeatureExtractor>, 0> kAttributes = {};
};

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_SCHEMA_H_

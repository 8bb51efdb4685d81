#ifndef WINDROW_DIALECTS_ONNX_SCHEMA_H_
#define WINDROW_DIALECTS_ONNX_SCHEMA_H_

#include <array>
#include <span>
#include <string_view>

#include "src/dialects/operator.h"
#include "src/dialects/scatter.h"
#include "src/dialects/schema.h"
#include "windrow/onnx_attributes.h"

namespace windrow::internal {

struct OnnxDialect {
  static constexpr std::string_view kDialect = "onnx";
  static constexpr std::string_view kOutput = "output";
};

inline constexpr std::array<NamedCombine, 5> kOnnxReductions = {{
    {"none", Combine::kAssign},
    {"add", Combine::kAdd},
    {"mul", Combine::kMul},
    {"max", Combine::kMax},  // this and the next since 18
    {"min", Combine::kMin},
}};

inline std::span<const NamedCombine> onnx_reductions(int version) {
  return std::span(kOnnxReductions).first(version < 18 ? 3 : kOnnxReductions.size());
}

template <>
struct Schema<onnx::Gather> : OnnxDialect {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kSummary =
      "Slices of data along one axis, at indices of any rank.";
  static constexpr std::string_view kShapes = "data[:axis] ++ indices ++ data[axis+1:]";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &onnx::Gather::axis}};
};

template <>
struct Schema<onnx::GatherElements> : OnnxDialect {
  static constexpr std::string_view kName = "GatherElements";
  static constexpr std::string_view kSummary =
      "For every index, the element of data at its position with the index on one axis.";
  static constexpr std::string_view kShapes = "indices (data of the same rank)";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &onnx::GatherElements::axis}};
};

template <>
struct Schema<onnx::GatherND> : OnnxDialect {
  static constexpr std::string_view kName = "GatherND";
  static constexpr std::string_view kSummary =
      "Slices of data at index tuples, the last axis of indices, behind batch dims.";
  static constexpr std::string_view kShapes =
      "indices [.., K]: indices[:-1] ++ data[batch_dims+K:]";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {
      AttributeSchema{"batch_dims", &onnx::GatherND::batch_dims, 12}};
};

template <>
struct Schema<onnx::Scatter> : OnnxDialect {
  static constexpr std::string_view kName = "Scatter";
  static constexpr std::string_view kSummary =
      "Data with updates written at their positions with the index on one axis.";
  static constexpr std::string_view kShapes =
      "data (indices and updates of one shape and the same rank)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &onnx::Scatter::axis}};
};

template <>
struct Schema<onnx::ScatterElements> : OnnxDialect {
  static constexpr std::string_view kName = "ScatterElements";
  static constexpr std::string_view kSummary =
      "Data with updates written, or reduced into, at their positions with the index on one axis.";
  static constexpr std::string_view kShapes =
      "data (indices and updates of one shape and the same rank)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static std::span<const NamedCombine> reductions(int version) { return onnx_reductions(version); }
  static constexpr std::array kAttributes = {
      AttributeSchema{"axis", &onnx::ScatterElements::axis},
      AttributeSchema{"reduction", &onnx::ScatterElements::reduction, 16}};
};

template <>
struct Schema<onnx::ScatterND> : OnnxDialect {
  static constexpr std::string_view kName = "ScatterND";
  static constexpr std::string_view kSummary =
      "Data with updates written, or reduced into, at index tuples, the last axis of indices.";
  static constexpr std::string_view kShapes =
      "data (indices [.., K]; updates: indices[:-1] ++ data[K:])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static std::span<const NamedCombine> reductions(int version) { return onnx_reductions(version); }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &onnx::ScatterND::reduction, 16}};
};

template <>
struct Schema<onnx::TensorScatter> : OnnxDialect {
  static constexpr std::string_view kName = "TensorScatter";
  static constexpr std::string_view kOutput = "present_cache";
  static constexpr std::string_view kSummary =
      "A cache with an update written per batch element from a position on.";
  static constexpr std::string_view kShapes =
      "past_cache (update: the same but for axis; write_indices [batch])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {InputSchema{"past_cache"}, InputSchema{"update"},
                                         InputSchema{"write_indices", InputGroup::kIndex, true}};
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &onnx::TensorScatter::axis},
                                             AttributeSchema{"mode", &onnx::TensorScatter::mode}};
};

template <>
struct Schema<onnx::OneHot> : OnnxDialect {
  static constexpr std::string_view kName = "OneHot";
  static constexpr std::string_view kSummary =
      "One value at the index and another one elsewhere, along a new axis.";
  static constexpr std::string_view kShapes =
      "indices with depth inserted at axis (depth of one element; values [off, on])";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"depth", InputGroup::kDepth},
                                         InputSchema{"values"}};
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &onnx::OneHot::axis}};
};

template <>
struct Schema<onnx::GatherBlockQuantized> : OnnxDialect {
  static constexpr std::string_view kName = "GatherBlockQuantized";
  static constexpr std::string_view kSummary =
      "Slices of a table quantised in blocks, as numbers, at indices of any rank.";
  static constexpr std::string_view kShapes =
      "data[:gather_axis] ++ indices ++ data[gather_axis+1:], each value of data counted";
  static constexpr bool kScatter = false;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kZero; }
  static constexpr std::array kInputs = kQuantisedInputs;
  static constexpr std::array kCodeTypes = {
      DType::kInt4,           DType::kUint4,      DType::kUint8,          DType::kFloat8E4M3FN,
      DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2, DType::kFloat8E5M2FNUZ, DType::kFloat4E2M1};
  static constexpr std::array kAttributes = {
      AttributeSchema{"bits", &onnx::GatherBlockQuantized::bits},
      AttributeSchema{"block_size", &onnx::GatherBlockQuantized::block_size},
      AttributeSchema{"gather_axis", &onnx::GatherBlockQuantized::gather_axis},
      AttributeSchema{"quantize_axis", &onnx::GatherBlockQuantized::quantize_axis}};
};

template <>
struct Schema<onnx::ArrayFeatureExtractor> : OnnxDialect {
  static constexpr std::string_view kName = "ArrayFeatureExtractor";
  static constexpr std::string_view kOutput = "Z";
  static constexpr std::string_view kSummary = "Columns of X, the last axis, at the indices Y.";
  static constexpr std::string_view kShapes = "X[:-1] ++ [number of elements of Y]";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"X"}, InputSchema{"Y", InputGroup::kIndex}};
  static constexpr std::array<AttributeSchema<onnx::ArrayFeatureExtractor>, 0> kAttributes = {};
};

inline bool onnx_has_meaning(Combine combine, DType dtype) {
  const DTypeKind kind = dtype_kind(dtype);
  const bool ordered = combine == Combine::kMax || combine == Combine::kMin;
  return !(kind == DTypeKind::kComplex && ordered) &&
         !(kind == DTypeKind::kText && combine == Combine::kMul);
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_SCHEMA_H_

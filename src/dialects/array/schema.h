#ifndef WINDROW_DIALECTS_ARRAY_SCHEMA_H_
#define WINDROW_DIALECTS_ARRAY_SCHEMA_H_

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/access/access_map.h"
#include "src/dialects/maps.h"
#include "src/dialects/operator.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"
#include "src/dialects/schema.h"
#include "windrow/array_attributes.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

namespace windrow::internal {

struct ArrayDialect {
  static constexpr std::string_view kDialect = "array";
  static constexpr std::string_view kOutput = "output";
};

inline constexpr std::array<NamedCombine, 5> kArrayReductions = {{
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};

template <>
struct Schema<array::Take> : ArrayDialect {
  static constexpr std::string_view kName = "Take";
  static constexpr std::string_view kSummary =
      "Elements of data along one axis, at indices of any rank: numpy.take.";
  static constexpr std::string_view kShapes = "data[:axis] ++ indices ++ data[axis+1:]";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &array::Take::axis}};
};

template <>
struct Schema<array::TakeAlongAxis> : ArrayDialect {
  static constexpr std::string_view kName = "TakeAlongAxis";
  static constexpr std::string_view kSummary =
      "For every index, the element of data at its position with the index on one axis: "
      "numpy.take_along_axis.";
  static constexpr std::string_view kShapes =
      "data and indices of one rank, broadcast off the axis; on it the extent of indices";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &array::TakeAlongAxis::axis}};
};

template <>
struct Schema<array::PutAlongAxis> : ArrayDialect {
  static constexpr std::string_view kName = "PutAlongAxis";
  static constexpr std::string_view kSummary =
      "Data with values written at their positions with the index on one axis: "
      "numpy.put_along_axis.";
  static constexpr std::string_view kShapes = "data (values broadcast to what indices address)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"values"}};
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &array::PutAlongAxis::axis}};
};

template <>
struct Schema<array::IndexAdd> : ArrayDialect {
  static constexpr std::string_view kName = "IndexAdd";
  static constexpr std::string_view kSummary =
      "Data with updates added to slices along one axis, once per index.";
  static constexpr std::string_view kShapes = "data (indices [n]; updates: data with n at axis)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static constexpr std::array kAttributes = {AttributeSchema{"axis", &array::IndexAdd::axis}};
};

template <>
struct Schema<array::IndexReduce> : ArrayDialect {
  static constexpr std::string_view kName = "IndexReduce";
  static constexpr std::string_view kSummary =
      "Data with updates reduced into slices along one axis, once per index.";
  static constexpr std::string_view kShapes = "data (indices [n]; updates: data with n at axis)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static std::span<const NamedCombine> reductions(int /*version*/) { return kArrayReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"axis", &array::IndexReduce::axis},
      AttributeSchema{"reduction", &array::IndexReduce::reduction},
      AttributeSchema{"use_init_val", &array::IndexReduce::use_init_val}};
};

template <>
struct Schema<array::SegmentReduce> : ArrayDialect {
  static constexpr std::string_view kName = "SegmentReduce";
  static constexpr std::string_view kSummary =
      "Rows with one segment id, which ascend, or between two offsets, reduced to one row.";
  static constexpr std::string_view kShapes =
      "[num_segments] ++ data[1:] (data [n, ..]; segment_ids [n], or offsets [num_segments] or "
      "[num_segments + 1])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"segment_ids", InputGroup::kIndex, true},
      InputSchema{
          .name = "offsets", .group = InputGroup::kIndex, .optional = true, .instead_of = 1}};
  static std::span<const NamedCombine> reductions(int /*version*/) { return kArrayReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"num_segments", &array::SegmentReduce::num_segments, 1, true},
      AttributeSchema{"reduction", &array::SegmentReduce::reduction}};
};

inline constexpr std::array<NamedCombine, 3> kArrayBagReductions = {
    {{"sum", Combine::kAdd}, {"mean", Combine::kMean}, {"max", Combine::kMax}}};

// What updates are to a scatter the samples are to a bag: one that is outside is left out.
template <>
struct Schema<array::EmbeddingBag> : ArrayDialect {
  static constexpr std::string_view kName = "EmbeddingBag";
  static constexpr std::string_view kSummary =
      "Rows of a table, summed, averaged or reduced to their maximum, bag by bag.";
  static constexpr std::string_view kShapes =
      "[bags] ++ table[1:] (ids [n] and offsets [bags], or ids [bags, n]; weights: ids)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {InputSchema{"table"},
                                         InputSchema{"ids", InputGroup::kIndex},
                                         InputSchema{"offsets", InputGroup::kIndex, true},
                                         InputSchema{"weights", InputGroup::kData, true, true}};
  static std::span<const NamedCombine> reductions(int /*version*/) { return kArrayBagReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &array::EmbeddingBag::reduction},
      AttributeSchema{"include_last_offset", &array::EmbeddingBag::include_last_offset},
      AttributeSchema{"accumulate", &array::EmbeddingBag::accumulate}};
};

template <>
struct Schema<array::TakeQuantized> : ArrayDialect {
  static constexpr std::string_view kName = "TakeQuantized";
  static constexpr std::string_view kSummary =
      "Slices of a table quantised in blocks along one axis, as numbers, at indices of any rank.";
  static constexpr std::string_view kShapes =
      "data[:axis] ++ indices ++ data[axis+1:], each value of data counted";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kQuantisedInputs;
  static constexpr std::array kCodeTypes = {
      DType::kInt4,       DType::kUint4,          DType::kInt8,
      DType::kUint8,      DType::kFloat8E4M3FN,   DType::kFloat8E4M3FNUZ,
      DType::kFloat8E5M2, DType::kFloat8E5M2FNUZ, DType::kFloat4E2M1};
  static constexpr std::array kAttributes = {
      AttributeSchema{"axis", &array::TakeQuantized::axis},
      AttributeSchema{"quantize_axis", &array::TakeQuantized::quantize_axis},
      AttributeSchema{"block_size", &array::TakeQuantized::block_size},
      AttributeSchema{"bits", &array::TakeQuantized::bits},
      AttributeSchema{"dtype", &array::TakeQuantized::dtype}};
};

// Under clamp a negative index is below the first element, as in NumPy's mode "clip"; under the
// other policies it counts from the end. A call may say otherwise.
inline IndexUse array_indices(OutOfRange policy, const CallOptions& options) {
  const bool clamps = policy == OutOfRange::kClamp;
  return {policy, negatives_of(options, clamps ? Negatives::kOutside : Negatives::kCountFromEnd)};
}

inline bool array_has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAdd || combine == Combine::kMul) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype_kind(dtype) != DTypeKind::kComplex;
}

// TakeAlongAxis and PutAlongAxis: C1: data and indices have one rank, at least 1; A1; C2: off the
// axis their extents broadcast. Returns the shape of what is addressed.
Result<SymbolicShape> check_along_axis(const Rules& rules, std::int64_t axis,
                                       const KnownInput& data, const KnownInput& indices);

// IndexAdd and IndexReduce from C1 on: C1: data of rank 1 or more; A1; C2: indices of rank 1; C3:
// the shape of updates.
Result<SymbolicShape> check_index_rows(const Rules& rules, std::int64_t axis,
                                       const KnownInputs& inputs);

Operation build_index_rows(const Rules& rules, std::int64_t axis,
                           std::span<const TensorSpec> inputs, const ScatterUse& use,
                           const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_SCHEMA_H_

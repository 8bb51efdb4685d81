#ifndef WINDROW_DIALECTS_OPENVINO_SCHEMA_H_
#define WINDROW_DIALECTS_OPENVINO_SCHEMA_H_

#include <array>
#include <string_view>

#include "src/dialects/operator.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"
#include "src/dialects/schema.h"
#include "windrow/openvino_attributes.h"

namespace windrow::internal {

struct OpenvinoDialect {
  static constexpr std::string_view kDialect = "openvino";
  static constexpr std::string_view kOutput = "output";
};

// Those that ScatterElementsUpdate and ScatterNDUpdate have.
inline constexpr std::array<NamedCombine, 6> kElementReductions = {{
    {"none", Combine::kAssign},
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};
inline constexpr std::array<NamedCombine, 6> kTupleReductions = {{
    {"none", Combine::kAssign},
    {"sum", Combine::kAdd},
    {"sub", Combine::kSub},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
}};

template <>
struct Schema<openvino::Gather> : OpenvinoDialect {
  static constexpr std::string_view kName = "Gather";
  static constexpr std::string_view kSummary =
      "Slices of data along one axis, at indices of any rank, behind batch dims.";
  static constexpr std::string_view kShapes =
      "data[:axis] ++ indices[batch_dims:] ++ data[axis+1:]";
  static constexpr bool kScatter = false;
  // Before version 8 the zero is not the specification's rule but what its implementations do.
  static constexpr OutOfRange policy(int version, bool strict) {
    return strict && version < 8 ? OutOfRange::kError : OutOfRange::kZero;
  }
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"axis", InputGroup::kAxis}};
  static constexpr std::array kAttributes = {
      AttributeSchema{"batch_dims", &openvino::Gather::batch_dims, 7}};
};

template <>
struct Schema<openvino::GatherElements> : OpenvinoDialect {
  static constexpr std::string_view kName = "GatherElements";
  static constexpr std::string_view kSummary =
      "For every index, the element of data at its position with the index on one axis.";
  static constexpr std::string_view kShapes = "indices (data of the same shape off the axis)";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {
      AttributeSchema{"axis", &openvino::GatherElements::axis, 1, true}};
};

template <>
struct Schema<openvino::GatherND> : OpenvinoDialect {
  static constexpr std::string_view kName = "GatherND";
  static constexpr std::string_view kSummary =
      "Slices of data at index tuples, the last axis of indices, behind batch dims.";
  static constexpr std::string_view kShapes =
      "indices [.., K]: batch dims ++ indices[batch_dims:-1] ++ data[batch_dims+K:] (version 5: "
      "batch dims as one)";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = kDataAndIndices;
  static constexpr std::array kAttributes = {
      AttributeSchema{"batch_dims", &openvino::GatherND::batch_dims}};
};

template <>
struct Schema<openvino::ScatterUpdate> : OpenvinoDialect {
  static constexpr std::string_view kName = "ScatterUpdate";
  static constexpr std::string_view kSummary = "Data with slices along one axis replaced.";
  static constexpr std::string_view kShapes =
      "data (updates: data[:axis] ++ indices ++ data[axis+1:])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"},
      InputSchema{"axis", InputGroup::kAxis}};
  static constexpr std::array<AttributeSchema<openvino::ScatterUpdate>, 0> kAttributes = {};
};

template <>
struct Schema<openvino::ScatterElementsUpdate> : OpenvinoDialect {
  static constexpr std::string_view kName = "ScatterElementsUpdate";
  static constexpr std::string_view kSummary =
      "Data with updates written, or reduced into, at their positions with the index on one axis.";
  static constexpr std::string_view kShapes =
      "data (indices and updates of one shape and the same rank)";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"indices", InputGroup::kIndex}, InputSchema{"updates"},
      InputSchema{"axis", InputGroup::kAxis}};
  static std::span<const NamedCombine> reductions(int /*version*/) { return kElementReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &openvino::ScatterElementsUpdate::reduction, 12},
      AttributeSchema{"use_init_val", &openvino::ScatterElementsUpdate::use_init_val, 12}};
};

template <>
struct Schema<openvino::ScatterNDUpdate> : OpenvinoDialect {
  static constexpr std::string_view kName = "ScatterNDUpdate";
  static constexpr std::string_view kSummary =
      "Data with updates written, or reduced into, at index tuples, the last axis of indices.";
  static constexpr std::string_view kShapes =
      "data (indices [.., K]; updates: indices[:-1] ++ data[K:])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = kDataIndicesAndUpdates;
  static std::span<const NamedCombine> reductions(int /*version*/) { return kTupleReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &openvino::ScatterNDUpdate::reduction, 15}};
};

template <>
struct Schema<openvino::OneHot> : OpenvinoDialect {
  static constexpr std::string_view kName = "OneHot";
  static constexpr std::string_view kSummary =
      "One value at the index and another one elsewhere, along a new axis.";
  static constexpr std::string_view kShapes =
      "indices with depth inserted at axis (depth, on_value and off_value scalars)";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {InputSchema{"indices", InputGroup::kIndex},
                                         InputSchema{"depth", InputGroup::kDepth},
                                         InputSchema{"on_value"}, InputSchema{"off_value"}};
  static constexpr std::array kAttributes = {
      AttributeSchema{"axis", &openvino::OneHot::axis, 1, true},
      AttributeSchema{"negative_indices_mode", &openvino::OneHot::negative_indices_mode, 16}};
};

// Pooled look-ups. What updates are to a scatter the samples are to a bag: one that is outside is
// left out.
struct BagSchema : OpenvinoDialect {
  static constexpr bool kScatter = true;
};

struct OffsetBagSchema : BagSchema {
  static constexpr std::string_view kShapes =
      "[bags] ++ emb_table[1:] (indices [n], offsets [bags])";
  static constexpr std::array kInputs = {
      InputSchema{"emb_table"}, InputSchema{"indices", InputGroup::kIndex},
      InputSchema{"offsets", InputGroup::kIndex},
      InputSchema{"default_index", InputGroup::kIndex, true},
      InputSchema{"per_sample_weights", InputGroup::kData, true}};
};

struct PackedBagSchema : BagSchema {
  static constexpr std::string_view kShapes = "[bags] ++ emb_table[1:] (indices [bags, n])";
  static constexpr std::array kInputs = {
      InputSchema{"emb_table"}, InputSchema{"indices", InputGroup::kIndex},
      InputSchema{"per_sample_weights", InputGroup::kData, true}};
};

inline constexpr std::array<NamedCombine, 2> kBagReductions = {
    {{"sum", Combine::kAdd}, {"mean", Combine::kMean}}};

template <>
struct Schema<openvino::EmbeddingBagOffsetsSum> : OffsetBagSchema {
  static constexpr std::string_view kName = "EmbeddingBagOffsetsSum";
  static constexpr std::string_view kSummary =
      "The sum of the rows of each bag of indices, which begin at offsets.";
  static constexpr std::array<AttributeSchema<openvino::EmbeddingBagOffsetsSum>, 0> kAttributes =
      {};
};

template <>
struct Schema<openvino::EmbeddingBagOffsets> : OffsetBagSchema {
  static constexpr std::string_view kName = "EmbeddingBagOffsets";
  static constexpr std::string_view kSummary =
      "The sum or the mean of the rows of each bag of indices, which begin at offsets.";
  static std::span<const NamedCombine> reductions(int /*version*/) { return kBagReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &openvino::EmbeddingBagOffsets::reduction}};
};

template <>
struct Schema<openvino::EmbeddingBagPackedSum> : PackedBagSchema {
  static constexpr std::string_view kName = "EmbeddingBagPackedSum";
  static constexpr std::string_view kSummary =
      "The sum of the rows of each bag, a row of the matrix of indices.";
  static constexpr std::array<AttributeSchema<openvino::EmbeddingBagPackedSum>, 0> kAttributes = {};
};

template <>
struct Schema<openvino::EmbeddingBagPacked> : PackedBagSchema {
  static constexpr std::string_view kName = "EmbeddingBagPacked";
  static constexpr std::string_view kSummary =
      "The sum or the mean of the rows of each bag, a row of the matrix of indices.";
  static std::span<const NamedCombine> reductions(int /*version*/) { return kBagReductions; }
  static constexpr std::array kAttributes = {
      AttributeSchema{"reduction", &openvino::EmbeddingBagPacked::reduction}};
};

template <>
struct Schema<openvino::EmbeddingSegmentsSum> : BagSchema {
  static constexpr std::string_view kName = "EmbeddingSegmentsSum";
  static constexpr std::string_view kSummary =
      "The sum of the rows of each segment of indices, whose segments' numbers must not fall.";
  static constexpr std::string_view kShapes =
      "[num_segments] ++ emb_table[1:] (indices and segment_ids [n])";
  static constexpr std::array kInputs = {
      InputSchema{"emb_table"},
      InputSchema{"indices", InputGroup::kIndex},
      InputSchema{"segment_ids", InputGroup::kIndex},
      InputSchema{"num_segments", InputGroup::kDepth},
      InputSchema{"default_index", InputGroup::kIndex, true},
      InputSchema{"per_sample_weights", InputGroup::kData, true}};
  static constexpr std::array<AttributeSchema<openvino::EmbeddingSegmentsSum>, 0> kAttributes = {};
};

template <>
struct Schema<openvino::GatherTree> : OpenvinoDialect {
  static constexpr std::string_view kName = "GatherTree";
  static constexpr std::string_view kSummary =
      "The step ids of every beam, walked back through its parents.";
  static constexpr std::string_view kShapes =
      "step_ids (parent_ids of the same shape [time, batch, beams], max_seq_len [batch])";
  static constexpr bool kScatter = false;
  static constexpr std::array kInputs = {InputSchema{"step_ids"}, InputSchema{"parent_ids"},
                                         InputSchema{"max_seq_len"}, InputSchema{"end_token"}};
  static constexpr std::array<AttributeSchema<openvino::GatherTree>, 0> kAttributes = {};
};

template <>
struct Schema<openvino::SegmentMax> : OpenvinoDialect {
  static constexpr std::string_view kName = "SegmentMax";
  static constexpr std::string_view kSummary =
      "The maximum of the rows with one segment id, which ascend.";
  static constexpr std::string_view kShapes =
      "[num_segments] ++ data[1:] (segment_ids [n], data [n, ..], num_segments a scalar; left out: "
      "the last id plus 1)";
  static constexpr bool kScatter = true;
  static constexpr OutOfRange policy(int /*version*/, bool /*strict*/) { return OutOfRange::kSkip; }
  static constexpr std::array kInputs = {
      InputSchema{"data"}, InputSchema{"segment_ids", InputGroup::kIndex},
      InputSchema{"num_segments", InputGroup::kDepth, true, false, 1}};
  static constexpr std::array kAttributes = {
      AttributeSchema{"fill_mode", &openvino::SegmentMax::fill_mode, 1, true}};
};

template <>
struct Schema<openvino::SliceScatter> : OpenvinoDialect {
  static constexpr std::string_view kName = "SliceScatter";
  static constexpr std::string_view kSummary = "Assigns updates to a slice of data.";
  static constexpr std::string_view kShapes =
      "data (updates of the shape of its slice; start, stop, step and axes [n])";
  static constexpr bool kScatter = true;
  static constexpr std::array kInputs = {InputSchema{"data"},
                                         InputSchema{"updates"},
                                         InputSchema{"start", InputGroup::kSlice},
                                         InputSchema{"stop", InputGroup::kSlice},
                                         InputSchema{"step", InputGroup::kSlice},
                                         InputSchema{"axes", InputGroup::kSlice, true}};
  static constexpr std::array<AttributeSchema<openvino::SliceScatter>, 0> kAttributes = {};
};

inline bool openvino_has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAssign) return true;
  switch (dtype) {
    case DType::kUint1:
    case DType::kUint2:
    case DType::kNF4:
    case DType::kFloat4E2M1:
    case DType::kFloat8E8M0:
    case DType::kString:
      return false;  // elements that are only copied
    default:
      return dtype != DType::kBool || combine != Combine::kMean;
  }
}

// A1: `axis` has one element, whose value is known when a plan is compiled and in [-r, r-1], r
// being the rank of data. Returns the axis counted from the front; nothing where it is not known.
inline Result<std::optional<std::int64_t>> check_axis_input(const Rules& rules,
                                                            const KnownInput& axis,
                                                            const KnownInput& data) {
  auto value = check_single(rules, ErrorCode::kInvalidArgument, "A1", axis, true);
  if (!value || !*value) return value;
  return check_axis(rules, **value, data);
}

// The axis of a call that A1 allows, counted from the front.
inline int axis_value(const TensorSpec& axis, const TensorSpec& data) {
  return normal_axis(fixed_value(axis), data.shape.rank());
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_SCHEMA_H_

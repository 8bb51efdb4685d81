#include "src/portability/indexing_operators.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::string_view kOpenvino = "openvino";

// Why indices are not judged.
constexpr std::string_view kSequence = "the number of a sequence's elements is not known";
constexpr std::string_view kOutputVolume = "its indices address the elements of its output";
constexpr std::string_view kCache =
    "how long its cache is depends on values that the node gets in a run";
constexpr std::string_view kNotSeen = "what runtimes do with its illegal indices was not examined";
constexpr std::string_view kOffsets = "they are offsets that address each other's tokens";
constexpr std::string_view kInnerGraph = "the ids are read by the graphs that the node runs";
constexpr std::string_view kCoordinates =
    "it addresses elements by floats, and says itself what lies outside";
constexpr std::string_view kMask = "it takes the elements that a condition names";
constexpr std::string_view kOffset = "a position_ids that is no matrix is the offset of all rows";
constexpr std::string_view kInternal = "the axis is an input of an operator that no file has";

// Why integers are no indices.
constexpr std::string_view kShape = "extents, axes, counts or paddings";
constexpr std::string_view kNumbers = "numbers that it computes with";
constexpr std::string_view kLengths = "lengths or masks, by which no element is addressed";

IndexingOperator not_judged(std::string_view domain, std::string_view name, std::size_t indices,
                            std::string_view indices_name, std::string_view why) {
  return {.domain = domain,
          .name = name,
          .why_not = why,
          .indices = indices,
          .indices_name = indices_name};
}

std::vector<IndexingOperator> onnx_rows() {
  return {
      {.domain = "",
       .name = "RoiAlign",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "X"},
      {.domain = "",
       .name = "RotaryEmbedding",
       .family = kRotaryPositions,
       .indices = 3,
       .indices_name = "position_ids",
       .data = 1,
       .data_name = "cos_cache"},
      {.domain = "",
       .name = "NegativeLogLikelihoodLoss",
       .family = kClasses,
       .indices = 1,
       .indices_name = "target",
       .data = 0,
       .data_name = "input",
       .axis = 1,
       .ignored_attribute = "ignore_index"},
      {.domain = "",
       .name = "SoftmaxCrossEntropyLoss",
       .family = kClasses,
       .indices = 1,
       .indices_name = "labels",
       .data = 0,
       .data_name = "scores",
       .axis = 1,
       .ignored_attribute = "ignore_index"},
      {.domain = "",
       .name = "ReverseSequence",
       .family = kReversedLengths,
       .indices = 1,
       .indices_name = "sequence_lens",
       .data = 0,
       .data_name = "input",
       .addressed = AddressedAxis::kAttribute,
       .axis = 0,
       .axis_attribute = "time_axis",
       .beyond = 1},
      {.domain = "",
       .name = "Attention",
       .family = kValidLengths,
       .indices = 6,
       .indices_name = "nonpad_kv_seqlen",
       .data = 1,
       .data_name = "K",
       .axis = -2,
       .beyond = 1},
      not_judged("", "MaxUnpool", 1, "I", kOutputVolume),
      not_judged("", "SequenceAt", 1, "position", kSequence),
      not_judged("", "SequenceErase", 1, "position", kSequence),
      not_judged("", "SequenceInsert", 2, "position", kSequence),
      not_judged("", "GridSample", 1, "grid", kCoordinates),
      not_judged("", "Compress", 1, "condition", kMask),
  };
}

std::vector<IndexingOperator> microsoft_rows() {
  std::vector<IndexingOperator> rows = {
      {.domain = kMicrosoft,
       .name = "GatherBlockQuantized",
       .family = kQuantizedGather,
       .indices = 1,
       .indices_name = "indices",
       .data = 0,
       .data_name = "data",
       .addressed = AddressedAxis::kAttribute,
       .axis = 0,
       .axis_attribute = "gather_axis",
       .counts_from_end = true},
      {.domain = kMicrosoft,
       .name = "GatherND",
       .family = kForeignGatherND,
       .indices = 1,
       .indices_name = "indices",
       .data = 0,
       .data_name = "data",
       .addressed = AddressedAxis::kTuples,
       .counts_from_end = true},
      {.domain = kMicrosoft,
       .name = "RotaryEmbedding",
       .family = kRotaryPositions,
       .indices = 1,
       .indices_name = "position_ids",
       .data = 2,
       .data_name = "cos_cache",
       .rank = 2,
       .other_rank = kOffset},
      {.domain = kMicrosoft,
       .name = "CropAndResize",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "X"},
  };
  for (const std::string_view name : {"EmbedLayerNormalization", "QEmbedLayerNormalization"}) {
    rows.push_back({.domain = kMicrosoft,
                    .name = name,
                    .family = kEmbedding,
                    .indices = 0,
                    .indices_name = "input_ids",
                    .data = 2,
                    .data_name = "word_embedding"});
    rows.push_back({.domain = kMicrosoft,
                    .name = name,
                    .family = kEmbedding,
                    .indices = 1,
                    .indices_name = "segment_ids",
                    .data = 4,
                    .data_name = "segment_embedding"});
  }
  rows.push_back({.domain = kMicrosoft,
                  .name = "EmbedLayerNormalization",
                  .family = kEmbedding,
                  .indices = 8,
                  .indices_name = "position_ids",
                  .data = 3,
                  .data_name = "position_embedding"});
  return rows;
}

std::vector<IndexingOperator> unjudged_microsoft_rows() {
  return {
      not_judged(kMicrosoft, "GroupQueryAttention", 5, "seqlens_k", kCache),
      not_judged(kMicrosoft, "DynamicSparseAttention", 7, "selected_indices", kCache),
      not_judged(kMicrosoft, "DecoderMaskedMultiHeadAttention", 9, "cache_indirection", kCache),
      not_judged(kMicrosoft, "DecoderMaskedSelfAttention", 8, "cache_indirection", kCache),
      not_judged(kMicrosoft, "MultiHeadAttention", 9, "cache_indirection", kCache),
      not_judged(kMicrosoft, "PagedAttention", 7, "block_table", kCache),
      not_judged(kMicrosoft, "SparsePagedAttention", 7, "block_table", kCache),
      not_judged(kMicrosoft, "SparseAttention", 6, "block_col_indices", kCache),
      not_judged(kMicrosoft, "SparseAttentionIndexer", 11, "position_ids", kNotSeen),
      not_judged(kMicrosoft, "PackedSparseAttentionIndexer", 11, "position_ids", kNotSeen),
      not_judged(kMicrosoft, "MRotaryEmbedding", 1, "position_ids", kNotSeen),
      not_judged(kMicrosoft, "MatMulNBits", 4, "g_idx", kNotSeen),
      not_judged(kMicrosoft, "TorchEmbedding", 1, "indices", kNotSeen),
      not_judged(kMicrosoft, "WordConvEmbedding", 0, "Sequence", kNotSeen),
      not_judged(kMicrosoft, "BifurcationDetector", 2, "prev_suffix_match_idx", kNotSeen),
      not_judged(kMicrosoft, "NGramRepeatBlock", 0, "input_ids", kNotSeen),
      not_judged(kMicrosoft, "GridSample", 1, "grid", kCoordinates),
      not_judged(kMicrosoft, "PackedAttention", 3, "token_offset", kOffsets),
      not_judged(kMicrosoft, "PackedMultiHeadAttention", 4, "token_offset", kOffsets),
      not_judged(kMicrosoft, "RestorePadding", 1, "token_offset", kOffsets),
      not_judged(kMicrosoft, "GatedRelativePositionBias", 6, "token_offset", kOffsets),
      not_judged(kMicrosoft, "GatedDeltaNet", 3, "cu_seqlens", kOffsets),
      not_judged(kMicrosoft, "VarlenCausalConvWithState", 2, "cumulative_sequence_length",
                 kOffsets),
      not_judged(kMicrosoft, "VarlenNGramHashMapping", 3, "cumulative_sequence_length", kOffsets),
      not_judged(kMicrosoft, "BeamSearch", 0, "input_ids", kInnerGraph),
      not_judged(kMicrosoft, "WhisperBeamSearch", 0, "input_ids", kInnerGraph),
      not_judged(kMicrosoft, "GreedySearch", 0, "input_ids", kInnerGraph),
      not_judged(kMicrosoft, "Sampling", 0, "input_ids", kInnerGraph),
  };
}

std::vector<IndexingOperator> openvino_rows() {
  std::vector<IndexingOperator> rows = {
      {.domain = kOpenvino,
       .name = "ROIAlign",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "data"},
      {.domain = kOpenvino,
       .name = "ROIAlignRotated",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "data"},
      {.domain = kOpenvino,
       .name = "ReverseSequence",
       .family = kReversedLengths,
       .indices = 1,
       .indices_name = "seq_lengths",
       .data = 0,
       .data_name = "data",
       .addressed = AddressedAxis::kAttribute,
       .axis = 1,
       .axis_attribute = "seq_axis",
       .beyond = 1},
      {.domain = kOpenvino,
       .name = "GatherTree",
       .family = kGatherTree,
       .indices = 1,
       .indices_name = "parent_ids",
       .data = 0,
       .data_name = "step_ids",
       .axis = 2},
      not_judged(kOpenvino, "GatherCompressed", 1, "indices", kInternal),
      not_judged(kOpenvino, "GridSample", 1, "grid", kCoordinates),
      not_judged(kOpenvino, "SegmentMax", 1, "segment_ids", kNotSeen),
      not_judged(kOpenvino, "PagedAttentionExtension", 4, "block_indices", kCache),
  };
  for (const std::string_view name :
       {"EmbeddingBagOffsetsSum", "EmbeddingBagOffsets", "EmbeddingBagPackedSum",
        "EmbeddingBagPacked", "EmbeddingSegmentsSum"})
    rows.push_back({.domain = kOpenvino,
                    .name = name,
                    .family = kEmbeddingBag,
                    .indices = 1,
                    .indices_name = "indices",
                    .data = 0,
                    .data_name = "emb_table"});
  return rows;
}

std::vector<PlainOperator> plain_rows() {
  std::vector<PlainOperator> rows;
  const auto add = [&rows](std::string_view domain, std::string_view why,
                           std::initializer_list<std::string_view> names) {
    for (const std::string_view name : names) rows.push_back({domain, name, why});
  };
  add("", kShape,
      {"AffineGrid",
       "BlackmanWindow",
       "CenterCropPad",
       "Col2Im",
       "ConstantOfShape",
       "CumProd",
       "CumSum",
       "DFT",
       "Expand",
       "HammingWindow",
       "HannWindow",
       "Loop",
       "MelWeightMatrix",
       "NonMaxSuppression",
       "Pad",
       "ReduceL1",
       "ReduceL2",
       "ReduceLogSum",
       "ReduceLogSumExp",
       "ReduceMax",
       "ReduceMean",
       "ReduceMin",
       "ReduceProd",
       "ReduceSum",
       "ReduceSumSquare",
       "Reshape",
       "Resize",
       "STFT",
       "Slice",
       "Split",
       "SplitToSequence",
       "Squeeze",
       "Tile",
       "TopK",
       "Trilu",
       "Unsqueeze"});
  add("", kNumbers,
      {"BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr", "BitwiseXor", "DequantizeLinear",
       "QLinearConv", "TfIdfVectorizer"});
  add("", kLengths, {"GRU", "LSTM", "RNN"});
  add("ai.onnx.ml", kNumbers, {"CategoryMapper"});
  add("ai.onnx.preview.training", kNumbers, {"Adagrad", "Adam", "Momentum"});
  add(kMicrosoft, kShape,
      {"ConvTransposeWithDynamicPads", "DequantizeBFP", "ExpandDims", "MatMulFpQ4", "Pad",
       "RelativePositionBias", "Trilu"});
  add(kMicrosoft, kNumbers, {"DequantizeLinear", "NGramHashMapping", "QGemm", "QLinearConv"});
  add(kMicrosoft, kLengths,
      {"Attention", "AttnLSTM", "DynamicQuantizeLSTM", "LongformerAttention", "MaxpoolWithMask",
       "QAttention", "QOrderedAttention", "QOrderedLongformerAttention", "RemovePadding"});
  return rows;
}

}  // namespace

const std::vector<IndexingOperator>& indexing_operators() {
  static const auto* const rows = [] {
    auto* const all = new std::vector<IndexingOperator>();
    for (const auto& part :
         {onnx_rows(), microsoft_rows(), unjudged_microsoft_rows(), openvino_rows()})
      all->insert(all->end(), part.begin(), part.end());
    return all;
  }();
  return *rows;
}

const std::vector<PlainOperator>& plain_operators() {
  static const auto* const rows = new std::vector<PlainOperator>(plain_rows());
  return *rows;
}

}  // namespace windrow::internal

#include "src/portability/indexing_operators.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>
#include <variant>

#include "src/ranges/extents.h"
#include "windrow/check.h"
#include "windrow/counted.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kOpenvinoDomain = "openvino";

// The domain of a node in the tables.
std::string_view domain_of(const ModelNode& node, std::string_view dialect) {
  return dialect == kOpenvinoDomain ? kOpenvinoDomain : std::string_view(node.domain);
}

// The extent of an axis that an input of the node has as its only element.
void set_counted_column(NodeView& view) {
  const std::optional<std::int64_t> count = single_value(view.data);
  if (count && !view.data.is_observed) view.premises = view.data.fact.range.premises;
  Dim extent;
  extent.value = std::max<std::int64_t>(count.value_or(-1), -1);
  view.columns = {IndexColumn{0, extent}};
}

void set_columns(const IndexingOperator& row, NodeView& view) {
  if (row.addressed == AddressedAxis::kCount) return set_counted_column(view);
  const SymbolicShape& data = view.data.fact.dims;
  if (!data) return;
  if (row.addressed == AddressedAxis::kTuples) {
    const SymbolicShape& indices = view.indices.fact.dims;
    if (!indices || indices->empty() || !indices->back().is_known()) return;
    const std::int64_t length = indices->back().value;
    if (length > static_cast<std::int64_t>(data->size())) return;
    view.columns.emplace();
    for (std::size_t i = 0; i < static_cast<std::size_t>(length); ++i)
      view.columns->push_back({i, (*data)[i]});
    return;
  }
  const std::int64_t axis = row.addressed == AddressedAxis::kAttribute
                                ? number_of(view.place->node, row.axis_attribute).value_or(row.axis)
                                : row.axis;
  view.axis = place_of_axis(axis, data->size());
  if (view.axis) view.columns = {IndexColumn{*view.axis, (*data)[*view.axis]}};
}

}  // namespace

std::optional<std::int64_t> number_of(const ModelNode& node, std::string_view name) {
  const auto found = name.empty() ? node.attributes.end() : node.attributes.find(name);
  if (found == node.attributes.end()) return std::nullopt;
  if (const auto* number = std::get_if<std::int64_t>(&found->second)) return *number;
  const auto* const text = std::get_if<std::string>(&found->second);
  std::int64_t number = 0;
  if (text == nullptr) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return number;
}

std::vector<const IndexingOperator*> rows_of(const ModelNode& node, std::string_view dialect) {
  std::vector<const IndexingOperator*> rows;
  for (const IndexingOperator& row : indexing_operators()) {
    if (row.name == node.op_type && row.domain == domain_of(node, dialect)) rows.push_back(&row);
  }
  return rows;
}

bool is_plain(const ModelNode& node, std::string_view dialect) {
  const std::vector<PlainOperator>& known = plain_operators();
  return std::any_of(known.begin(), known.end(), [&](const PlainOperator& plain) {
    return plain.name == node.op_type && plain.domain == domain_of(node, dialect);
  });
}

std::optional<NodeView> view_indexing(const IndexingOperator& row, const NodeFacts& facts,
                                      const Model& model, Extents& extents,
                                      const ObservedNode* observed) {
  if (row.family == 0) return std::nullopt;
  NodeView view;
  view.place = &facts.place;
  view.indexing = &row;
  view.extents = &extents;
  view.indices = input_of(facts, row.indices, row.indices_name, extents, observed);
  view.data = input_of(facts, row.data, row.data_name, extents, observed);
  if (row.family == kQuantizedGather) {
    view.scales = input_of(facts, 2, "scales", extents, observed);
    view.zero_points = input_of(facts, 3, "zero_points", extents, observed);
  }
  if (!view.indices.is_given() || !view.data.is_given()) return std::nullopt;
  if (row.rank && view.indices.rank() != row.rank) return std::nullopt;
  view.foreign_name = foreign_name(facts.place.node, model);
  view.family = static_cast<OperatorFamily>(row.family);
  view.dialect = dialect_named(model.dialect);
  view.ignored = number_of(facts.place.node, row.ignored_attribute);
  if (!view.ignored) view.ignored = row.ignored;
  for (const ValueFact* const output : facts.outputs) view.outputs.push_back(*output);
  set_columns(row, view);
  return view;
}

std::string foreign_name(const ModelNode& node, const Model& model) {
  const std::string& domain = node.domain.empty() ? model.dialect : node.domain;
  const auto opset = model.opset_imports.find(node.domain);
  const int number = node.version.value_or(opset == model.opset_imports.end() ? 0 : opset->second);
  return domain + "." + node.op_type + (number > 0 ? "-" + std::to_string(number) : "");
}

}  // namespace windrow::internal

namespace windrow {

std::vector<IndexingInput> indexing_inputs() {
  std::vector<IndexingInput> known;
  for (const internal::IndexingOperator& row : internal::indexing_operators())
    known.push_back({std::string(row.domain), std::string(row.name), std::string(row.indices_name),
                     std::string(row.why_not)});
  for (const internal::PlainOperator& row : internal::plain_operators())
    known.push_back({std::string(row.domain), std::string(row.name), "", std::string(row.why)});
  return known;
}

}  // namespace windrow

namespace windrow::internal {
namespace {

constexpr std::string_view kMicrosoft = "com.microsoft";
constexpr std::string_view kOpenvinoOperators = "openvino";

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
constexpr std::string_view kExtentsOrCounts = "extents, axes, counts or paddings";
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
      not_judged(kMicrosoft, "GatherPacked", 1, "indices", kNotSeen),
      not_judged(kMicrosoft, "RMSNormRotary", 2, "position_ids", kNotSeen),
      not_judged(kMicrosoft, "PackedSparseAttentionIndexerMerge", 2, "base_row_indices", kNotSeen),
      not_judged(kMicrosoft, "Mamba2Verify", 9, "state_row", kNotSeen),
      not_judged(kMicrosoft, "GridSample", 1, "grid", kCoordinates),
      not_judged(kMicrosoft, "PackedAttention", 3, "token_offset", kOffsets),
      not_judged(kMicrosoft, "PackedMultiHeadAttention", 4, "token_offset", kOffsets),
      not_judged(kMicrosoft, "RestorePadding", 1, "token_offset", kOffsets),
      not_judged(kMicrosoft, "GatedRelativePositionBias", 6, "token_offset", kOffsets),
      not_judged(kMicrosoft, "GatedDeltaNet", 3, "cu_seqlens", kOffsets),
      not_judged(kMicrosoft, "GatedDeltaNetStateReplay", 3, "metadata", kNotSeen),
      not_judged(kMicrosoft, "ConvStateReplay", 3, "metadata", kNotSeen),
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
      {.domain = kOpenvinoOperators,
       .name = "ROIAlign",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "data"},
      {.domain = kOpenvinoOperators,
       .name = "ROIAlignRotated",
       .family = kBatchIndices,
       .indices = 2,
       .indices_name = "batch_indices",
       .data = 0,
       .data_name = "data"},
      {.domain = kOpenvinoOperators,
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
      {.domain = kOpenvinoOperators,
       .name = "GatherTree",
       .family = kGatherTree,
       .indices = 1,
       .indices_name = "parent_ids",
       .data = 0,
       .data_name = "step_ids",
       .axis = 2},
      not_judged(kOpenvinoOperators, "GatherCompressed", 1, "indices", kInternal),
      not_judged(kOpenvinoOperators, "GridSample", 1, "grid", kCoordinates),
      not_judged(kOpenvinoOperators, "PagedAttentionExtension", 4, "block_indices", kCache),
  };
  for (const std::string_view name :
       {"EmbeddingBagOffsetsSum", "EmbeddingBagOffsets", "EmbeddingBagPackedSum",
        "EmbeddingBagPacked", "EmbeddingSegmentsSum"})
    rows.push_back({.domain = kOpenvinoOperators,
                    .name = name,
                    .family = kEmbeddingBag,
                    .indices = 1,
                    .indices_name = "indices",
                    .data = 0,
                    .data_name = "emb_table"});
  for (const std::string_view name : {"EmbeddingBagOffsetsSum", "EmbeddingBagOffsets"}) {
    rows.push_back({.domain = kOpenvinoOperators,
                    .name = name,
                    .family = kBagOffsets,
                    .indices = 2,
                    .indices_name = "offsets",
                    .data = 1,
                    .data_name = "indices"});
    rows.push_back({.domain = kOpenvinoOperators,
                    .name = name,
                    .family = kDefaultIndex,
                    .indices = 3,
                    .indices_name = "default_index",
                    .data = 0,
                    .data_name = "emb_table",
                    .ignored = -1});
  }
  rows.push_back({.domain = kOpenvinoOperators,
                  .name = "EmbeddingSegmentsSum",
                  .family = kSegmentIds,
                  .indices = 2,
                  .indices_name = "segment_ids",
                  .data = 3,
                  .data_name = "num_segments",
                  .addressed = AddressedAxis::kCount});
  rows.push_back({.domain = kOpenvinoOperators,
                  .name = "EmbeddingSegmentsSum",
                  .family = kDefaultIndex,
                  .indices = 4,
                  .indices_name = "default_index",
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
  add("", kExtentsOrCounts,
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
  add(kMicrosoft, kExtentsOrCounts,
      {"ConvTransposeWithDynamicPads", "DequantizeBFP", "ExpandDims", "MatMulFpQ4", "Pad",
       "RelativePositionBias", "Trilu"});
  add(kMicrosoft, kNumbers,
      {"DequantizeLinear", "NGramHashMapping", "QGemm", "QLinearConv", "SpeculativePrefixCommit"});
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

namespace {

constexpr std::size_t kMostOperators = 1000;
constexpr std::size_t kMostNotes = 100;
constexpr std::size_t kMostPaths = 8;

constexpr std::array<std::string_view, 13> kIndexWords = {
    "index", "indices", "indexes", "idx",      "idxs",      "id",     "ids",
    "inds",  "ind",     "pos",     "position", "positions", "offsets"};

// Whether the operator is of a domain whose operators the table lists only in part.
bool is_foreign(const ModelNode& node, std::string_view dialect) {
  return dialect == "onnx" && !node.domain.empty() && node.domain != "ai.onnx.ml" &&
         node.domain != "ai.onnx.preview.training";
}

// The first input of integers that is named like an index; empty if there is none.
std::string index_input(const NodeFacts& facts) {
  const std::vector<std::string>& names = facts.place.node.inputs;
  for (std::size_t i = 0; i < names.size() && i < facts.inputs.size(); ++i) {
    const DType type = facts.inputs[i]->dtype;
    if ((type == DType::kAbsent || is_integer(type)) && is_named_like_index(names[i]))
      return names[i];
  }
  return {};
}

// The rows of which this node has the input and which no view judges, each with the reason.
std::string_view reason_of(const NodeFacts& facts, const IndexingOperator& row) {
  if (row.indices >= facts.place.node.inputs.size() || facts.place.node.inputs[row.indices].empty())
    return {};
  if (row.family == 0) return row.why_not;
  if (row.rank && facts.inputs[row.indices]->dims &&
      facts.inputs[row.indices]->dims->size() != *row.rank)
    return row.other_rank;
  return row.rank && !facts.inputs[row.indices]->dims ? "their rank is not known"
                                                      : std::string_view();
}

}  // namespace

bool is_named_like_index(std::string_view value) {
  std::string word;
  const auto is_index = [&word] {
    return std::find(kIndexWords.begin(), kIndexWords.end(), word) != kIndexWords.end();
  };
  char last = '_';
  for (const char letter : value) {
    const auto code = static_cast<unsigned char>(letter);
    const bool begins =
        std::isupper(code) != 0 && std::islower(static_cast<unsigned char>(last)) != 0;
    if (begins || std::isalpha(code) == 0) {
      if (is_index()) return true;
      word.clear();
    }
    if (std::isalpha(code) != 0) word += static_cast<char>(std::tolower(code));
    last = letter;
  }
  return is_index();
}

bool NotJudged::is_function(const ModelNode& node) const {
  return std::any_of(model_.functions.begin(), model_.functions.end(), [&](const auto& function) {
    return function.domain == node.domain && function.graph.name == node.op_type;
  });
}

void NotJudged::add(const NodeFacts& facts) {
  const ModelNode& node = facts.place.node;
  const std::string name = foreign_name(node, model_);
  const std::vector<const IndexingOperator*> rows = rows_of(node, model_.dialect);
  for (const IndexingOperator* const row : rows) {
    const std::string_view why = reason_of(facts, *row);
    if (!why.empty()) count(name, *row, why, facts.place.path);
  }
  if (!rows.empty() || is_plain(node, model_.dialect) || !is_foreign(node, model_.dialect) ||
      is_function(node))
    return;
  const std::string input = index_input(facts);
  if (input.empty() || noted_[name]++ > 0 || notes_.size() == kMostNotes) return;
  notes_.push_back("node '" + printable(node.name) + "': the operator " + printable(name) +
                   " is not known; its input '" + printable(input) +
                   "' is called after an index, and was not judged");
}

void NotJudged::count(const std::string& name, const IndexingOperator& row, std::string_view why,
                      const std::string& path) {
  const std::string input(row.indices_name);
  const auto [place, is_new] = places_.emplace(std::pair{name, input}, operators_.size());
  if (is_new && operators_.size() == kMostOperators) {
    places_.erase(place);
    return;
  }
  if (is_new) operators_.push_back({name, input, 0, {}, std::string(why), {}});
  UnjudgedOperator& found = operators_[place->second];
  if (++found.count <= kMostPaths) found.nodes.push_back(path);
  found.sentence = found.input + " of " + printable(found.operator_name) + " (" +
                   counted(found.count, "node") + "): " + found.why;
}

}  // namespace windrow::internal

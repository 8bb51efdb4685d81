#ifndef WINDROW_PORTABILITY_INDEXING_OPERATORS_H_
#define WINDROW_PORTABILITY_INDEXING_OPERATORS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/portability/node_view.h"
#include "src/ranges/ranges.h"
#include "windrow/check.h"

// Operators that the library does not compute by its equation, and of which an input addresses
// elements of another one.
namespace windrow::internal {

// How the axis is given that the indices address.
enum class AddressedAxis : std::uint8_t {
  kFixed,      // `axis` of the operator's row
  kAttribute,  // the attribute `axis_attribute`, else `axis`
  kTuples,     // the last axis of the indices addresses the first axes
  kCount,      // the only element of the input that is addressed is the extent
};

// An input of indices of one operator.
struct IndexingOperator {
  std::string_view domain;  // "com.microsoft"; "" for ONNX; "openvino" for OpenVINO's own format
  std::string_view name;
  // The family whose rules judge the indices; 0: they are not judged, for the reason `why_not`.
  unsigned family = 0;
  std::string_view why_not = {};
  std::size_t indices = 0;  // the position of the input of indices
  std::string_view indices_name = {};
  std::size_t data = 0;  // the position of the input that they address
  std::string_view data_name = {};
  AddressedAxis addressed = AddressedAxis::kFixed;
  std::int64_t axis = 0;  // may count from the end
  std::string_view axis_attribute = {};
  // The legal indices are 0 to s - 1 + beyond, where s is the axis's extent, those from -s if they
  // count from the end, and `ignored`, or the value of the attribute `ignored_attribute` if the
  // node has it.
  bool counts_from_end = false;
  std::int64_t beyond = 0;
  std::optional<std::int64_t> ignored = std::nullopt;
  std::string_view ignored_attribute = {};
  // The rank of the indices for which they are such indices; nothing: any.
  std::optional<std::size_t> rank = std::nullopt;
  std::string_view other_rank = {};  // why indices of other ranks are not judged
};

// Every input of indices.
const std::vector<IndexingOperator>& indexing_operators();

// An operator with inputs of integers none of which is an index, and why.
struct PlainOperator {
  std::string_view domain;
  std::string_view name;
  std::string_view why;
};
const std::vector<PlainOperator>& plain_operators();

// The rows of a node's operator; empty if there is none.
std::vector<const IndexingOperator*> rows_of(const ModelNode& node, std::string_view dialect);
// Whether the operator is known to have no indices.
bool is_plain(const ModelNode& node, std::string_view dialect);

// The view of a node by a row of its operator; nothing if the node does not have the inputs, or
// their indices are not judged. `observed` may be null.
std::optional<NodeView> view_indexing(const IndexingOperator& row, const NodeFacts& facts,
                                      const Model& model, Extents& extents,
                                      const ObservedNode* observed);

// An attribute that is an integer, or a text of digits as OpenVINO's files have it. Nothing if the
// node does not have it, or if it has another type.
std::optional<std::int64_t> number_of(const ModelNode& node, std::string_view name);

// "com.microsoft.GatherND-1"; without a number if the model does not say which version it is.
std::string foreign_name(const ModelNode& node, const Model& model);

// Collects what a check leaves out of the nodes that the library does not compute.
class NotJudged {
 public:
  // `model` must not change.
  explicit NotJudged(const Model& model) : model_(model) {}

  void add(const NodeFacts& facts);

  // In the order in which their first nodes were added; at most 1000.
  const std::vector<UnjudgedOperator>& operators() const noexcept { return operators_; }
  // About operators of other domains that are not known and have an input named like an index.
  const std::vector<std::string>& notes() const noexcept { return notes_; }

 private:
  bool is_function(const ModelNode& node) const;
  void count(const std::string& name, const IndexingOperator& row, std::string_view why,
             const std::string& path);

  const Model& model_;
  std::vector<UnjudgedOperator> operators_;
  std::map<std::pair<std::string, std::string>, std::size_t> places_;  // by operator and input
  std::vector<std::string> notes_;
  std::map<std::string, std::size_t, std::less<>> noted_;  // nodes of unknown operators
};

// Whether a value of this name is called after an index: "indices", "token_ids", "model/pos.1".
bool is_named_like_index(std::string_view value);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_INDEXING_OPERATORS_H_

#include "src/portability/indexing_operators.h"

#include <algorithm>
#include <charconv>
#include <utility>
#include <variant>

#include "src/ranges/dims.h"
#include "windrow/check.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kOpenvinoDomain = "openvino";

// The domain of a node in the tables.
std::string_view domain_of(const ModelNode& node, std::string_view dialect) {
  return dialect == kOpenvinoDomain ? kOpenvinoDomain : std::string_view(node.domain);
}

// An attribute that is an integer, or a text of digits as OpenVINO's files have it.
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

void set_columns(const IndexingOperator& row, NodeView& view) {
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
  if (!view.indices.is_given() || !view.data.is_given()) return std::nullopt;
  if (row.rank && view.indices.rank() != row.rank) return std::nullopt;
  view.foreign_name = foreign_name(facts.place.node, model);
  view.family = static_cast<OperatorFamily>(row.family);
  view.dialect = dialect_named(model.dialect);
  view.ignored = number_of(facts.place.node, row.ignored_attribute);
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

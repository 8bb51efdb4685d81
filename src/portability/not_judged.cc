#include "src/portability/not_judged.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "src/portability/indexing_operators.h"
#include "windrow/counted.h"
#include "windrow/printable.h"

namespace windrow::internal {
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

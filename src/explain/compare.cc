#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "src/explain/explain_point.h"
#include "src/reference/element.h"
#include "windrow/counted.h"
#include "windrow/explain.h"

namespace windrow {
namespace {

using internal::reference::flat_index;
using internal::reference::position_of;

constexpr std::size_t kMostWrites = 3;  // the number of an element's writes that a reason names

// What an explanation says of its output's elements, which are given by their row-major numbers.
class Outcome {
 public:
  explicit Outcome(const Explanation& explanation) : explanation_(explanation) {
    const Shape& shape = explanation.output.shape;
    for (const ExplainedPoint& walk : explanation.walks)
      walks_[flat_index(shape, walk.direct)].push_back(&walk);
    for (const ExplainedWrite& write : explanation.writes)
      if (write.point.cell) writes_[flat_index(shape, *write.point.cell)].push_back(&write);
    for (const ExplainedCell& cell : explanation.cells)
      cells_.emplace(flat_index(shape, cell.cell), &cell);
  }

  bool knows_all() const {
    return explanation_.output.has_values ||
           (explanation_.scatter && std::ssize(explanation_.writes) == explanation_.points);
  }

  // The elements that walks or writes reach.
  void add_numbers(std::set<std::int64_t>& numbers) const {
    for (const auto& [number, walks] : walks_) numbers.insert(number);
    for (const auto& [number, writes] : writes_) numbers.insert(number);
  }

  bool knows(std::int64_t number) const {
    return knows_all() || walks_.contains(number) || writes_.contains(number);
  }

  // The element's text, if the output's values are known or a point tells it; else empty.
  std::string value(std::int64_t number) const {
    if (explanation_.output.has_values)
      return explanation_.output.values[static_cast<std::size_t>(number)];
    if (const auto walks = walks_.find(number); walks != walks_.end() && !explanation_.folds)
      return walks->second.front()->value;
    const auto cell = cells_.find(number);
    return cell == cells_.end() ? explanation_.initial : cell->second->result;
  }

  // What the element of a scatter's output holds before the first write; empty: not known.
  std::string initial(std::int64_t number) const {
    const auto cell = cells_.find(number);
    return cell == cells_.end() ? explanation_.initial : cell->second->initial;
  }

  // The element's value beside another call: one that no update reaches here is as it was in data,
  // which both calls have, if not all start as the same.
  std::string value_beside(const Outcome& other, std::int64_t number) const {
    std::string known = value(number);
    const bool starts_as_data = explanation_.initial.empty() && other.explanation_.initial.empty();
    return known.empty() && starts_as_data && is_untouched(number) ? other.initial(number) : known;
  }

  // Where the element comes from: the cell of data or why there is none, or the updates in order.
  std::string source(std::int64_t number) const {
    std::string text;
    if (const auto walks = walks_.find(number); walks != walks_.end()) {
      for (const ExplainedPoint* walk : walks->second)
        text += walk->cell                    ? to_string(*walk->cell)
                : internal::is_illegal(*walk) ? "illegal"
                                              : "zero";
      return text;
    }
    if (const auto writes = writes_.find(number); writes != writes_.end())
      for (const ExplainedWrite* write : shown(writes->second, 0))
        text += to_string(write->point.direct);
    return text;
  }

  // What the lines of the explanation say of the element; empty if they do not mention it.
  std::string reason(std::int64_t number) const {
    if (const auto walks = walks_.find(number); walks != walks_.end()) {
      std::string text;
      for (const ExplainedPoint* walk : walks->second)
        text += (text.empty() ? "" : "; ") + internal::walk_text(explanation_, *walk);
      return text;
    }
    if (!explanation_.scatter) return {};
    const auto writes = writes_.find(number);
    if (writes == writes_.end()) return is_untouched(number) ? "no update reaches it" : "";
    std::string text;
    for (const ExplainedWrite* write : shown(writes->second, kMostWrites))
      text += (text.empty() ? "" : "; ") + internal::write_text(explanation_, *write);
    return text;
  }

 private:
  using Writes = std::vector<const ExplainedWrite*>;

  // Whether all writes of the call are known, and none reaches the element.
  bool is_untouched(std::int64_t number) const {
    return explanation_.scatter && std::ssize(explanation_.writes) == explanation_.points &&
           !writes_.contains(number);
  }

  // The writes that determine the element: the last one where writes replace each other, else the
  // last `most` of those that fold, or all if `most` is 0.
  Writes shown(const Writes& writes, std::size_t most) const {
    const std::size_t count = explanation_.folds ? writes.size() : 1;
    const std::size_t kept = most == 0 ? count : std::min(count, most);
    return {writes.end() - static_cast<std::ptrdiff_t>(kept), writes.end()};
  }

  const Explanation& explanation_;
  std::map<std::int64_t, std::vector<const ExplainedPoint*>> walks_;  // several where they fold
  std::map<std::int64_t, Writes> writes_;
  std::map<std::int64_t, const ExplainedCell*> cells_;
};

bool differ(const Outcome& first, const Outcome& second, std::int64_t number) {
  const std::string a = first.value_beside(second, number);
  const std::string b = second.value_beside(first, number);
  return a.empty() || b.empty() ? first.source(number) != second.source(number) : a != b;
}

std::string type_text(const ExplainedTensor& tensor) {
  return std::string(dtype_name(tensor.dtype)) + to_string(tensor.shape);
}

void compare_elements(const Explanation& first, const Explanation& second, std::int64_t most,
                      Comparison& comparison) {
  const Outcome one(first);
  const Outcome other(second);
  std::set<std::int64_t> numbers;
  one.add_numbers(numbers);
  other.add_numbers(numbers);
  if (one.knows_all() && other.knows_all())
    for (std::int64_t i = 0; i < comparison.elements; ++i) numbers.insert(numbers.end(), i);
  for (const std::int64_t number : numbers) {
    if (!one.knows(number) || !other.knows(number)) continue;
    ++comparison.compared;
    if (!differ(one, other, number)) continue;
    if (comparison.parting++ >= most) continue;
    comparison.partings.push_back({position_of(first.output.shape, number),
                                   one.value_beside(other, number), other.value_beside(one, number),
                                   one.reason(number), other.reason(number)});
  }
}

}  // namespace

bool parts(const Comparison& comparison) noexcept {
  return !comparison.shapes.empty() || comparison.parting > 0 ||
         comparison.first_failure.empty() != comparison.second_failure.empty();
}

Comparison compare(const Explanation& first, const Explanation& second, std::int64_t most) {
  Comparison comparison;
  comparison.first = first.operator_name;
  comparison.second = second.operator_name;
  comparison.first_failure = first.failure;
  comparison.second_failure = second.failure;
  comparison.elements = element_count(first.output.shape).value_or(0);
  if (first.output.shape == second.output.shape && first.output.dtype == second.output.dtype)
    compare_elements(first, second, most, comparison);
  else
    comparison.shapes = first.operator_name + " gives " + type_text(first.output) + ", " +
                        second.operator_name + " gives " + type_text(second.output);
  return comparison;
}

std::string to_text(const Comparison& comparison) {
  std::string text = comparison.first + " and " + comparison.second;
  if (!parts(comparison))
    text += comparison.first_failure.empty() ? " give the same result" : " both fail";
  else
    text += " give different results";
  text += "\n";
  if (!comparison.shapes.empty()) text += comparison.shapes + "\n";
  for (const auto& [name, failure] : {std::pair(&comparison.first, &comparison.first_failure),
                                      std::pair(&comparison.second, &comparison.second_failure)})
    if (!failure->empty()) text += *name + " fails: " + *failure + "\n";
  if (comparison.shapes.empty())
    text += std::to_string(comparison.parting) + " of " +
            counted(comparison.compared, "compared element") +
            (comparison.parting == 1 ? " differs" : " differ") + "; the output has " +
            counted(comparison.elements, "element") + "\n";
  for (const Parting& parting : comparison.partings) {
    text += to_string(parting.element) + ":\n";
    for (const auto& [name, value, reason] :
         {std::tuple(&comparison.first, &parting.first, &parting.first_reason),
          std::tuple(&comparison.second, &parting.second, &parting.second_reason)})
      text += "  " + *name + ": " + (reason->empty() ? *value : *reason) + "\n";
  }
  if (comparison.parting > std::ssize(comparison.partings))
    text +=
        "and " + std::to_string(comparison.parting - std::ssize(comparison.partings)) + " more\n";
  return text;
}

namespace {

constexpr std::int64_t kMostCompared = std::int64_t{1} << 16;

// Explains the other call, without the chosen elements if its output does not have them.
Result<Explanation> explain_other(const TranslatedCall& call, const CallOptions& call_options,
                                  ExplainOptions options) {
  Result<Explanation> explanation =
      explain(call.id, call.attributes, call.inputs, call_options, options);
  if (explanation || options.elements.empty()) return explanation;
  options.elements.clear();
  return explain(call.id, call.attributes, call.inputs, call_options, options);
}

}  // namespace

Result<Comparison> compare_operators(const OperatorId& id, const Attributes& attributes,
                                     std::span<const TensorView> inputs, const OperatorId& other,
                                     const Attributes& chosen, const CallOptions& call_options,
                                     const ExplainOptions& options, std::int64_t most) {
  const Result<TranslatedCall> call = translate_call(id, attributes, inputs, other, chosen);
  if (!call) return call.error();
  ExplainOptions all;
  all.elements = options.elements;
  all.most_points = all.most_values = all.most_searched = kMostCompared;
  const Result<Explanation> first = explain(id, attributes, inputs, call_options, all);
  if (!first) return first.error();
  const Result<Explanation> second = explain_other(*call, call_options, all);
  if (!second) return second.error();
  return compare(*first, *second, most);
}

}  // namespace windrow

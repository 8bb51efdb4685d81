#include "src/portability/contracts.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace windrow::internal {
namespace {

constexpr std::size_t kMostNodes = 8;
// The largest number of bounds, and of words, in one contract: a file may have any number of
// extents.
constexpr std::size_t kMostParts = 16;

template <class T>
void add_once(std::vector<T>& list, const T& item, std::size_t most) {
  if (list.size() < most && std::find(list.begin(), list.end(), item) == list.end())
    list.push_back(item);
}

// Adds a bound. Of two numbers, and of two bounds by the same extent, the tighter one stays.
void add_bound(std::vector<Bound>& bounds, const Bound& bound, bool is_low) {
  for (Bound& known : bounds) {
    if (known.extent != bound.extent || known.is_minus != bound.is_minus) continue;
    known.offset =
        is_low ? std::max(known.offset, bound.offset) : std::min(known.offset, bound.offset);
    return;
  }
  add_once(bounds, bound, kMostParts);
}

// The lower bounds without those that the number among them makes redundant: minus an extent is
// never positive.
std::vector<Bound> without_loose(std::vector<Bound> lows) {
  for (const Bound& number : std::vector<Bound>(lows)) {
    if (!number.extent.empty()) continue;
    std::erase_if(lows, [&number](const Bound& bound) {
      return bound.is_minus && bound.offset <= number.offset;
    });
  }
  return lows;
}

// "7", "max(-4, -table.shape[0])"
std::string joined_text(const std::vector<Bound>& bounds, const char* function) {
  if (bounds.empty()) return "";
  if (bounds.size() == 1) return to_string(bounds.front());
  std::string text;
  for (const Bound& bound : bounds) text += (text.empty() ? "" : ", ") + to_string(bound);
  return std::string(function) + "(" + text + ")";
}

}  // namespace

void Contracts::add(const std::string& input, const Demand& demand, const std::string& rule,
                    const std::string& path) {
  Joined& joined = by_input_[input];
  joined.bounds.add(demand.low, demand.high);
  if (!demand.columns.empty() && demand.columns.size() <= kMostParts) {
    std::vector<Bounds>& columns = joined.columns[demand.columns.size()];
    columns.resize(demand.columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i)
      columns[i].add(demand.columns[i].low, demand.columns[i].high);
  }
  if (!demand.words.empty()) add_once(joined.words, demand.words, kMostParts);
  add_once(joined.rules, rule, rule_rows().size());
  add_once(joined.nodes, path, kMostNodes);
}

void Contracts::Bounds::add(const std::optional<Bound>& low, const std::optional<Bound>& high) {
  if (low) add_bound(lows, *low, true);
  if (high) add_bound(highs, *high, false);
}

std::string Contracts::Bounds::low() const { return joined_text(without_loose(lows), "max"); }

std::string Contracts::Bounds::high() const { return joined_text(highs, "min"); }

// "must lie along its last axis in 0 to 3, 0 to x.shape[1] - 1": what holds of all elements, too.
std::string Contracts::columns_text(const Joined& joined, std::vector<Bounds> columns) {
  std::string text;
  for (Bounds& column : columns) {
    for (const Bound& low : joined.bounds.lows) column.add(low, std::nullopt);
    for (const Bound& high : joined.bounds.highs) column.add(std::nullopt, high);
    const std::string low = column.low();
    const std::string high = column.high();
    text += (text.empty() ? "" : ", ") + (low.empty() ? "any" : low) + " to " +
            (high.empty() ? "any" : high);
  }
  return "must lie along its last axis in " + text;
}

InputContract Contracts::contract_of(const std::string& input, const Joined& joined) {
  InputContract contract;
  contract.input = input;
  contract.low = joined.bounds.low();
  contract.high = joined.bounds.high();
  contract.rules = joined.rules;
  contract.nodes = joined.nodes;
  std::vector<std::string> parts;
  for (const auto& [count, columns] : joined.columns)
    parts.push_back(columns_text(joined, columns));
  if (parts.empty() && !contract.low.empty() && !contract.high.empty())
    parts.push_back("must lie in " + contract.low + " to " + contract.high);
  if (parts.empty() && !contract.low.empty() && contract.high.empty())
    parts.push_back("must be at least " + contract.low);
  if (parts.empty() && contract.low.empty() && !contract.high.empty())
    parts.push_back("must be at most " + contract.high);
  parts.insert(parts.end(), joined.words.begin(), joined.words.end());
  contract.sentence = input;
  for (std::size_t i = 0; i < parts.size(); ++i)
    contract.sentence += (i == 0 ? " " : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return contract;
}

std::vector<InputContract> Contracts::list(const std::vector<ValueInfo>& inputs) const {
  std::vector<InputContract> contracts;
  for (const ValueInfo& input : inputs) {
    const auto found = by_input_.find(input.name);
    if (found != by_input_.end()) contracts.push_back(contract_of(input.name, found->second));
  }
  return contracts;
}

}  // namespace windrow::internal

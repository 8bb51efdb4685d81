#include "src/portability/contracts.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "src/models/value_info.h"
#include "windrow/printable.h"

namespace windrow::internal {

std::optional<Premises> premises_of_certain(const InputView& input, Extents& extents) {
  const Premises& premises = input.fact.range.premises;
  if (input.has_elements()) return premises;
  if (input.is_empty() || extents.assumptions_among(premises).empty()) return std::nullopt;
  return united(premises, extents.premise(std::string(input.name) + " has an element"));
}

bool is_contract(const Judgement& judgement) {
  return !judgement.demands.empty() &&
         std::all_of(judgement.demands.begin(), judgement.demands.end(),
                     [](const DemandOn& asked) { return !asked.input->fact.source_input.empty(); });
}

std::vector<const DemandOn*> broken_demands(const Judgement& judgement,
                                            const CheckOptions& options) {
  std::vector<const DemandOn*> broken;
  for (const DemandOn& asked : judgement.demands) {
    if (asked.demand.is_of_interval && options.assume.contains(asked.input->fact.source_input))
      broken.push_back(&asked);
  }
  return broken;
}

Judgement judgement_of_broken(Judgement judgement, const std::vector<const DemandOn*>& broken,
                              const Extents& extents) {
  const DemandOn& first = *broken.front();
  judgement.input = first.input;
  if (!first.what.empty()) judgement.what = first.what;
  for (const DemandOn* asked : broken)
    judgement.premises =
        united(judgement.premises, extents.assumptions_among(asked->input->fact.range.premises));
  return judgement;
}

Status check_premises(const CheckReport& report, std::span<const Extents* const> proofs,
                      const std::map<std::string, Shape, std::less<>>& run_shapes) {
  std::map<std::string, std::int64_t, std::less<>> given;
  for (const auto& [name, shape] : run_shapes) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      given.emplace(extent_name(name, static_cast<std::size_t>(axis)), shape[axis]);
  }
  for (const PortabilityFinding& finding : report.findings) {
    for (const std::string& premise : finding.premises) {
      for (const Extents* const extents : proofs) {
        const std::string how = extents->broken_by(premise, given);
        if (how.empty()) continue;
        return argument_error("the given values break the premise '", printable(premise),
                              "', on which the verdict of ", finding.rule, " on ",
                              printable(finding.node), " rests: ", printable(how));
      }
    }
  }
  return {};
}

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

namespace {

// Operators whose results depend on the shapes of their inputs only.
bool reads_only_shapes(const ModelNode& node) {
  constexpr std::array kNames = {"Shape", "Size", "ShapeOf", "ConstantOfShape"};
  return std::find(kNames.begin(), kNames.end(), node.op_type) != kNames.end();
}

constexpr std::size_t kMostNamed = 3;
// What masks hold, the most frequent inputs that become indices.
constexpr AssumedRange kTriedRange = {0, 1};

// " --assume mask=0..1 --assume more=0..1"
std::string options_text(const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs)
    text += (text.empty() ? "--assume " : " --assume ") + printable(input) + "=" +
            std::to_string(kTriedRange.low) + ".." + std::to_string(kTriedRange.high);
  return text;
}

bool share_a_runtime(const PortabilityFinding& a, const PortabilityFinding& b) {
  return std::any_of(a.runtimes.begin(), a.runtimes.end(), [&b](const std::string& runtime) {
    return std::find(b.runtimes.begin(), b.runtimes.end(), runtime) != b.runtimes.end();
  });
}

const PortabilityFinding* find_same(const CheckReport& report, const PortabilityFinding& finding) {
  for (const PortabilityFinding& other : report.findings) {
    if (other.rule == finding.rule && other.node == finding.node && other.input == finding.input &&
        other.verdict != Verdict::kCannot && share_a_runtime(other, finding))
      return &other;
  }
  return nullptr;
}

// Adds a clause to what a finding says of its node.
void add_clause(PortabilityFinding& finding, const std::string& clause) {
  const std::size_t place = finding.message.find(finding.what);
  if (place != std::string::npos) finding.message.insert(place + finding.what.size(), clause);
  finding.what += clause;
}

}  // namespace

InputTrace::InputTrace(const Model& model) {
  for (const auto* inputs : {&model.inputs, &model.default_inputs}) {
    for (const ValueInfo& input : *inputs) is_integer_[input.name] = is_integer(input.dtype);
  }
  add_graph(model);
}

void InputTrace::add_graph(const Graph& graph) {
  for (const ModelNode& node : graph.nodes) {
    if (reads_only_shapes(node)) continue;
    std::vector<std::string_view> sources(node.inputs.begin(), node.inputs.end());
    for (const NodeBody& body : node.bodies) {
      add_graph(*body.graph);
      for (const ValueInfo& output : body.graph->outputs) sources.emplace_back(output.name);
      for (const ValueInfo& input : body.graph->inputs) {
        auto& of_input = sources_[input.name];
        of_input.insert(of_input.end(), node.inputs.begin(), node.inputs.end());
      }
    }
    for (const std::string& output : node.outputs) {
      auto& of_output = sources_[output];
      of_output.insert(of_output.end(), sources.begin(), sources.end());
    }
  }
}

std::vector<std::string> InputTrace::inputs_of(const std::string& value, std::size_t most) const {
  std::vector<std::string> found;
  std::set<std::string_view> seen{value};
  std::vector<std::string_view> next{value};
  for (std::size_t i = 0; i < next.size() && found.size() < most; ++i) {
    const auto input = is_integer_.find(next[i]);
    if (input != is_integer_.end()) {
      if (input->second) found.emplace_back(next[i]);
      continue;
    }
    const auto sources = sources_.find(next[i]);
    if (sources == sources_.end()) continue;
    for (const std::string_view source : sources->second) {
      if (!source.empty() && seen.insert(source).second) next.push_back(source);
    }
  }
  return found;
}

void name_settling_inputs(const Model& model, const CheckOptions& options,
                          const std::vector<OpenFinding>& open,
                          const std::function<Result<CheckReport>(const CheckOptions&)>& check_with,
                          CheckReport& report) {
  if (open.empty()) return;
  const InputTrace trace(model);
  CheckOptions promised = options;
  std::vector<std::vector<std::string>> named;
  for (const OpenFinding& each : open) {
    std::vector<std::string> inputs = trace.inputs_of(each.value, kMostNamed + 1);
    std::erase_if(inputs, [&](const auto& input) { return options.assume.contains(input); });
    if (inputs.size() > kMostNamed) inputs.clear();
    for (const std::string& input : inputs) promised.assume.emplace(input, kTriedRange);
    named.push_back(std::move(inputs));
  }
  if (promised.assume.size() == options.assume.size()) return;
  const Result<CheckReport> shown = check_with(promised);
  if (!shown) return;
  for (std::size_t i = 0; i < open.size(); ++i) {
    PortabilityFinding& finding = report.findings[open[i].finding];
    if (named[i].empty()) continue;
    const PortabilityFinding* const left = find_same(*shown, finding);
    if (left == nullptr) {
      add_clause(finding, "; " + options_text(named[i]) + " would settle it, if that is true");
    } else if (left->what != finding.what) {
      add_clause(finding, "; a promise such as " + options_text(named[i]) + " would bound them");
    }
  }
}

}  // namespace windrow::internal

#include "src/portability/settling_inputs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

#include "windrow/printable.h"

namespace windrow::internal {
namespace {

// Operators whose results depend on the shapes of their inputs only.
bool reads_only_shapes(const ModelNode& node) {
  constexpr std::array kNames = {"Shape", "Size", "ShapeOf", "ConstantOfShape"};
  return std::find(kNames.begin(), kNames.end(), node.op_type) != kNames.end();
}

constexpr std::size_t kMostNamed = 3;
// What masks hold, the most frequent inputs that become indices.
constexpr AssumedRange kTried = {0, 1};

// " --assume mask=0..1 --assume more=0..1"
std::string options_text(const std::vector<std::string>& inputs) {
  std::string text;
  for (const std::string& input : inputs)
    text += (text.empty() ? "--assume " : " --assume ") + printable(input) + "=" +
            std::to_string(kTried.low) + ".." + std::to_string(kTried.high);
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
    for (const std::string& input : inputs) promised.assume.emplace(input, kTried);
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

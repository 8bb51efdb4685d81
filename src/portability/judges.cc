#include "src/portability/judges.h"

#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace windrow::internal {
namespace {

// The day on which sources were last examined.
constexpr const char* kSourcesSeen = "2026-11-23";

// The release in which a runtime's effects were last tried, and the day.
struct TriedRelease {
  std::string_view runtime;
  const char* release;
  const char* seen;
};
constexpr std::array<TriedRelease, 3> kTriedReleases = {
    {{"onnxruntime", "onnxruntime 1.32.0", "2026-11-26"},
     {"openvino", "openvino 2026.4.1", "2026-11-26"},
     {"onnx", "onnx 1.23.2", "2026-11-23"}}};

constexpr const char* kTensorrtProvider =
    "https://onnxruntime.ai/docs/execution-providers/TensorRT-ExecutionProvider.html";

// Adds what ONNX Runtime's provider of TensorRT does, which leaves to other providers what TensorRT
// refuses and runs the rest in TensorRT.
void add_tensorrt_provider(RuleRow& row) {
  std::vector<RuleEffect> added;
  for (const RuleEffect& effect : row.effects) {
    if (effect.runtime != "tensorrt" || (row.dialects & kOnnx) == 0) continue;
    RuleEffect made = effect;
    made.runtime = "onnxruntime";
    made.device = "tensorrt";
    if (effect.severity == Severity::kFails) {
      made.effect = "leaves the node to another provider, since TensorRT " + effect.effect;
      made.source = kTensorrtProvider;
    }
    added.push_back(std::move(made));
  }
  row.effects.insert(row.effects.end(), added.begin(), added.end());
}

RuleEffect effect_on(std::string_view runtime, Severity severity, const char* effect) {
  RuleEffect made;
  const std::size_t colon = runtime.find(':');
  made.runtime = runtime.substr(0, colon);
  if (colon != std::string_view::npos) made.device = runtime.substr(colon + 1);
  made.severity = severity;
  made.effect = effect;
  made.seen = kSourcesSeen;
  return made;
}

// The operator, its inputs and its attributes as an object in JSON.
std::string example_text(const ExampleNode& node) {
  const std::string_view name = node.operator_name;
  if (name.empty()) return {};
  const std::size_t point = name.find('.');
  const std::size_t dash = name.rfind('-');
  const std::string dialect(name.substr(0, point));
  const std::string op(name.substr(point + 1, dash - point - 1));
  const std::string version(name.substr(dash + 1));
  const std::string domain =
      *node.domain == 0 ? "" : R"("domain": ")" + std::string(node.domain) + R"(", )";
  return "{" + domain + R"("dialect": ")" + dialect + R"(", "operator": ")" + op +
         R"(", "version": )" + version + R"(, "attributes": {)" + node.attributes +
         R"(}, "inputs": [)" + node.inputs + "]}";
}

}  // namespace

RuleEffect ran(const char* runtime, Severity severity, const char* effect) {
  RuleEffect made = effect_on(runtime, severity, effect);
  made.ran = true;
  for (const TriedRelease& tried : kTriedReleases) {
    if (made.runtime != tried.runtime) continue;
    made.source = tried.release;
    made.seen = tried.seen;
  }
  return made;
}

RuleEffect read(const char* runtime, Severity severity, const char* effect, const char* source,
                const char* since, const char* until) {
  RuleEffect made = effect_on(runtime, severity, effect);
  made.source = source;
  made.since = since;
  made.until = until;
  return made;
}

const std::vector<RuleRow>& rule_rows() {
  static const auto* const rows = [] {
    auto* const all = new std::vector<RuleRow>();
    for (auto part :
         {rules_of_indices(), rules_of_updates(), rules_of_reductions(), rules_of_types(),
          rules_of_shapes(), rules_of_forms(), rules_of_indexing_operators(), rules_of_segments(),
          rules_of_providers(), rules_of_runs()}) {
      all->insert(all->end(), std::make_move_iterator(part.begin()),
                  std::make_move_iterator(part.end()));
    }
    for (RuleRow& row : *all) add_tensorrt_provider(row);
    return all;
  }();
  return *rows;
}

bool reads(const std::string& runtime, Dialect dialect) {
  if (dialect == kOpenvino) return runtime == "openvino";
  if (dialect == kTensorrt) return runtime == "tensorrt";
  return true;
}

}  // namespace windrow::internal

namespace windrow {

std::span<const PortabilityRule> portability_rules() {
  static const auto* const rules = [] {
    auto* const made = new std::vector<PortabilityRule>();
    for (const internal::RuleRow& row : internal::rule_rows())
      made->push_back({row.label, row.sentence, row.fix, internal::example_text(row.example),
                       row.provocation, row.effects});
    return made;
  }();
  return *rules;
}

}  // namespace windrow

#include "src/portability/targets.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/check.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::internal {

std::string to_string(const Bound& bound) {
  if (bound.extent.empty()) return std::to_string(bound.offset);
  std::string text = (bound.is_minus ? "-" : "") + bound.extent;
  if (bound.offset > 0) text += " + " + std::to_string(bound.offset);
  if (bound.offset < 0) text += " - " + std::to_string(-bound.offset);
  return text;
}

Judgement cannot(std::string what) { return verdict_of(false, std::move(what)); }
Judgement can(std::string what) { return verdict_of(std::nullopt, std::move(what)); }
Judgement happens(std::string what) { return verdict_of(true, std::move(what)); }

Judgement verdict_by_range(const InputView& input, bool is_proved, std::string what,
                           Demand demand) {
  Judgement judgement = is_proved ? cannot(std::move(what)) : can(std::move(what));
  judgement.input = &input;
  judgement.evidence = Evidence::kRange;
  judgement.demands = {{&input, std::move(demand)}};
  return judgement;
}

Judgement verdict_of(std::optional<bool> holds, std::string what) {
  Judgement judgement;
  judgement.verdict = Verdict::kCan;
  if (holds) judgement.verdict = *holds ? Verdict::kHappens : Verdict::kCannot;
  judgement.what = std::move(what);
  return judgement;
}

std::optional<Judgement> judge_under_premises(const RuleRow& row, const NodeView& node) {
  std::optional<Judgement> judgement = row.judge(node);
  if (!judgement || judgement->verdict == Verdict::kCan || node.without_premises == nullptr)
    return judgement;
  node.without_premises->shows_cannot = node.shows_cannot;
  std::optional<Judgement> bare = row.judge(*node.without_premises);
  if (bare && bare->verdict == judgement->verdict) return bare;
  judgement->premises = united(judgement->premises, node.form_premises);
  return judgement;
}

}  // namespace windrow::internal

namespace windrow {
namespace internal {
namespace {

// The numbers of a version such as "1.31.1"; nothing if the text is not a version.
std::optional<std::vector<int>> numbers_of(std::string_view version) {
  std::vector<int> numbers;
  while (true) {
    const std::size_t point = std::min(version.find('.'), version.size());
    int number = 0;
    const auto [end, error] = std::from_chars(version.data(), version.data() + point, number);
    if (error != std::errc() || end != version.data() + point || number < 0) return std::nullopt;
    numbers.push_back(number);
    if (point == version.size()) return numbers;
    version.remove_prefix(point + 1);
  }
}

// -1, 0 or 1 by the first numbers, as many as both versions have.
int compare_versions(std::string_view a, std::string_view b) {
  const auto first = numbers_of(a);
  const auto second = numbers_of(b);
  if (!first || !second) return 0;
  const auto [x, y] = std::mismatch(first->begin(), first->end(), second->begin(), second->end());
  if (x == first->end() || y == second->end()) return 0;
  return *x < *y ? -1 : 1;
}

// Runtimes that few have, which are told if a target names them.
constexpr std::array<std::string_view, 6> kOnRequest = {"onnxruntime:coreml",   "onnxruntime:qnn",
                                                        "onnxruntime:tensorrt", "onnxruntime:webnn",
                                                        "tflite:cpu",           "tvm:cpu"};

bool is_on_request(std::string_view name) {
  return std::find(kOnRequest.begin(), kOnRequest.end(), name) != kOnRequest.end();
}

// Every "runtime:device" of the rules, in the order of their names.
const std::set<std::string>& known_targets() {
  static const auto* const known = [] {
    auto* const names = new std::set<std::string>();
    for (const PortabilityRule& rule : portability_rules()) {
      for (const RuleEffect& effect : rule.effects)
        names->insert(effect.runtime + ":" + effect.device);
    }
    return names;
  }();
  return *known;
}

// The known runtimes of this name and, if the target has one, this device.
std::vector<std::string> known_as(const RuntimeTarget& target) {
  std::vector<std::string> names;
  for (const std::string& name : known_targets()) {
    if (target.device.empty() ? name.starts_with(target.runtime + ":") : name == name_of(target))
      names.push_back(name);
  }
  return names;
}

// The known runtimes that a target names. Without a device these are those that are told unasked,
// if there are any.
std::vector<std::string> named_by(const RuntimeTarget& target) {
  std::vector<std::string> names = known_as(whole_target(target));
  if (!std::all_of(names.begin(), names.end(), is_on_request)) std::erase_if(names, is_on_request);
  return names;
}

// Names the nearest runtime, or runtime and device.
std::string target_hint(const std::string& name) {
  NearestName nearest(name);
  for (const std::string& known : known_targets()) {
    nearest.consider(known.substr(0, known.find(':')));
    nearest.consider(known.substr(known.find(':') + 1));
    nearest.consider(known);
  }
  return nearest.hint();
}

// Moves the text after `mark` from `word` to `part`. Errors: kInvalidArgument (nothing follows the
// mark).
Status cut_off(char mark, const char* what, std::string_view& word, std::string& part) {
  const std::size_t at = word.find(mark);
  if (at == std::string_view::npos) return {};
  part = word.substr(at + 1);
  word = word.substr(0, at);
  if (!part.empty()) return {};
  return Status(ErrorCode::kInvalidArgument,
                std::string("expected a ") + what + " after '" + printable(word) + mark + "'");
}

}  // namespace

std::string name_of(const RuntimeTarget& target) {
  return target.device.empty() ? target.runtime : target.runtime + ":" + target.device;
}

bool is_told_unasked(const RuleEffect& effect) {
  return effect.until.empty() && !is_on_request(effect.runtime + ":" + effect.device);
}

bool is_known(const RuntimeTarget& target) { return !named_by(target).empty(); }

bool is_well_known(const RuntimeTarget& target) {
  const std::vector<std::string> names = named_by(target);
  return !std::all_of(names.begin(), names.end(), is_on_request);
}

RuntimeTarget whole_target(const RuntimeTarget& target) {
  if (!known_as(target).empty() || !target.device.empty() || target.runtime.empty()) return target;
  RuntimeTarget whole = target;
  std::size_t count = 0;
  for (const std::string& name : known_targets()) {
    if (!name.ends_with(":" + target.runtime)) continue;
    ++count;
    whole.runtime = name.substr(0, name.find(':'));
    whole.device = target.runtime;
  }
  return count == 1 ? whole : target;
}

std::string unknown_text(const RuntimeTarget& target) {
  const std::string name = name_of(target);
  return "no rule knows the runtime '" + printable(name) +
         "', which was judged by the operators' specification alone" + target_hint(name);
}

RuleEffect effect_of_unknown(const RuntimeTarget& target, const char* specification) {
  RuleEffect effect;
  effect.runtime = target.runtime;
  effect.device = target.device;
  effect.severity = Severity::kUndefined;
  effect.effect = std::string("is not known here; the specification ") + specification;
  return effect;
}

bool is_effect_on(const RuleEffect& effect, std::span<const RuntimeTarget> targets) {
  return std::any_of(targets.begin(), targets.end(), [&effect](const RuntimeTarget& target) {
    const std::vector<std::string> names = named_by(target);
    if (std::find(names.begin(), names.end(), effect.runtime + ":" + effect.device) == names.end())
      return false;
    if (target.version.empty()) return effect.until.empty();
    return (effect.since.empty() || compare_versions(target.version, effect.since) >= 0) &&
           (effect.until.empty() || compare_versions(target.version, effect.until) <= 0);
  });
}

std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets) {
  std::vector<std::string> names;
  if (targets.empty()) {
    std::copy_if(known_targets().begin(), known_targets().end(), std::back_inserter(names),
                 [](const std::string& name) { return !is_on_request(name); });
  }
  for (const RuntimeTarget& target : targets) {
    std::vector<std::string> named = named_by(target);
    if (named.empty()) named.push_back(name_of(target));
    for (std::string& name : named) {
      if (std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(std::move(name));
    }
  }
  return names;
}

Status check_target(const RuntimeTarget& target) {
  if (target.runtime.empty())
    return Status(ErrorCode::kInvalidArgument,
                  "expected the name of a runtime, such as onnxruntime:cpu");
  if (!target.version.empty() && !numbers_of(target.version))
    return Status(ErrorCode::kInvalidArgument,
                  "'" + printable(target.version) + "' is not a version of " +
                      printable(name_of(target)) + "; expected numbers as in 1.31");
  return {};
}

}  // namespace internal

Result<std::vector<RuntimeTarget>> parse_targets(std::string_view text) {
  std::vector<RuntimeTarget> targets;
  for (bool is_last = false; !is_last;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    is_last = comma == text.size();
    std::string_view word = text.substr(0, comma);
    text.remove_prefix(is_last ? comma : comma + 1);
    RuntimeTarget target;
    Status status = internal::cut_off('@', "version", word, target.version);
    if (status) status = internal::cut_off(':', "device", word, target.device);
    target.runtime = word;
    if (status) status = internal::check_target(target);
    if (!status) return status;
    targets.push_back(internal::whole_target(target));
  }
  return targets;
}

namespace {

constexpr std::array<std::string_view, 4> kSeverities = {"fails", "silent", "undefined", "slow"};
constexpr std::array<std::string_view, 3> kVerdicts = {"cannot", "can", "happens"};
constexpr std::array<std::string_view, 3> kEvidences = {"constant", "range", "inputs"};

// The enumerator with this name; `names` has the names in the enumerators' order.
template <class Enum, std::size_t kCount>
std::optional<Enum> find_name(const std::array<std::string_view, kCount>& names,
                              std::string_view name) noexcept {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view severity_name(Severity severity) noexcept {
  return kSeverities[static_cast<std::size_t>(severity)];
}

std::optional<Severity> parse_severity(std::string_view name) noexcept {
  return find_name<Severity>(kSeverities, name);
}

std::string_view verdict_name(Verdict verdict) noexcept {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> parse_verdict(std::string_view name) noexcept {
  return find_name<Verdict>(kVerdicts, name);
}

std::string_view evidence_name(Evidence evidence) noexcept {
  return kEvidences[static_cast<std::size_t>(evidence)];
}

std::optional<Evidence> parse_evidence(std::string_view name) noexcept {
  return find_name<Evidence>(kEvidences, name);
}

}  // namespace windrow

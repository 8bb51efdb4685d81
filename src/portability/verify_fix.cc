#include "src/portability/verify_fix.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/element.h"
#include "src/base/float_types.h"
#include "src/models/host_ops/host_ops.h"
#include "src/portability/given_values.h"
#include "src/portability/node_edit.h"
#include "src/ranges/floats.h"
#include "src/ranges/integers.h"
#include "windrow/fix.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

// A node's path and a rule, or what a rule is about.
using Place = std::pair<std::string, std::string>;

// What a rule is about, which rules of several operators may be: "index-range" of
// "scatter-nd-index-range". A change of the operator is no reason for a new finding.
std::string subject_of(std::string_view rule) {
  constexpr std::array<std::string_view, 8> kOperators = {
      "scatter-elements-", "scatter-nd-",   "scatter-update-",    "gather-elements-",
      "gather-nd-",        "gather-short-", "feature-extractor-", "gather-"};
  for (const std::string_view beginning : kOperators) {
    if (rule.starts_with(beginning)) return std::string(rule.substr(beginning.size()));
  }
  return std::string(rule);
}

RuntimeTarget target_of(std::string_view runtime, std::string version) {
  const std::size_t colon = runtime.find(':');
  const bool has_device = colon != std::string_view::npos;
  return {std::string(runtime.substr(0, colon)),
          has_device ? std::string(runtime.substr(colon + 1)) : "", std::move(version)};
}

// The versions of a runtime in which a rule may have an effect: the newest, and old ones.
void add_targets(std::string_view label, std::string_view runtime,
                 std::vector<RuntimeTarget>& targets) {
  targets.push_back(target_of(runtime, ""));
  for (const auto rules : {portability_rules(), operator_rules()}) {
    for (const PortabilityRule& rule : rules) {
      if (rule.label != label) continue;
      for (const RuleEffect& effect : rule.effects) {
        if (!effect.until.empty() && runtime == effect.runtime + ":" + effect.device)
          targets.push_back(target_of(runtime, effect.until));
      }
    }
  }
}

// The runtimes for which changes were made; none if one was made for a contract, which is with all.
std::vector<RuntimeTarget> targets_of(const FixedModel& after, const CheckReport& report) {
  std::vector<RuntimeTarget> targets;
  for (const ModelFix& change : after.applied) {
    const auto found = std::find_if(
        report.findings.begin(), report.findings.end(), [&change](const auto& finding) {
          return finding.rule == change.rule && finding.node == change.node;
        });
    if (found == report.findings.end() || found->runtimes.empty()) return {};
    for (const std::string& runtime : found->runtimes) add_targets(change.rule, runtime, targets);
  }
  return targets;
}

// Whether a node was added by changes.
bool is_added(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.compare(slash + 1, kFixedNames.size(), kFixedNames) == 0;
}

// The subjects of findings and contracts at each node, with how many there are.
std::map<Place, int> places_of(const CheckReport& report) {
  std::map<Place, int> places;
  for (const PortabilityFinding& finding : report.findings)
    ++places[{finding.node, subject_of(finding.rule)}];
  for (const InputContract& contract : report.contracts) {
    for (const std::string& node : contract.nodes) {
      for (const std::string& rule : contract.rules) ++places[{node, subject_of(rule)}];
    }
  }
  return places;
}

ModelFix fault(const ModelFix& change, std::string why) {
  return {change.rule, change.node, std::move(why), change.safe, change.rounds};
}

// Adds the changes that a finding after them speaks against.
void add_faults(const PortabilityFinding& finding, const FixedModel& after, bool is_new,
                std::vector<ModelFix>& faults) {
  bool is_told = false;
  for (const ModelFix& change : after.applied) {
    const bool is_own = change.rule == finding.rule;
    if (change.node != finding.node || (!is_own && !is_new)) continue;
    is_told = true;
    if (!is_own) {
      faults.push_back(fault(
          change, "a change would bring a new finding, " + finding.rule + ": " + finding.what));
    } else {
      faults.push_back(fault(change, "a change would not help: after it, " + finding.what));
    }
  }
  if (is_told || !is_new) return;
  for (const ModelFix& change : after.applied)
    faults.push_back(fault(change, "the changes would bring a new finding, " + finding.rule +
                                       " on " + finding.node + ": " + finding.what));
}

// Adds the changes whose demands on callers are still made after them.
void add_kept_contracts(const InputContract& contract, const FixedModel& after,
                        std::vector<ModelFix>& faults) {
  const auto has = [](const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  for (const ModelFix& change : after.applied) {
    if (has(contract.nodes, change.node) && has(contract.rules, change.rule))
      faults.push_back(fault(change, "a change would not help: after it, " + contract.sentence));
  }
}

}  // namespace

Result<std::vector<ModelFix>> remaining_findings(const Model& before, const FixedModel& after,
                                                 const CheckReport& report,
                                                 const InferOptions& infer) {
  CheckOptions options;
  options.targets = targets_of(after, report);
  options.infer = infer;
  const Result<CheckReport> first = check(before, options);
  if (!first) return first.error();
  const Result<CheckReport> second = check(after.model, options);
  if (!second) return second.error();
  std::map<Place, int> known = places_of(*first);
  // A node that was added may repeat what the changed node does.
  std::set<std::string> at_changed;
  for (const auto& [place, count] : known) {
    const auto is_at = [&node = place.first](const ModelFix& change) {
      return change.node == node;
    };
    if (std::any_of(after.applied.begin(), after.applied.end(), is_at))
      at_changed.insert(place.second);
  }
  std::vector<ModelFix> faults;
  for (const PortabilityFinding& finding : second->findings) {
    const std::string subject = subject_of(finding.rule);
    if (is_added(finding.node) && at_changed.contains(subject)) continue;
    const bool is_new = --known[{finding.node, subject}] < 0;
    add_faults(finding, after, is_new, faults);
  }
  for (const InputContract& contract : second->contracts)
    add_kept_contracts(contract, after, faults);
  return faults;
}

}  // namespace windrow::internal

namespace windrow {
namespace {

bool is_same_text(const Tensor& a, const Tensor& b) {
  const auto first = a.values<std::string>();
  const auto second = b.values<std::string>();
  return std::equal(first.begin(), first.end(), second.begin(), second.end());
}

// Whether type, shape and bits are the same; NaN equals NaN.
bool is_same(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (a.dtype() == DType::kString) return is_same_text(a, b);
  const auto bytes = static_cast<std::size_t>(a.byte_count());
  if (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0) return true;
  if (!internal::has_float_intervals(a.dtype())) return false;
  const std::int64_t size = dtype_bits(a.dtype()) / 8;
  const auto* const first = static_cast<const char*>(a.data());
  const auto* const second = static_cast<const char*>(b.data());
  for (std::int64_t i = 0; i < a.element_count(); ++i) {
    const std::int64_t at = i * size;
    const bool are_nan =
        std::isnan(internal::float_at(a, i)) && std::isnan(internal::float_at(b, i));
    const auto width = static_cast<std::size_t>(size);
    if (!are_nan && std::memcmp(first + at, second + at, width) != 0) return false;
  }
  return true;
}

// The largest error of a float of 16 bits that counts as rounding, relative to the larger of both
// numbers and 1.
constexpr double kRounding = 1e-2;

// Whether two tensors of floats differ by rounding only.
bool is_close(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  if (!internal::has_float_intervals(a.dtype())) return is_same(a, b);
  for (std::int64_t i = 0; i < a.element_count(); ++i) {
    const double first = internal::float_at(a, i);
    const double second = internal::float_at(b, i);
    const bool are_equal = first == second || (std::isnan(first) && std::isnan(second));
    const double size = std::max({std::abs(first), std::abs(second), 1.0});
    if (!are_equal && !(std::abs(first - second) <= kRounding * size)) return false;
  }
  return true;
}

// The name of the first output that differs, by more than rounding if `rounds`; empty if there is
// none.
std::string differing_output(const NamedTensors& before, const NamedTensors& after, bool rounds) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool same = i < after.size() && before[i].first == after[i].first &&
                      (rounds ? is_close(before[i].second, after[i].second)
                              : is_same(before[i].second, after[i].second));
    if (!same) return before[i].first;
  }
  return {};
}

std::string quoted(const std::string& text) { return "'" + printable(text) + "'"; }

// What the changes may do to results.
struct Allowed {
  bool values_for_errors = false;
  bool rounding = false;
};

Allowed allowed_by(const FixedModel& fixed) {
  Allowed allowed;
  for (const ModelFix& change : fixed.applied) {
    allowed.values_for_errors |= !change.safe && !change.rounds;
    allowed.rounding |= change.rounds;
  }
  return allowed;
}

void compare(const Result<NamedTensors>& before, const Result<NamedTensors>& after,
             const Allowed& allowed, const std::string& run, FixVerification& verification) {
  if (!before && !after) {
    ++verification.refused;
    verification.reasons.push_back(
        run + " ends with an error before and after the change: " + before.error().message());
  } else if (!before) {
    ++verification.gained;
    if (!allowed.values_for_errors && before.error().code() == ErrorCode::kIndexOutOfRange)
      verification.failure =
          run + " gives a result, which was an error: " + before.error().message();
  } else if (!after) {
    verification.failure =
        run + " ends with an error, which it did not: " + after.error().message();
  } else if (const std::string output = differing_output(*before, *after, allowed.rounding);
             !output.empty()) {
    verification.failure = run + " gives another output " + quoted(output);
  } else {
    ++verification.equal;
  }
}

NamedViews views_of(const NamedTensors& tensors) {
  NamedViews views;
  for (const auto& [name, tensor] : tensors) views.emplace(name, tensor.view());
  return views;
}

Status check_runs_here(const Model& model) {
  const std::vector<std::string> unsupported = model.unsupported();
  if (unsupported.empty()) return {};
  return {ErrorCode::kUnsupported,
          "the change cannot be verified here, where no " + unsupported.front() + " runs"};
}

}  // namespace

Result<FixVerification> verify_fix(const Model& before, const FixedModel& after,
                                   std::span<const InputContract> contracts,
                                   const VerifyOptions& options) {
  for (const Model* const model : {&before, &after.model}) {
    if (Status status = check_runs_here(*model); !status) return status;
  }
  const Allowed allowed = allowed_by(after);
  FixVerification verification;
  const int runs =
      options.inputs.empty() ? options.samples : static_cast<int>(options.inputs.size());
  for (int run = 0; run < runs && verification.failure.empty(); ++run) {
    NamedTensors drawn;
    std::string how = "the given inputs";
    if (options.inputs.empty()) {
      SampleOptions sample;
      sample.seed = options.seed + static_cast<std::uint64_t>(run);
      sample.breaks_contracts = run % 3 == 2;
      Result<NamedTensors> inputs = sample_inputs(before, contracts, sample);
      if (!inputs) return inputs.error();
      drawn = *std::move(inputs);
      how = sample.breaks_contracts && !contracts.empty() ? "drawn beyond the contracts" : "drawn";
    }
    const NamedViews inputs =
        options.inputs.empty() ? views_of(drawn) : options.inputs[static_cast<std::size_t>(run)];
    const auto first = before.run(inputs);
    const auto second = after.model.run(inputs);
    // A lack of memory says nothing about either model.
    for (const auto* const result : {&first, &second})
      if (!*result && result->error().code() == ErrorCode::kOutOfMemory) return result->error();
    compare(first, second, allowed, "run " + std::to_string(run + 1) + " (" + how + ")",
            verification);
  }
  if (verification.failure.empty() && verification.equal + verification.gained == 0) {
    verification.failure = "no run gave a result";
    if (!verification.reasons.empty()) verification.failure += ": " + verification.reasons.front();
  }
  return verification;
}

namespace internal {
namespace {

constexpr std::int64_t kLargestExtent = 4;
constexpr std::int64_t kMostElements = std::int64_t{1} << 26;

// The shapes of a sample, by input.
using Shapes = std::map<std::string, Shape, std::less<>>;

class Sampler {
 public:
  Sampler(const Model& model, std::span<const InputContract> contracts,
          const SampleOptions& options)
      : model_(model), contracts_(contracts), options_(options), random_(options.seed) {}

  Result<NamedTensors> draw() {
    for (const ValueInfo& input : model_.inputs) shapes_.emplace(input.name, draw_shape(input));
    NamedTensors inputs;
    for (const ValueInfo& input : model_.inputs) {
      const Shape& shape = shapes_.at(input.name);
      if (element_count(shape).value_or(kMostElements + 1) > kMostElements)
        return Status(ErrorCode::kUnsupported,
                      "input '" + input.name + "' is too large to be drawn: give inputs");
      const DType type = input.dtype == DType::kAbsent ? DType::kFloat32 : input.dtype;
      Result<Tensor> tensor = draw_tensor(input.name, type, shape);
      if (!tensor) return tensor.error();
      inputs.emplace_back(input.name, *std::move(tensor));
    }
    return inputs;
  }

 private:
  // The same numbers with every C++ library, whose distributions differ.
  std::int64_t draw(std::int64_t low, std::int64_t high) {
    const std::uint64_t first = static_cast<std::uint64_t>(low);
    const std::uint64_t count = static_cast<std::uint64_t>(std::max(low, high)) - first + 1;
    const std::uint64_t drawn = random_();
    return static_cast<std::int64_t>(first + (count == 0 ? drawn : drawn % count));
  }

  std::int64_t draw_extent(const Dim& dim) {
    if (dim.is_known()) return dim.value;
    const auto among = [&] {
      const std::int64_t low = std::max<std::int64_t>(dim.low, 1);
      return std::min(draw(low, std::max(low, kLargestExtent)), dim.high);
    };
    if (dim.symbol.empty()) return among();
    const auto known = symbols_.find(dim.symbol);
    return known != symbols_.end() ? known->second
                                   : symbols_.emplace(dim.symbol, among()).first->second;
  }

  Shape draw_shape(const ValueInfo& input) {
    if (!input.dims) return {draw(1, kLargestExtent)};
    Shape shape;
    for (const Dim& dim : *input.dims) shape.push_back(draw_extent(dim));
    return shape;
  }

  // An end of a contract: "7", "table.shape[0] - 1", "-table.shape[0]".
  std::optional<std::int64_t> end_of(std::string_view text) const {
    constexpr std::string_view kShape = ".shape[";
    const auto number = [](std::string_view digits) -> std::optional<std::int64_t> {
      std::int64_t value = 0;
      const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
      if (read.ec != std::errc() || read.ptr != digits.data() + digits.size()) return std::nullopt;
      return value;
    };
    const std::size_t shape = text.rfind(kShape);
    if (shape == std::string_view::npos) return number(text);
    const std::size_t close = text.find(']', shape);
    const bool is_minus = text.starts_with('-');
    const auto input = shapes_.find(text.substr(is_minus ? 1 : 0, shape - (is_minus ? 1 : 0)));
    if (close == std::string_view::npos || input == shapes_.end()) return std::nullopt;
    const auto axis = number(text.substr(shape + kShape.size(), close - shape - kShape.size()));
    if (!axis || *axis < 0 || *axis >= input->second.rank()) return std::nullopt;
    std::string rest(text.substr(close + 1));
    std::erase(rest, ' ');
    std::erase(rest, '+');
    const std::int64_t extent = input->second[static_cast<int>(*axis)];
    return (is_minus ? -extent : extent) + (rest.empty() ? 0 : number(rest).value_or(0));
  }

  // The interval from which the integers of an input are drawn.
  std::pair<std::int64_t, std::int64_t> range_of(const std::string& name) {
    for (const InputContract& contract : contracts_) {
      if (contract.input != name) continue;
      const auto low = end_of(contract.low);
      const auto high = end_of(contract.high);
      const std::int64_t first = low.value_or(high ? std::min<std::int64_t>(0, *high) : 0);
      const std::int64_t last = high.value_or(std::max<std::int64_t>(first, 1));
      // A node may refuse much that a contract allows, so half of the samples stay near 0.
      if (options_.seed % 2 == 0) return {first, last};
      const std::int64_t near = std::max<std::int64_t>(first, std::min<std::int64_t>(last, 0));
      return {near, std::min(last, near + (near < last ? 1 : 0))};
    }
    return {0, 1};
  }

  Result<Tensor> draw_tensor(const std::string& name, DType type, const Shape& shape) {
    auto [low, high] = range_of(name);
    if (options_.breaks_contracts) {
      low = low > std::numeric_limits<std::int64_t>::min() / 4 ? 2 * low - 2 : low;
      high = high < std::numeric_limits<std::int64_t>::max() / 4 ? 2 * high + 2 : high;
    }
    const bool is_number = is_integer(type) && !is_packed(type);
    Result<Tensor> tensor = Tensor::zeros(is_number ? DType::kInt64 : type, shape);
    if (!tensor) return tensor.error();
    const Interval all = type_interval(type);
    for (std::int64_t i = 0; i < tensor->element_count(); ++i) {
      const std::int64_t integer = draw(low, high);
      if (is_number) {
        put(*tensor, i, std::clamp(integer, all.low, all.high));
      } else {
        set(*tensor, i);
      }
    }
    return is_number ? convert(*tensor, type) : std::move(tensor);
  }

  template <class T>
  static void put(Tensor& tensor, std::int64_t at, T value) {
    static_cast<T*>(tensor.data())[at] = value;
  }

  // Floats with few digits, including zeros of both signs.
  float draw_float() {
    const float value = static_cast<float>(draw(0, 64)) / 8.0F;
    return draw(0, 1) == 0 ? value : -value;
  }

  void set(Tensor& tensor, std::int64_t at) {
    switch (tensor.dtype()) {
      case DType::kBool:
        return put<std::uint8_t>(tensor, at, static_cast<std::uint8_t>(draw(0, 1)));
      case DType::kFloat16:
        return put(tensor, at, float_to_float16(draw_float()));
      case DType::kBFloat16:
        return put(tensor, at, float_to_bfloat16(draw_float()));
      case DType::kFloat32:
        return put(tensor, at, draw_float());
      case DType::kFloat64:
        return put(tensor, at, static_cast<double>(draw_float()));
      case DType::kComplex64:
        put(tensor, 2 * at, draw_float());
        return put(tensor, 2 * at + 1, draw_float());
      case DType::kComplex128:
        put(tensor, 2 * at, static_cast<double>(draw_float()));
        return put(tensor, 2 * at + 1, static_cast<double>(draw_float()));
      case DType::kString:
        return put(tensor, at, std::string(1, static_cast<char>('a' + draw(0, 3))));
      default:
        set_bits(tensor, at);
    }
  }

  // Sets an element of a packed type, or an 8-bit float that is not NaN.
  void set_bits(Tensor& tensor, std::int64_t at) {
    if (is_packed(tensor.dtype()))
      return set_packed(tensor.dtype(), tensor.data(), at, static_cast<std::uint8_t>(draw(0, 15)));
    put(tensor, at, static_cast<std::uint8_t>(draw(0, 0x77)));
  }

  const Model& model_;
  std::span<const InputContract> contracts_;
  const SampleOptions options_;
  std::mt19937_64 random_;
  Shapes shapes_;
  std::map<std::string, std::int64_t, std::less<>> symbols_;
};

}  // namespace
}  // namespace internal

Result<NamedTensors> sample_inputs(const Model& model, std::span<const InputContract> contracts,
                                   const SampleOptions& options) {
  return internal::Sampler(model, contracts, options).draw();
}

}  // namespace windrow

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <memory>
#include <utility>

#include "src/portability/cells.h"
#include "src/portability/judges.h"
#include "src/portability/promises.h"
#include "src/portability/tensor_elements.h"
#include "src/ranges/floats.h"

namespace windrow::internal {
namespace {

// Whether the node takes the minimum or maximum of floats.
bool takes_extreme_of_floats(const NodeView& node) {
  return node.takes_extreme() && dtype_kind(node.data.fact.dtype) == DTypeKind::kFloat;
}

Judgement found_at(const InputView& input, const Tensor& elements, std::int64_t position,
                   const std::string& why) {
  Judgement judgement;
  judgement.verdict = Verdict::kHappens;
  judgement.input = &input;
  judgement.position = unravel(position, elements.shape());
  judgement.value = element_text(elements, position);
  judgement.evidence = input.is_observed ? Evidence::kInputs : Evidence::kConstant;
  judgement.what =
      std::string(input.name) + position_text(judgement.position) + " is " + judgement.value + why;
  return judgement;
}

// Whether intervals prove that no element is NaN.
bool has_no_nan(const InputView& input) {
  const std::vector<FloatInterval>& floats = input.fact.range.floats;
  return !floats.empty() && std::none_of(floats.begin(), floats.end(),
                                         [](const auto& interval) { return interval.may_be_nan; });
}

// The elements of an input if they are known and of a type that find_float() visits; else null.
std::shared_ptr<const Tensor> known_floats(const InputView& input) {
  const auto elements = known_elements(input);
  return elements != nullptr && has_float_intervals(elements->dtype()) ? elements : nullptr;
}

// Joins the judgements of several inputs, each of which `judge_input` judges. `proved` is the text
// of kCannot.
template <class JudgeInput>
Judgement judge_each(std::initializer_list<const InputView*> inputs, const JudgeInput& judge_input,
                     std::string proved) {
  Judgement open = cannot(std::move(proved));
  for (const InputView* input : inputs) {
    if (!input->is_given() || input->is_empty()) continue;
    Judgement judgement = judge_input(*input);
    if (judgement.verdict == Verdict::kHappens) return judgement;
    if (judgement.evidence == Evidence::kRange) open.evidence = Evidence::kRange;
    if (judgement.verdict == Verdict::kCannot) {
      open.premises = united(open.premises, judgement.premises);
      open.premises = united(open.premises, input->fact.range.premises);
      continue;
    }
    if (open.verdict == Verdict::kCannot) {
      open.verdict = Verdict::kCan;
      open.input = judgement.input;
      open.what = judgement.what;
    }
    for (DemandOn& asked : judgement.demands) asked.what = judgement.what;
    open.demands.insert(open.demands.end(), judgement.demands.begin(), judgement.demands.end());
  }
  if (open.verdict != Verdict::kCannot) open.premises.clear();
  return open;
}

Judgement judge_nan_in(const InputView& input) {
  const std::string name(input.name);
  if (const auto elements = known_floats(input)) {
    const auto found =
        find_float(*elements, [](std::int64_t, double value) { return std::isnan(value); });
    return found ? found_at(input, *elements, *found, "") : cannot(name + " has no NaN");
  }
  // A change of the graph helps, so that nothing is demanded of the caller.
  Judgement judgement =
      verdict_by_range(input, has_no_nan(input), "nothing proves that " + name + " has no NaN", {});
  judgement.demands.clear();
  return judgement;
}

constexpr std::int64_t kLow32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kHigh32 = std::numeric_limits<std::int32_t>::max();

// Values of extents are small under the premise that tensors fit in memory.
Judgement judge_wide_in(const InputView& input, Extents& extents) {
  const auto is_wide = [](std::int64_t low, std::int64_t high) {
    return low < kLow32 || high > kHigh32;
  };
  const std::string name(input.name);
  if (const auto elements = known_elements(input)) {
    const auto found = find_integer(
        *elements, [&](std::int64_t, std::int64_t value) { return is_wide(value, value); });
    return found ? found_at(input, *elements, *found, ", which no int32 holds")
                 : cannot("int32 holds all " + name);
  }
  const std::vector<Interval>& intervals = input.fact.range.integers;
  bool is_proved = !intervals.empty();
  bool is_certain = false;
  Premises premises;
  for (const Interval& interval : intervals) {
    is_certain = is_certain || interval.low > kHigh32 || interval.high < kLow32;
    is_proved = is_proved && (!is_wide(interval.low, interval.high) ||
                              (extents.assume_below(interval, kHigh32, premises) &&
                               extents.assume_above_minus(interval, kHigh32, premises)));
  }
  if (const auto certain = premises_of_certain(input, extents); is_certain && certain) {
    Judgement judgement = happens("int32 does not hold all elements of " + name);
    judgement.input = &input;
    judgement.evidence = Evidence::kRange;
    judgement.premises = *certain;
    return judgement;
  }
  Judgement judgement = verdict_by_range(
      input, is_proved,
      "nothing proves that int32 holds all elements of " + name + ", which is " +
          std::string(dtype_name(input.fact.dtype)),
      {.low = Bound{"", false, kLow32}, .high = Bound{"", false, kHigh32}, .is_of_interval = true});
  if (is_proved) judgement.premises = std::move(premises);
  return judgement;
}

// Whether intervals prove that no element is a zero.
bool has_no_zero(const InputView& input) {
  const std::vector<FloatInterval>& floats = input.fact.range.floats;
  return !floats.empty() && std::all_of(floats.begin(), floats.end(), [](const auto& interval) {
    return interval.low > 0 || interval.high < 0;
  });
}

// The signs of the zeros of an input whose elements are known.
struct Zeros {
  std::shared_ptr<const Tensor> elements;
  bool has_plus = false;
  bool has_minus = false;
};

Zeros zeros_of(const InputView& input) {
  Zeros zeros;
  zeros.elements = known_floats(input);
  if (zeros.elements == nullptr) return zeros;
  find_float(*zeros.elements, [&zeros](std::int64_t, double value) {
    if (value == 0) (std::signbit(value) ? zeros.has_minus : zeros.has_plus) = true;
    return zeros.has_minus && zeros.has_plus;
  });
  return zeros;
}

// Finds the first update that is a zero where its cell is a zero of the other sign.
std::optional<Judgement> find_both_zeros(const NodeView& node, const Tensor& updates,
                                         const Tensor& data) {
  const ExactElements indices = exact_elements(node.indices);
  if (indices.tensor == nullptr) return std::nullopt;
  const std::int64_t most = updates.element_count();
  const auto found =
      find_update(node, *indices.tensor, data.shape(), [&](std::int64_t update, std::int64_t cell) {
        if (update >= most) return false;
        const double a = float_at(updates, update);
        const double b = float_at(data, cell);
        return a == 0 && b == 0 && std::signbit(a) != std::signbit(b);
      });
  if (!found) return std::nullopt;
  return found_at(node.updates, updates, *found, ", and the cell is a zero of the other sign");
}

}  // namespace

std::optional<Judgement> judge_nan(const NodeView& node) {
  if (!takes_extreme_of_floats(node)) return std::nullopt;
  return judge_each({&node.data, &node.updates}, judge_nan_in, "neither data nor updates are NaN");
}

std::optional<Judgement> judge_both_zeros(const NodeView& node) {
  if (!takes_extreme_of_floats(node)) return std::nullopt;
  if (has_no_zero(node.updates)) {
    Judgement judgement = cannot("no update is a zero");
    judgement.evidence = Evidence::kRange;
    judgement.premises = node.updates.fact.range.premises;
    return judgement;
  }
  const Zeros updates = zeros_of(node.updates);
  if (updates.elements && !updates.has_plus && !updates.has_minus)
    return cannot("no update is a zero");
  const Zeros data = zeros_of(node.data);
  if (updates.elements && data.elements) {
    if (!(updates.has_plus || data.has_plus) || !(updates.has_minus || data.has_minus))
      return cannot("all zeros of data and updates have one sign");
    if (auto judgement = find_both_zeros(node, *updates.elements, *data.elements)) return judgement;
  }
  Judgement judgement = can("a cell may get a 0 and a -0: no proof was found that it does not");
  judgement.evidence = Evidence::kRange;
  judgement.demands = {{&node.updates, {.words = "must not hold zeros of both signs"}}};
  return judgement;
}

std::optional<Judgement> judge_wide_data(const NodeView& node) {
  const DType dtype = node.data.fact.dtype;
  if (dtype == DType::kAbsent) return std::nullopt;
  // Inputs of uint32 are copied bit by bit.
  const bool is_copied = dtype == DType::kUint32 && !node.reduces() &&
                         node.data.fact.constant == nullptr &&
                         node.updates.fact.constant == nullptr;
  if ((dtype != DType::kInt64 && dtype != DType::kUint64 && dtype != DType::kUint32) || is_copied)
    return cannot("data is " + std::string(dtype_name(dtype)));
  Judgement judgement = judge_each(
      {&node.data, &node.updates},
      [&node](const InputView& input) { return judge_wide_in(input, *node.extents); },
      "int32 holds all data and updates");
  if (judgement.verdict == Verdict::kCannot && node.computes()) {
    judgement = can("nothing proves that int32 holds all results of " + node.reduction);
    judgement.evidence = Evidence::kRange;
  }
  if (node.computes()) judgement.demands.clear();  // bounds on elements do not bound their sums
  return judgement;
}

}  // namespace windrow::internal

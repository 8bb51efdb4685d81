#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/cells.h"
#include "src/portability/given_values.h"
#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

bool has_fixed_shape(const InputView& input) { return input.count().has_value(); }

// Whether the elements are the same in every run: OpenVINO computes what follows from constants
// when it compiles the model.
bool is_constant(const InputView& input) {
  if (input.is_observed) return false;
  return input.fact.constant != nullptr ||
         (input.fact.range.premises.empty() && exact_elements(input).tensor != nullptr);
}

bool is_narrow(const InputView& input) {
  return input.fact.dtype == DType::kInt4 || input.fact.dtype == DType::kUint4;
}

// "start and axes"
std::string names_of(const std::vector<const InputView*>& inputs) {
  std::string text;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    text += (i == 0 ? "" : i + 1 == inputs.size() ? " and " : ", ") + std::string(inputs[i]->name);
  return text;
}

}  // namespace

std::optional<Judgement> judge_falling(const NodeView& node) {
  const InputView& indices = node.indices;
  const std::string name = node.text_of(indices);
  if (const auto count = indices.count(); count && *count < 2)
    return cannot(name + " have fewer than two elements");
  const ExactElements known = exact_elements(indices);
  if (known.tensor == nullptr)
    return verdict_by_range(indices, false, "nothing proves that " + name + " do not fall",
                            {.words = "must not fall"});
  std::int64_t before = std::numeric_limits<std::int64_t>::min();
  const auto found = find_integer(*known.tensor, [&before](std::int64_t, std::int64_t value) {
    return value < std::exchange(before, value);
  });
  Judgement judgement = cannot(name + " do not fall");
  if (found) {
    judgement.position = unravel(*found, known.tensor->shape());
    judgement.value = element_text(*known.tensor, *found);
    judgement.verdict = Verdict::kHappens;
    judgement.what = name + position_text(judgement.position) + " is " + judgement.value +
                     ", which is below " + element_text(*known.tensor, *found - 1) + " before it";
  }
  judgement.input = &indices;
  judgement.evidence = known.evidence;
  if (known.evidence == Evidence::kRange) judgement.premises = indices.fact.range.premises;
  return judgement;
}

// OpenVINO's CPU plug-in reads the slices in a run only if a shape is open in the model. What was
// observed does not say whether one is.
std::optional<Judgement> judge_slices_of_a_run(const NodeView& node) {
  if (node.data.is_observed || node.slices.empty()) return std::nullopt;
  std::vector<const InputView*> decided;
  for (const InputView& input : node.slices)
    if (!is_constant(input)) decided.push_back(&input);
  if (decided.empty()) return cannot("the slices are constants");
  if (!has_fixed_shape(node.data) || !has_fixed_shape(node.updates) ||
      !std::all_of(node.slices.begin(), node.slices.end(), has_fixed_shape))
    return cannot("a shape is open");
  return happens("the run decides " + names_of(decided) + ", and all shapes are known");
}

// OpenVINO reads a byte for each element of such a constant.
std::optional<Judgement> judge_narrow_slices(const NodeView& node) {
  for (const InputView& input : node.slices) {
    if (!is_narrow(input) || input.fact.constant == nullptr) continue;
    const std::optional<std::int64_t> value = single_value(input);
    if (!value || *value < 0)
      return happens(node.text_of(input) + " is " + std::string(dtype_name(input.fact.dtype)) +
                     " and " + (value ? std::to_string(*value) : "has several elements"));
  }
  return cannot("the slices are no such constants");
}

}  // namespace windrow::internal

#include "tests/random/random_call.h"

#include <algorithm>

#include "tests/random/call_plan.h"
#include "tests/support/describe.h"
#include "tests/support/writes_into_data.h"
#include "windrow/onnx_attributes.h"

namespace windrow::tests {
namespace {

constexpr int kBadIndexPercent = 12;
constexpr OutOfRange kPolicies[] = {OutOfRange::kError, OutOfRange::kZero, OutOfRange::kSkip,
                                    OutOfRange::kClamp, OutOfRange::kModulo};

constexpr NegativeIndex kNegatives[] = {NegativeIndex::kFromEnd, NegativeIndex::kOutOfRange,
                                        NegativeIndex::kError};

OperatorInfo random_operator(Rng& rng) {
  static const std::vector<OperatorInfo> rows = list_operators();
  return rng.pick(rows);
}

CallOptions random_options(Rng& rng) {
  CallOptions options;
  if (rng.chance(45)) options.out_of_range = rng.pick(kPolicies);
  if (rng.chance(30)) options.negative = rng.pick(kNegatives);
  if (rng.chance(20)) options.padding_index = rng.chance(50) ? -1 : rng.between(-6, 8);
  options.strict = rng.chance(12);
  if (rng.chance(12)) options.duplicates = Duplicates::kError;
  return options;
}

// Sometimes breaks a rule: both implementations must refuse the call alike.
void spoil(Rng& rng, CallPlan& plan) {
  InputPlan& input =
      plan.inputs[static_cast<std::size_t>(rng.small(0, static_cast<int>(plan.inputs.size()) - 1))];
  switch (rng.small(0, 5)) {
    case 0:
      if (input.shape.rank() > 0)
        input.shape[rng.small(0, input.shape.rank() - 1)] = rng.between(0, 4);
      break;
    case 1:
      input.shape.push_back(rng.between(1, 2));
      break;
    case 2: {
      Shape shorter;
      shorter.append(input.shape, 0, input.shape.rank() - 1);
      input.shape = shorter;
      break;
    }
    case 3:
      plan.attributes["axis"] = rng.between(-8, 8);
      break;
    case 4:
      plan.attributes["batch_dims"] = rng.between(-1, 4);
      break;
    default:
      plan.attributes["reduction"] = std::string("mean");
  }
}

bool fits_in_memory(const CallPlan& plan) {
  return std::all_of(plan.inputs.begin(), plan.inputs.end(), [](const InputPlan& input) {
    return element_count(input.shape).value_or(0) < (std::int64_t{1} << 20);
  });
}

std::unique_ptr<StridedBuffer> make_input(Rng& rng, const InputPlan& input, bool written) {
  if (input.dtype == DType::kAbsent) return nullptr;
  auto buffer = std::make_unique<StridedBuffer>(input.dtype, input.shape,
                                                random_layout(rng, input.shape.rank(), written));
  if (input.value) {
    fill_all(buffer->mutable_view(), *input.value);
  } else if (!input.vector.empty()) {
    fill_with(buffer->mutable_view(), input.vector);
  } else if (input.indices) {
    fill_indices(rng, buffer->mutable_view(), *input.indices, kBadIndexPercent);
  } else {
    fill_values(rng, buffer->mutable_view());
  }
  return buffer;
}

// Sometimes leaves out a number that follows from ids, unless they make the result large.
void leave_out_number(Rng& rng, RandomCall& call) {
  constexpr std::int64_t kMost = 64;
  for (std::size_t i = 0; i < call.inputs.size(); ++i) {
    if (call.info.inputs[i].counted_input < 0 || !rng.chance(40)) continue;
    std::vector<TensorView> views = call.views();
    views[i] = TensorView();
    const std::vector<TensorSpec> specs = specs_of(call.id, views).value();
    if (specs[i].value != nullptr && specs[i].value->values<std::int64_t>().front() <= kMost)
      call.inputs[i].reset();
  }
}

}  // namespace

std::vector<TensorView> RandomCall::views() const {
  std::vector<TensorView> views;
  for (const auto& input : inputs) views.push_back(input ? input->view() : TensorView());
  return views;
}

RandomCall make_random_call(std::uint64_t seed) {
  Rng rng(seed);
  RandomCall call;
  call.seed = seed;
  call.info = random_operator(rng);
  const int newest = call.info.domain.empty() ? onnx::kNewestOpset : 5;
  const int version = rng.small(call.info.since_version, std::min(call.info.until_version, newest));
  call.id = {call.info.dialect, call.info.name, version};
  CallPlan plan = generate_call(rng, call.info);
  if (rng.chance(5)) {
    CallPlan spoiled = plan;
    spoil(rng, spoiled);
    if (fits_in_memory(spoiled)) plan = spoiled;
  }
  call.attributes = plan.attributes;
  call.options = random_options(rng);
  call.in_place = writes_into_data(call.info) && rng.chance(30);
  call.compiled_for_dense = rng.chance(20);
  call.own_scratch = rng.chance(30);
  for (std::size_t i = 0; i < plan.inputs.size(); ++i)
    call.inputs.push_back(make_input(rng, plan.inputs[i], i == 0 && call.in_place));
  leave_out_number(rng, call);
  call.out_layout = random_layout(rng, kMaxRank, true);
  return call;
}

std::string describe(const RandomCall& call) {
  std::string text = "WINDROW_RANDOM_SEED=" + std::to_string(call.seed) + "\n  " + call.id.dialect +
                     "." + call.id.name + " opset " + std::to_string(call.id.version.value_or(0)) +
                     ", " + describe(call.attributes) + ", " + describe(call.options) +
                     (call.in_place ? ", in place" : "") +
                     (call.own_scratch ? ", own scratch" : "") +
                     (call.compiled_for_dense ? ", compiled for dense inputs" : "");
  for (std::size_t i = 0; i < call.inputs.size(); ++i)
    text += "\n  input " + std::to_string(i) + ": " +
            describe(call.inputs[i] ? call.inputs[i]->view() : TensorView());
  return text;
}

}  // namespace windrow::tests

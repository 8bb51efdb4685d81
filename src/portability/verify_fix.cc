#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/tensor_elements.h"
#include "src/ranges/floats.h"
#include "windrow/fix.h"
#include "windrow/printable.h"

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

}  // namespace windrow

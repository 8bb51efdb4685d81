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

// The name of the first output that differs; empty if there is none.
std::string differing_output(const NamedTensors& before, const NamedTensors& after) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool same = i < after.size() && before[i].first == after[i].first &&
                      is_same(before[i].second, after[i].second);
    if (!same) return before[i].first;
  }
  return {};
}

std::string quoted(const std::string& text) { return "'" + printable(text) + "'"; }

void compare(const Result<NamedTensors>& before, const Result<NamedTensors>& after, bool all_safe,
             const std::string& run, FixVerification& verification) {
  if (!before && !after) {
    ++verification.refused;
  } else if (!before) {
    ++verification.gained;
    if (all_safe && before.error().code() == ErrorCode::kIndexOutOfRange)
      verification.failure =
          run + " gives a result, which was an error: " + before.error().message();
  } else if (!after) {
    verification.failure =
        run + " ends with an error, which it did not: " + after.error().message();
  } else if (const std::string output = differing_output(*before, *after); !output.empty()) {
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
  const bool all_safe = std::all_of(after.applied.begin(), after.applied.end(),
                                    [](const ModelFix& fix) { return fix.safe; });
  FixVerification verification;
  const int runs =
      options.inputs.empty() ? options.samples : static_cast<int>(options.inputs.size());
  for (int run = 0; run < runs && verification.failure.empty(); ++run) {
    NamedTensors drawn;
    if (options.inputs.empty()) {
      SampleOptions sample;
      sample.seed = options.seed + static_cast<std::uint64_t>(run);
      sample.breaks_contracts = run % 3 == 2;
      Result<NamedTensors> inputs = sample_inputs(before, contracts, sample);
      if (!inputs) return inputs.error();
      drawn = *std::move(inputs);
    }
    const NamedViews inputs =
        options.inputs.empty() ? views_of(drawn) : options.inputs[static_cast<std::size_t>(run)];
    const auto first = before.run(inputs);
    const auto second = after.model.run(inputs);
    // A lack of memory says nothing about either model.
    for (const auto* const result : {&first, &second})
      if (!*result && result->error().code() == ErrorCode::kOutOfMemory) return result->error();
    compare(first, second, all_safe, "run " + std::to_string(run + 1), verification);
  }
  if (verification.failure.empty() && verification.equal + verification.gained == 0)
    verification.failure = "no run gave a result";
  return verification;
}

}  // namespace windrow

#include "src/ranges/arithmetic_profile.h"

#include <algorithm>
#include <limits>
#include <string>

#include "src/ranges/floats.h"
#include "src/ranges/integers.h"

namespace windrow::internal {
namespace {

// One less than the largest integer up to which float32 holds all: the next one is rounded to it.
constexpr std::int64_t kExactInFloat32 = (std::int64_t{1} << 24) - 1;

constexpr std::string_view kSpecifiedRuns[] = {"windrow", "onnx:reference"};
constexpr std::string_view kEvaluateRuns[] = {"openvino:evaluate"};
constexpr std::string_view kOnnxruntimeRuns[] = {"onnxruntime:cpu"};
constexpr std::string_view kOpenvinoRuns[] = {"openvino:cpu"};

constexpr ArithmeticProfile kProfiles[] = {
    {.name = "specification",
     .runtimes = kSpecifiedRuns,
     .ran = true,
     .source = "onnx 1.23.2",
     .seen = "2026-11-25"},
    {.name = "openvino's evaluate",
     .runtimes = kEvaluateRuns,
     .ran = true,
     .source = "openvino 2026.4.1",
     .seen = "2026-11-25"},
    {.name = "onnxruntime",
     .runtimes = kOnnxruntimeRuns,
     .largest_boolean = 255,
     .compares_by_signed_halves = true,
     .infers_as_onnx = true,
     .sigmoid_excess = 0x1p-20,
     .ran = true,
     .source = "onnxruntime 1.32.0",
     .seen = "2026-11-26"},
    {.name = "openvino",
     .runtimes = kOpenvinoRuns,
     .keeps_integer_types = false,
     .most_exact = kExactInFloat32,
     .largest_boolean = 255,
     .rounds_to_bfloat16 = true,
     .may_divide_down = true,
     .misreads_empty_constants = true,
     .keeps_stacked_values = true,
     .may_lose_values_of_if = true,
     .sigmoid_excess = 0x1p-20,
     .ran = true,
     .source = "openvino 2026.4.1",
     .seen = "2026-11-25"},
    {.name = "unknown",
     .keeps_integer_types = false,
     .most_exact = kExactInFloat32,
     .largest_boolean = 255,
     .rounds_to_bfloat16 = true,
     .rounds_to_float16 = true,
     .may_divide_down = true,
     .misreads_empty_constants = true,
     .keeps_stacked_values = true,
     .may_lose_values_of_if = true,
     .sigmoid_excess = -1,
     .source = "no runtime: what holds wherever integers are computed in float32 or wider",
     .seen = "2026-11-25"},
};

}  // namespace

Interval ArithmeticProfile::anything(DType type) const {
  if (type == DType::kBool) return {0, largest_boolean};
  return keeps_integer_types ? type_interval(type) : Interval();
}

Interval ArithmeticProfile::given(DType type, const Interval& range) const {
  if (keeps_integer_types) return range;
  const Interval held = type_interval(DType::kInt32);
  const bool is_held = held.low <= range.low && range.high <= held.high;
  return is_held ? range : anything(type);
}

FloatInterval ArithmeticProfile::stored(const FloatInterval& range) const {
  FloatInterval result = range;
  if (rounds_to_float16) result = FloatArithmetic(DType::kFloat16).cast(result);
  if (rounds_to_bfloat16) result = FloatArithmetic(DType::kBFloat16).cast(result);
  return result;
}

const ArithmeticProfile& specified_arithmetic() { return kProfiles[0]; }
std::span<const ArithmeticProfile> arithmetic_profiles() { return kProfiles; }

const ArithmeticProfile& profile_of(std::string_view runtime, std::string_view device) {
  const std::string name = std::string(runtime) + ":" + std::string(device);
  for (const ArithmeticProfile& profile : kProfiles) {
    const bool is_its =
        std::any_of(profile.runtimes.begin(), profile.runtimes.end(),
                    [&](std::string_view known) { return known == runtime || known == name; });
    if (is_its) return profile;
  }
  return std::end(kProfiles)[-1];
}

}  // namespace windrow::internal

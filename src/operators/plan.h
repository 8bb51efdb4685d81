#ifndef WINDROW_OPERATORS_PLAN_H_
#define WINDROW_OPERATORS_PLAN_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "src/dialects/schema.h"
#include "src/operators/operator_call.h"
#include "windrow/call_cache.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The latest plans that this process compiled, for every caller of compile() and of the one-call
// functions, including models, plug-ins and other languages. A plan takes about 10 KiB. Never
// destroyed: threads may still compile when the process ends.
inline constinit CallSlots<Plan, 512> kept_plans;

// The value of an input that a plan is compiled for, as a dense tensor.
struct KnownBytes {
  KnownBytes() noexcept = default;  // leaves `bytes` uninitialised

  std::size_t size = 0;  // 0: there is no value
  // Only the first `size` are set. Room for as many of the widest integers as such an input has.
  std::array<std::byte, kMostFixed * sizeof(std::int64_t)> bytes;
};

// Reads the elements. Returns an empty value if there is none in memory, if there are more than
// such an input has, or if they are strings.
KnownBytes read_value(const TensorView& view) noexcept;

// Everything that a compiled plan depends on. Two calls with equal keys get equal plans, whether
// the operator was given by name or by its struct, and the inputs as specs or as views.
class PlanKey : public CallKey {
 public:
  // `kernels`: chosen_kernels(options).
  PlanKey(const OperatorCall& call, const CallOptions& options, std::string_view kernels) noexcept;

  // Must be called for each input in turn.
  void add_input(const TensorSpec& spec) noexcept;
  // The value of an absent view is one int64.
  void add_input(const TensorView& view, const KnownBytes& value) noexcept;

 private:
  void add(const Dims& dims) noexcept {
    CallKey::add(dims.begin(), static_cast<std::size_t>(dims.rank()));
  }
  void add_layout(DType dtype, const Shape& shape, const Strides* strides, bool has_value) noexcept;
  void add_value(DType dtype, const Shape& shape, std::string_view bytes) noexcept;
  using CallKey::add;
};

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PLAN_H_

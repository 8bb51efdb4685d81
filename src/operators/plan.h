#ifndef WINDROW_OPERATORS_PLAN_H_
#define WINDROW_OPERATORS_PLAN_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

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

// The value of a one-element input that a plan is compiled for.
struct KnownElement {
  KnownElement() noexcept = default;  // leaves `bytes` uninitialised

  std::size_t size = 0;             // 0: there is no value
  std::array<std::byte, 16> bytes;  // only the first `size` are set
};

// Reads the element. Returns an empty KnownElement if the view is not a single element in memory or
// holds strings.
KnownElement read_element(const TensorView& view) noexcept;

// Everything that a compiled plan depends on. Two calls with equal keys get equal plans, whether
// the operator was given by name or by its struct, and the inputs as specs or as views.
class PlanKey : public CallKey {
 public:
  // `kernels`: chosen_kernels(options).
  PlanKey(const OperatorCall& call, const CallOptions& options, std::string_view kernels) noexcept;

  // Must be called for each input in turn.
  void add_input(const TensorSpec& spec) noexcept;
  void add_input(const TensorView& view, const KnownElement& value) noexcept;

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

#include "tests/random/run_call.h"

namespace windrow::tests {
namespace {

// The layout for a result of that rank: what the random one says of its first axes.
Layout layout_for(const Layout& layout, int rank) {
  Layout fitted = layout;
  fitted.axes.clear();
  for (const Layout::Axis& axis : layout.axes) {
    if (axis.axis < rank) fitted.axes.push_back(axis);
  }
  return fitted;
}

}  // namespace

Result<Plan> compile_call(const RandomCall& call, const std::string& kernels) {
  std::vector<TensorSpec> specs = specs_of(call.id, call.views()).value();
  if (call.compiled_for_dense)
    for (TensorSpec& spec : specs) spec.strides.reset();
  CallOptions options = call.options;
  options.kernels = kernels;
  return compile(call.id, call.attributes, specs, options);
}

StridedBuffer make_out(const RandomCall& call, const Plan& plan) {
  if (call.in_place) return StridedBuffer(*call.inputs[0]);
  const TensorSpec& result = plan.result();
  return StridedBuffer(result.dtype, result.shape,
                       layout_for(call.out_layout, result.shape.rank()));
}

std::vector<TensorView> views_of_run(const RandomCall& call, const StridedBuffer& out) {
  std::vector<TensorView> views = call.views();
  if (call.in_place) views[0] = out.view();
  return views;
}

bool is_too_large(const RandomCall& call) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
  const Result<Plan> plan = compile_call(call, "plain");
  return plan.ok() && element_count(plan->result().shape).value_or(0) > kMostElements;
}

}  // namespace windrow::tests

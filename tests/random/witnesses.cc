#include "tests/random/witnesses.h"

#include <optional>

#include "src/threads/worker_pool.h"
#include "tests/support/compare.h"
#include "tests/support/kernel_sets.h"
#include "tests/support/vector_state.h"

namespace windrow::tests {
namespace {

// One way to run the fast path.
struct Witness {
  std::string kernels;
  Threads* threads = nullptr;
  std::string name;
};

std::vector<Witness> make_witnesses() {
  static const std::unique_ptr<Threads> two = internal::make_worker_pool(2);
  static const std::unique_ptr<Threads> five = internal::make_worker_pool(5);
  std::vector<Witness> witnesses;
  const auto add = [&](const std::string& kernels, Threads* threads) {
    const int count = threads == nullptr ? 1 : threads->count();
    witnesses.push_back(
        {kernels, threads, kernels + " with " + std::to_string(count) + " threads"});
  };
  for (const std::string& set : supported_kernel_sets()) {
    for (Threads* threads : {static_cast<Threads*>(nullptr), two.get(), five.get()})
      add(set, threads);
    for (Threads* threads : {static_cast<Threads*>(nullptr), five.get()})
      add(set + kEveryLever, threads);
    add(set + kNoLever, two.get());
  }
  return witnesses;
}

// The layout for a result of that rank: what the random one says of its first axes.
Layout layout_for(const Layout& layout, int rank) {
  Layout fitted = layout;
  fitted.axes.clear();
  for (const Layout::Axis& axis : layout.axes) {
    if (axis.axis < rank) fitted.axes.push_back(axis);
  }
  return fitted;
}

std::vector<Tensor> dense_copies(const RandomCall& call) {
  std::vector<Tensor> copies;
  for (const TensorView& view : call.views())
    copies.push_back(view.is_absent() ? Tensor() : Tensor::copy_of(view).value());
  return copies;
}

Result<Plan> compile_call(const RandomCall& call, const std::string& kernels) {
  std::vector<TensorSpec> specs = specs_of(call.id, call.views()).value();
  if (call.compiled_for_dense)
    for (TensorSpec& spec : specs) spec.strides.reset();
  CallOptions options = call.options;
  options.kernels = kernels;
  return compile(call.id, call.attributes, specs, options);
}

std::string compare_status(const Result<Tensor>& expected, const Status& actual) {
  if (expected.ok() && !actual.ok()) return "fails, the reference does not: " + actual.message();
  if (!expected.ok() && actual.ok())
    return "succeeds, the reference fails: " + expected.error().message();
  return expected.ok() ? std::string() : error_difference(expected.error(), actual);
}

// Runs into `out`; on success its bits, on an error in place its old bits, are compared.
std::string run_and_compare(const RandomCall& call, const Plan& plan,
                            const std::vector<TensorView>& views, StridedBuffer& out,
                            const Result<Tensor>& expected, Threads* threads) {
  RunOptions options;
  options.threads = threads;
  Tensor scratch;
  if (call.own_scratch) {
    options.scratch_bytes = plan.scratch_bytes(threads == nullptr ? 1 : threads->count());
    scratch =
        Tensor::zeros(DType::kUint8, {static_cast<std::int64_t>(options.scratch_bytes)}).value();
    options.scratch = scratch.data();
  }
  const Status status = plan.run(views, out.mutable_view(), options);
  if (upper_halves_in_use()) return "leaves upper halves of vector registers in use";
  std::string difference = compare_status(expected, status);
  if (!difference.empty()) return difference;
  if (!out.guards_intact()) return "writes outside the result";
  if (status.ok()) return first_bit_difference(*expected, out.view());
  if (!call.in_place) return {};
  difference = first_bit_difference(call.views()[0], out.view());
  return difference.empty() ? difference : "changes its data although it fails: " + difference;
}

std::string compare_witness(const RandomCall& call, const Witness& witness,
                            const Result<Tensor>& expected) {
  const Result<Plan> plan = compile_call(call, witness.kernels);
  if (!plan) return compare_status(expected, plan.error());
  const TensorSpec& result = plan->result();
  std::vector<TensorView> views = call.views();
  if (!call.in_place) {
    StridedBuffer out(result.dtype, result.shape, layout_for(call.out_layout, result.shape.rank()));
    return run_and_compare(call, *plan, views, out, expected, witness.threads);
  }
  StridedBuffer out(*call.inputs[0]);
  views[0] = out.view();
  return run_and_compare(call, *plan, views, out, expected, witness.threads);
}

// A deliberate mistake may leave a legal call: another axis can make gigabytes of two small
// inputs.
bool is_too_large(const RandomCall& call) {
  constexpr std::int64_t kMostElements = std::int64_t{1} << 22;
  const Result<Plan> plan = compile_call(call, "plain");
  return plan.ok() && element_count(plan->result().shape).value_or(0) > kMostElements;
}

}  // namespace

Verdict compare_witnesses(const RandomCall& call) {
  static const std::vector<Witness> witnesses = make_witnesses();
  Verdict verdict;
  verdict.too_large = is_too_large(call);
  if (verdict.too_large) return verdict;
  const std::vector<Tensor> copies = dense_copies(call);
  const std::vector<TensorView> dense(copies.begin(), copies.end());
  const Result<Tensor> expected = call_reference(call.id, call.attributes, dense, call.options);
  verdict.succeeded = expected.ok();
  for (const Witness& witness : witnesses) {
    const std::string difference = compare_witness(call, witness, expected);
    if (difference.empty()) continue;
    verdict.difference = witness.name + ": " + difference;
    break;
  }
  return verdict;
}

}  // namespace windrow::tests

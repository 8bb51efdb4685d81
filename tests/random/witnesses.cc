#include "tests/random/witnesses.h"

#include <optional>

#include "src/threads/worker_pool.h"
#include "tests/random/run_call.h"
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

std::vector<Tensor> dense_copies(const RandomCall& call) {
  std::vector<Tensor> copies;
  for (const TensorView& view : call.views())
    copies.push_back(view.is_absent() ? Tensor() : Tensor::copy_of(view).value());
  return copies;
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
  StridedBuffer out = make_out(call, *plan);
  return run_and_compare(call, *plan, views_of_run(call, out), out, expected, witness.threads);
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

#include "bench/bench_run.h"

#include <chrono>
#include <cstring>

namespace windrow::bench {
namespace {

template <class Function>
double seconds(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Plan compile_case(const BenchCase& bench_case, const std::vector<Tensor>& inputs,
                  const std::string& kernels) {
  std::vector<TensorSpec> specs;
  specs.reserve(inputs.size());
  for (const Tensor& input : inputs) specs.push_back(input.spec());
  const OperatorId id{"onnx", std::string(bench_case.op), std::nullopt};
  return compile(id, bench_case.attributes, specs, {.kernels = kernels}).value();
}

struct Copy {
  std::byte* to;
  const std::byte* from;
  std::int64_t bytes;
  int tasks;

  static void part(void* context, int index) {
    const Copy& copy = *static_cast<const Copy*>(context);
    const std::int64_t begin = copy.bytes * index / copy.tasks;
    const std::int64_t end = copy.bytes * (index + 1) / copy.tasks;
    std::memcpy(copy.to + begin, copy.from + begin, static_cast<std::size_t>(end - begin));
  }
};

}  // namespace

BenchRun::BenchRun(const BenchCase& bench_case, Threads* threads, const std::string& kernels)
    : bench_case_(bench_case),
      threads_(threads),
      inputs_(make_inputs(bench_case)),
      views_(inputs_.begin(), inputs_.end()),
      plan_(compile_case(bench_case, inputs_, kernels)) {
  if (!bench_case.is_scatter())
    out_ = Tensor::zeros(plan_.result().dtype, plan_.result().shape).value();
  copy_ = Tensor::zeros(direct().dtype(), direct().shape()).value();
}

double BenchRun::time_operator() {
  Tensor& out = out_ ? *out_ : inputs_[0];
  Status status;
  const double time =
      seconds([&] { status = plan_.run(views_, out.mutable_view(), {.threads = threads_}); });
  if (!status) throw Error(status);
  return time;
}

double BenchRun::time_copy() {
  Copy copy{static_cast<std::byte*>(copy_.data()), static_cast<const std::byte*>(direct().data()),
            bytes(), threads_ == nullptr ? 1 : threads_->count()};
  return seconds([&] {
    if (threads_ == nullptr) {
      Copy::part(&copy, 0);
    } else {
      threads_->parallel(copy.tasks, &Copy::part, &copy);
    }
  });
}

}  // namespace windrow::bench

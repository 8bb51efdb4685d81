#ifndef WINDROW_BENCH_BENCH_RUN_H_
#define WINDROW_BENCH_BENCH_RUN_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bench/bench_case.h"
#include "windrow/windrow.h"

namespace windrow::bench {

// A case with its memory, ready to be timed. A gather writes to a tensor of its own, a scatter to
// its data, in place. Functions throw Error where the library gives an error.
class BenchRun {
 public:
  // `threads` null: the calling thread alone. `kernels`: as in CallOptions.
  BenchRun(const BenchCase& bench_case, Threads* threads, const std::string& kernels);

  // One run of the plan, in seconds.
  double time_operator();
  // One copy of bytes() bytes with the same threads, in seconds.
  double time_copy();

  // What the operator writes or reads one by one: the bytes of a gather's result, of a scatter's
  // updates.
  std::int64_t bytes() const { return direct().byte_count(); }
  const Plan& plan() const { return plan_; }
  const std::vector<Tensor>& inputs() const { return inputs_; }
  const Tensor& result() const { return bench_case_.is_scatter() ? inputs_[0] : *out_; }

 private:
  const Tensor& direct() const { return bench_case_.is_scatter() ? inputs_[2] : *out_; }

  const BenchCase& bench_case_;
  Threads* const threads_;
  std::vector<Tensor> inputs_;
  std::vector<TensorView> views_;
  Plan plan_;
  std::optional<Tensor> out_;  // gathers only
  Tensor copy_;
};

}  // namespace windrow::bench

#endif  // WINDROW_BENCH_BENCH_RUN_H_

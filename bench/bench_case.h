#ifndef WINDROW_BENCH_BENCH_CASE_H_
#define WINDROW_BENCH_BENCH_CASE_H_

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "windrow/windrow.h"

namespace windrow::bench {

// One operator with inputs of fixed shapes: random elements, and random int64 indices below
// `index_bound` (for tuples: in every coordinate).
struct BenchCase {
  std::string_view name;
  std::string_view op;
  Attributes attributes;
  DType dtype = DType::kFloat32;
  Shape data;
  Shape indices;
  std::int64_t index_bound = 0;
  Shape updates = {};  // scatters only

  bool is_scatter() const { return updates.rank() > 0; }
};

const std::vector<BenchCase>& bench_cases();

// Data, indices and, for a scatter, updates: the same at every call. Throws Error if memory runs
// out.
std::vector<Tensor> make_inputs(const BenchCase& bench_case);

}  // namespace windrow::bench

#endif  // WINDROW_BENCH_BENCH_CASE_H_

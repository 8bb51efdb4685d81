#ifndef WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
#define WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_

#include <cstddef>

#include "src/execute/way_runner.h"

namespace windrow::internal {

// Whether every index row holds one index only. If so, `indices`, which has scratch_bytes(), gets
// these indices. Returns false after an interruption too, which the run sees again.
bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices);

// Index rows that hold one index only; run_plan runs their plan.
class ConstantRowsRunner final : public RunnerOf<ConstantRows> {
 public:
  using RunnerOf::RunnerOf;
  // Samples a few index rows.
  bool serves(const RunContext& run, int tasks) const override;
  // Of the indices, without the scratch of the rows' own plan.
  std::size_t scratch_bytes(const LoweredPlan& plan, int tasks) const override;
  void describe(const LoweredPlan& plan, PlanDescription& description) const override;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_

#ifndef WINDROW_OPERATORS_TAKEN_ROWS_H_
#define WINDROW_OPERATORS_TAKEN_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "windrow/export.h"
#include "windrow/plan.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Runs of gathers whose data is not in memory: they tell which rows go where and move none.
// Exported for windrow::tables.
namespace windrow::internal {

// Where a row stands that is outside, and is zeros.
inline constexpr std::int64_t kZeroRow = -1;

// Rows of a gather, in no order that matters.
struct TakenRows {
  std::int64_t row_bytes = 0;  // contiguous in data and in the output
  // The byte of data, without gaps and row-major, at which each row begins, or kZeroRow. Every row
  // lies inside of data.
  std::span<const std::int64_t> from;
  std::byte* to = nullptr;  // where the first row goes
  std::int64_t step = 0;    // bytes from there to the next one
};

class RowVisitor {
 public:
  virtual ~RowVisitor() = default;
  // Returns false to end the run.
  virtual bool visit(const TakenRows& rows) = 0;
};

// Checks that a plan can be run so: a gather inside the equation, not of strings, whose rows are
// whole bytes. Errors: kUnsupported.
WINDROW_EXPORT Status check_takes_rows(const Plan& plan);

// Passes the rows of a run to `visitor`, at most kMostVisited at a time, each row once. Arguments
// and errors as for Plan::run(), but the plan's data is absent from `inputs`, and threads are not
// used. Indices are read once and checked before their rows are passed on; a bad one is an error
// after the rows of those before it may have been passed on. Success if the visitor ends the run.
// Errors besides: those of check_takes_rows().
inline constexpr std::int64_t kMostVisited = 1024;
WINDROW_EXPORT Status visit_rows(const Plan& plan, std::span<const TensorView> inputs,
                                 const MutableTensorView& out, const RunOptions& options,
                                 RowVisitor& visitor);

// Checks that a plan was compiled for data of this type and shape, without gaps. Errors:
// kInvalidArgument, and those of check_takes_rows().
WINDROW_EXPORT Status check_data_spec(const Plan& plan, const TensorSpec& spec);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_TAKEN_ROWS_H_

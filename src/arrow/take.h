#ifndef WINDROW_ARROW_TAKE_H_
#define WINDROW_ARROW_TAKE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/arrow/chosen_kernels.h"
#include "src/arrow/input.h"
#include "src/arrow/output.h"
#include "src/arrow/selection.h"
#include "windrow/arrow.h"

// The parts of arrow::take(), by layout. Every part appends the buffers of one column to `made`,
// whose first buffer, the validity bitmap, is there already.
namespace windrow::arrow {

// One call of take().
struct TakeCall {
  std::shared_ptr<const void> input;  // keeps the producers' arrays
  const Selection& selection;
  const ChosenKernels& kernels;
  const std::string& kernel_text;  // CallOptions::kernels
  const RunOptions& run;
};

// One column of it. Each row of the result has `per_row` rows of this column, 1 outside of lists.
struct TakeColumn {
  const Field& field;
  std::vector<const Chunk*> chunks;
  std::int64_t per_row = 1;
  bool in_list = false;  // a row that is null because of its id is then null in the list alone
  Place place;
};

// A column of any layout, with its children. Errors: those below; kUnsupported (text in lists).
Result<Made> take_column(const TakeCall& call, const TakeColumn& column);

// kFixed. Errors: kOutOfMemory, kInterrupted, kInvalidArgument (unknown kernels).
Status take_fixed(const TakeCall& call, const TakeColumn& column, Made& made);
// kFixed with a width, one chunk without nulls, by ids that a plan reads itself: all of them int32
// or int64. Appends every buffer. Errors: also kIndexOutOfRange.
Status take_straight(const TakeColumn& column, const TensorView& ids, const CallOptions& options,
                     const RunOptions& run, Made& made);
// kBits. Errors: kOutOfMemory, kInterrupted.
Status take_bits(const TakeCall& call, const TakeColumn& column, Made& made);
// kText and kLargeText, not in lists. Errors: also kInvalidArgument (offsets that fall or lie
// outside of the first and last one; more bytes than the type's offsets can address).
Status take_text(const TakeCall& call, const TakeColumn& column, Made& made);
// kViews, not in lists. The result shares the producer's bytes. Errors: also kInvalidArgument
// (views that do not lie within the buffers).
Status take_views(const TakeCall& call, const TakeColumn& column, Made& made);

// Takes without a Selection where one plan can read the ids itself. Nothing where it cannot, and
// where an id is bad: a Selection then reads all of them anew, and its error says more. Errors:
// kOutOfMemory, kInterrupted, kUnsupported (unknown kernels).
Result<std::optional<Made>> try_straight(const InputState& input, const Ids& ids,
                                         const IdRule& rule, const Options& options,
                                         const RunOptions& run);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_TAKE_H_

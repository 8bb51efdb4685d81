#ifndef WINDROW_EXECUTE_COPY_START_H_
#define WINDROW_EXECUTE_COPY_START_H_

#include "src/execute/partition.h"
#include "src/execute/run_context.h"

namespace windrow::internal {

// Copies the bytes [range.low, range.high) of the start; with non-temporal stores if `stream`.
void copy_start(const RunContext& run, bool stream, const Range& range);

// Whether a copy of the whole start uses non-temporal stores.
bool streams_start(const RunContext& run);

// Copies the whole start.
void copy_whole_start(const RunContext& run);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_COPY_START_H_

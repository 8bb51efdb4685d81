#ifndef WINDROW_EXECUTE_BLOCK_LOOP_H_
#define WINDROW_EXECUTE_BLOCK_LOOP_H_

#include <algorithm>
#include <cstdint>

#include "src/execute/nest_cursor.h"

namespace windrow::internal {

// Calls block(count) for the next `points` points of a cursor, at most `most` of one run of the
// innermost loop at a time. During a call the cursor stands at the first of them. False from a
// block ends the loop, and is what the loop returns then.
template <class Block>
bool for_each_block(NestCursor& cursor, std::int64_t points, std::int64_t most,
                    const Block& block) {
  while (points > 0) {
    const std::int64_t count = std::min({points, cursor.run_length(), most});
    if (!block(count)) return false;
    cursor.advance(count);
    points -= count;
  }
  return true;
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_BLOCK_LOOP_H_

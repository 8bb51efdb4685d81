#ifndef WINDROW_EXECUTE_WAY_RUNNERS_H_
#define WINDROW_EXECUTE_WAY_RUNNERS_H_

#include "src/execute/find_constant_rows.h"
#include "src/execute/run_boxes.h"
#include "src/execute/run_buckets.h"
#include "src/execute/run_flat_takes.h"
#include "src/execute/run_lanes.h"
#include "src/execute/run_pieces.h"
#include "src/execute/run_shared.h"
#include "src/execute/run_small.h"
#include "src/execute/run_sorted.h"
#include "src/execute/run_takes.h"

namespace windrow::internal {

// Nothing moves.
class NoPointsRunner final : public RunnerOf<NoPoints> {
 public:
  using RunnerOf::RunnerOf;
};

// The runner of each way, which the way must outlive.
inline NoPointsRunner runner_of(const NoPoints& way) { return NoPointsRunner(way); }
inline SmallRunner runner_of(const SmallBlock& way) { return SmallRunner(way); }
inline ConstantRowsRunner runner_of(const ConstantRows& way) { return ConstantRowsRunner(way); }
inline SharedRunner runner_of(const SharedOffsets& way) { return SharedRunner(way); }
inline LanesRunner runner_of(const PackedLanes& way) { return LanesRunner(way); }
inline TakesRunner runner_of(const StraightTakes& way) { return TakesRunner(way); }
inline FlatTakesRunner runner_of(const FlatTakes& way) { return FlatTakesRunner(way); }
inline PiecesRunner runner_of(const Pieces& way) { return PiecesRunner(way); }
inline SortedRunner runner_of(const SortedRanges& way) { return SortedRunner(way); }
inline BucketsRunner runner_of(const Buckets& way) { return BucketsRunner(way); }
inline BoxesRunner runner_of(const Boxes& way) { return BoxesRunner(way); }

// Calls use(runner) with the runner of a way, as a const WayRunner&.
template <class Use>
auto with_runner(const Way& way, const Use& use) {
  return std::visit(
      [&use](const auto& one) {
        const auto runner = runner_of(one);
        return use(static_cast<const WayRunner&>(runner));
      },
      way);
}

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_WAY_RUNNERS_H_

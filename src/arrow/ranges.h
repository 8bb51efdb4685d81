#ifndef WINDROW_ARROW_RANGES_H_
#define WINDROW_ARROW_RANGES_H_

#include <algorithm>
#include <cstdint>

#include "windrow/plan.h"
#include "windrow/status.h"

namespace windrow::arrow {

// The rows of one call of a loop's body. A multiple of 64, so that bodies write different words of
// a bitmap.
inline constexpr std::int64_t kPiece = std::int64_t{1} << 15;

// Calls body(piece, low, high) for the pieces [low, high) of [0, total), on the run's threads and
// in any order. Errors: kInterrupted.
template <class Body>
Status for_pieces(std::int64_t total, const RunOptions& run, const Body& body) {
  const std::int64_t pieces = (total + kPiece - 1) / kPiece;
  const int threads = run.threads == nullptr ? 1 : run.threads->count();
  const std::int64_t at_once = threads == 1 ? 1 : 8 * std::int64_t{threads};
  struct Batch {
    const Body& body;
    std::int64_t total;
    std::int64_t first;
  };
  for (std::int64_t first = 0; first < pieces; first += at_once) {
    if (first > 0 && run.interrupt != nullptr && run.interrupt->requested())
      return {ErrorCode::kInterrupted, "the call was interrupted"};
    Batch batch{body, total, first};
    const auto task = [](void* context, int index) {
      const Batch& all = *static_cast<const Batch*>(context);
      const std::int64_t low = (all.first + index) * kPiece;
      all.body(all.first + index, low, std::min(low + kPiece, all.total));
    };
    const auto count = static_cast<int>(std::min(at_once, pieces - first));
    if (count == 1) {
      task(&batch, 0);
    } else {
      run.threads->parallel(count, task, &batch);
    }
  }
  return {};
}

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_RANGES_H_

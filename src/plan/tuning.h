#ifndef WINDROW_PLAN_TUNING_H_
#define WINDROW_PLAN_TUNING_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

#include "src/base/memory.h"
#include "src/plan/costs.h"
#include "windrow/status.h"

namespace windrow::internal {

#define WINDROW_FIXED_THRESHOLD(type, name, value) inline constexpr type name = value;
// The build of `./dev bench random --thresholds` asks the environment for another value.
#ifdef WINDROW_TUNABLE
inline double threshold_in_environment(const char* name, double value) {
  const char* const text = std::getenv(name);
  return text == nullptr ? value : std::strtod(text, nullptr);
}
#define WINDROW_THRESHOLD(type, name, value) \
  inline const type name = static_cast<type>(threshold_in_environment(#name, value));
#else
#define WINDROW_THRESHOLD WINDROW_FIXED_THRESHOLD
#endif
#include "src/plan/thresholds.inc"
#undef WINDROW_THRESHOLD
#undef WINDROW_FIXED_THRESHOLD

// Sizes from the bytes of a second-level cache: bytes, or points for shared_chunk(). thresholds.inc
// says what each limits.
inline std::int64_t near_bytes(std::int64_t cache) { return cache / kNearPart; }
inline std::int64_t packed_bytes(std::int64_t cache) { return cache / kPackedPart; }
inline std::int64_t least_packed_bytes(std::int64_t cache) { return cache / kLeastPackedPart; }
inline std::int64_t pieces_bytes(std::int64_t cache) { return cache / kPiecesPart; }
inline std::int64_t most_piece_bytes(std::int64_t cache) { return cache / kMostPiecePart; }
inline std::int64_t bucket_bytes(std::int64_t cache) { return cache / kBucketPart; }
inline std::int64_t shared_chunk(std::int64_t cache) { return cache / kSharedPart; }
inline std::int64_t most_fetched_at_once(std::int64_t cache) { return cache / kFetchedAtOncePart; }

// ---- Sizes that follow from the costs of the machine

// The fewest bytes of rows and indices that justify a task: those that are moved in twice the time
// that starting it takes. Whole pages of 4 KiB, and at least what runs as one block.
std::int64_t least_task_bytes(const MachineCosts& costs);
// The same by machine_costs().
std::int64_t least_task_bytes();
// The fewest bytes of a copy that justify a task.
inline std::int64_t least_copy_task_bytes() { return kCopiedBytesPerRowByte * least_task_bytes(); }
// The fewest indices to check, or cells of a mean to divide, that justify a task.
inline std::int64_t least_task_indices() { return least_task_bytes() / kRowBytesPerIndex; }

// Tasks that divide the outer loops each compute all offsets. They do so if there are at least this
// number of outer points for each task.
std::int64_t least_shared_share(const MachineCosts& costs);
std::int64_t least_shared_share();

// The prefetch distance for rows of a given length.
inline std::int64_t rows_ahead(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(kBytesAhead / row_bytes, 1, kMostRowsAhead);
}
inline std::int64_t bag_rows_ahead(std::int64_t row_bytes) {
  return std::clamp<std::int64_t>(kBagBytesAhead / row_bytes, kLeastBagRowsAhead, kMostRowsAhead);
}

// What CallOptions::kernels may force. Where a member is absent, the plan chooses. The result does
// not depend on any of these.
struct Tuning {
  std::string kernel_set;                // empty: the best one
  std::optional<std::int64_t> prefetch;  // prefetch distance in rows; 0: none
  std::optional<bool> stream;
  std::optional<std::int64_t> tile;  // lanes; 0: none
  std::optional<bool> pack;
  std::optional<bool> constant_rows;
  std::optional<bool> fused_copy;
  std::optional<bool> straight;
  std::optional<bool> gathers;
  std::optional<bool> buckets;
  std::optional<bool> sorted;
  std::optional<bool> flat_runs;
  std::optional<bool> grids;
  std::optional<bool> dense_copies;
  std::optional<std::int64_t> tasks;
  bool forces_levers = false;  // whether any lever was given
  // The size of the cache, and the costs of the machine, that plans are made for. Not levers, but
  // tests may set them.
  std::int64_t second_level_bytes = second_level_cache();
  MachineCosts costs = machine_costs();
};

// Reads "SET,NAME=VALUE,...", as CallOptions describes it. Errors: kInvalidArgument, naming the
// part that is wrong.
Result<Tuning> parse_tuning(std::string_view text);
// Also checks the kernel set and the file that WINDROW_COSTS names. Errors: also kUnsupported,
// naming the sets that there are, and those of load_costs().
Result<Tuning> parse_known_tuning(std::string_view text);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TUNING_H_

#ifndef WINDROW_PLAN_TUNING_H_
#define WINDROW_PLAN_TUNING_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "src/base/cache_sizes.h"
#include "windrow/status.h"

namespace windrow::internal {

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
  std::optional<std::int64_t> tasks;
  bool forces_levers = false;  // whether any lever was given
  // The size of the cache that plans are made for. Not a lever, but tests may set it.
  std::int64_t second_level_bytes = second_level_cache();
};

// Reads "SET,NAME=VALUE,...", as CallOptions describes it. Errors: kInvalidArgument, naming the
// part that is wrong.
Result<Tuning> parse_tuning(std::string_view text);

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_TUNING_H_

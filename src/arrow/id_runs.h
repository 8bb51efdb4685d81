#ifndef WINDROW_ARROW_ID_RUNS_H_
#define WINDROW_ARROW_ID_RUNS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "windrow/arrow.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

namespace windrow::arrow {

// Ids that lie one after another, in memory of their producer.
struct IdRun {
  DType dtype = DType::kAbsent;  // an integer of 8 to 64 bits
  const std::byte* data = nullptr;
  std::int64_t step = 0;  // bytes
  std::int64_t count = 0;
  const std::byte* validity = nullptr;  // bits; null: every id is valid
  std::int64_t first_bit = 0;
};

// The ids of a call, in order. Errors: kType, kShape (a tensor that is not of rank 1).
Result<std::vector<IdRun>> runs_of(const Ids& ids);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_ID_RUNS_H_

#ifndef WINDROW_EXECUTE_SCAN_INDICES_H_
#define WINDROW_EXECUTE_SCAN_INDICES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "src/kernels/registry.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Returns the error for the illegal indices. It names the first one in row-major order of its index
// tensor, and their number, and lists the first `listed` of that tensor. Returns success if there
// is none, or if none was found before an interruption.
Status describe_illegal_indices(const Operation& operation, std::span<const TensorView> inputs,
                                Interruption* interruption = nullptr, std::int64_t listed = 0);

// An index that a run found illegal, and the copy of it that was looked at.
struct IllegalIndex {
  Dims position;
  std::array<std::byte, 8> element{};
};

// The same error for illegal indices that one term of an axis read, in any order. Success if there
// are none.
Status describe_illegal(const Operation& operation, std::span<const TensorView> inputs,
                        std::size_t axis, const IndexTerm& term, std::vector<IllegalIndex> found,
                        std::int64_t listed);

// Whether some index tensor of the operation has an index outside its legal range. Reads each
// element once. `threads` may be null. Elements that an interruption left unread count as legal.
bool has_illegal_index(const Operation& operation, std::span<const TensorView> inputs,
                       const KernelTable& kernels, Threads* threads,
                       Interruption* interruption = nullptr);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_SCAN_INDICES_H_

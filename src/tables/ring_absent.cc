#include "src/tables/reads.h"

namespace windrow::internal {

Engine make_ring_engine(const EngineOptions&) {
  return Status(ErrorCode::kUnsupported,
                "no io_uring: the library was built without liburing (Debian's liburing-dev)");
}

bool has_ring_engine() { return false; }

}  // namespace windrow::internal

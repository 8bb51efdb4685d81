#include "src/operators/chosen_tuning.h"

#include <cstdlib>

namespace windrow::internal {

Result<Tuning> chosen_tuning(const CallOptions& options) {
  if (!options.kernels.empty()) return parse_tuning(options.kernels);
  const char* environment = std::getenv("WINDROW_KERNELS");
  return parse_tuning(environment == nullptr ? "" : environment);
}

}  // namespace windrow::internal

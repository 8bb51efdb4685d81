#include "src/operators/chosen_tuning.h"

#include <cstdlib>

namespace windrow::internal {

std::string_view chosen_kernels(const CallOptions& options) noexcept {
  if (!options.kernels.empty()) return options.kernels;
  const char* environment = std::getenv("WINDROW_KERNELS");
  return environment == nullptr ? std::string_view() : environment;
}

}  // namespace windrow::internal

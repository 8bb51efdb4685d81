#include "windrow/operators.h"

namespace windrow {

std::string_view version() noexcept { return WINDROW_VERSION; }

}  // namespace windrow

#include "plugins/jax/handler.h"

namespace windrow::jax {

void* ffi_handler() noexcept { return nullptr; }

}  // namespace windrow::jax

#include "src/base/fill_before_fork.h"

#include <pthread.h>

namespace windrow::internal {

bool fill_before_fork(void (*fill)()) noexcept {
  return pthread_atfork(fill, nullptr, nullptr) == 0;
}

}  // namespace windrow::internal

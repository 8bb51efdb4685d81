#include "src/formats/size_signal.h"

#include <cerrno>
#include <ctime>

namespace windrow::internal {
namespace {

sigset_t size_signal() noexcept {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGXFSZ);
  return set;
}

bool is_pending() noexcept {
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGXFSZ) == 1;
}

}  // namespace

SizeSignalHeld::SizeSignalHeld() noexcept {
  const sigset_t set = size_signal();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
  was_pending_ = is_pending();
}

SizeSignalHeld::~SizeSignalHeld() {
  const int error = errno;
  const sigset_t set = size_signal();
  const timespec at_once = {};
  if (!was_pending_ && is_pending()) sigtimedwait(&set, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  errno = error;
}

}  // namespace windrow::internal

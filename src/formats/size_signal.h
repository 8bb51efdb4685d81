#ifndef WINDROW_FORMATS_SIZE_SIGNAL_H_
#define WINDROW_FORMATS_SIZE_SIGNAL_H_

#include <csignal>

namespace windrow::internal {

// While it lives, a write beyond the process's largest file size (RLIMIT_FSIZE) fails with EFBIG in
// this thread instead of raising SIGXFSZ, which would end the process. Signal handlers stay as they
// are.
class SizeSignalHeld {
 public:
  SizeSignalHeld() noexcept;
  SizeSignalHeld(const SizeSignalHeld&) = delete;
  SizeSignalHeld& operator=(const SizeSignalHeld&) = delete;
  ~SizeSignalHeld();

 private:
  sigset_t before_;   // the thread's mask
  bool was_pending_;  // whether a signal of another write was pending, which stays
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_SIZE_SIGNAL_H_

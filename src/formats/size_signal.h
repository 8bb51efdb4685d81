#ifndef WINDROW_FORMATS_SIZE_SIGNAL_H_
#define WINDROW_FORMATS_SIZE_SIGNAL_H_

#include <csignal>

namespace windrow::internal {

// While it lives, a write beyond the largest file that the process may make (RLIMIT_FSIZE) fails
// with EFBIG in this thread; else SIGXFSZ would end the process. Handlers stay as they are.
class SizeSignalHeld {
 public:
  SizeSignalHeld() noexcept;
  SizeSignalHeld(const SizeSignalHeld&) = delete;
  SizeSignalHeld& operator=(const SizeSignalHeld&) = delete;
  ~SizeSignalHeld();

 private:
  sigset_t before_;   // the thread's mask
  bool was_pending_;  // a signal of somebody else's write: it stays
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_SIZE_SIGNAL_H_

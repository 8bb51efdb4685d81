#ifndef WINDROW_TOOLS_WINDROW_ENDING_SIGNALS_H_
#define WINDROW_TOOLS_WINDROW_ENDING_SIGNALS_H_

#include <pthread.h>

#include <csignal>

namespace windrow::tool {

// What a signal that ends the process must still do: system calls alone.
class LastAct {
 public:
  virtual void perform() noexcept = 0;

 protected:
  ~LastAct() = default;
};

// While it lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU first let `act` be performed, in the
// thread that made this object, and then do what they did before, which as a rule ends the process.
// A signal that was ignored stays so. At most one object lives at a time, and dies in its thread.
class EndingSignals {
 public:
  explicit EndingSignals(LastAct& act) noexcept;
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;
  ~EndingSignals();
};

// Performs, once, the act of the object that lives; nothing if none does. May be called anywhere.
void perform_last_act() noexcept;

// While it lives, these signals wait, in this thread.
class EndingSignalsHeld {
 public:
  EndingSignalsHeld() noexcept;
  EndingSignalsHeld(const EndingSignalsHeld&) = delete;
  EndingSignalsHeld& operator=(const EndingSignalsHeld&) = delete;
  ~EndingSignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_ENDING_SIGNALS_H_

#ifndef WINDROW_TOOLS_WINDROW_ENDING_SIGNALS_H_
#define WINDROW_TOOLS_WINDROW_ENDING_SIGNALS_H_

#include <pthread.h>

#include <csignal>

namespace windrow::tool {

// What is still to be done when a signal ends the process. It may use system calls only.
class LastAct {
 public:
  virtual void perform() noexcept = 0;

 protected:
  ~LastAct() = default;

 private:
  friend class EndingSignals;
  friend void perform_last_acts() noexcept;
  LastAct* next_ = nullptr;  // the one that an object made before wants
};

// While it lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU first let `act` be performed, in the
// thread that made this object, and then do what they did before, which as a rule ends the process.
// A signal that was ignored stays ignored. Objects that live at the same time belong to one thread
// and are destroyed in it; the acts of all are performed, the newest first.
class EndingSignals {
 public:
  explicit EndingSignals(LastAct& act) noexcept;
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;
  ~EndingSignals();

 private:
  LastAct& act_;
};

// Performs the acts of all living objects once. May be called anywhere.
void perform_last_acts() noexcept;

// Blocks these signals in this thread during its lifetime.
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

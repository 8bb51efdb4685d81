#include "tools/windrow/ending_signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>

namespace windrow::tool {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

// What the handler reads. It is written while no handler is set, or while the signals wait.
std::atomic<LastAct*> last_act = nullptr;  // the first of a list
static_assert(std::atomic<LastAct*>::is_always_lock_free);
pthread_t owner;
std::array<struct sigaction, kSignals.size()> before;

sigset_t ending_signals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

void give_back(int signal) noexcept {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
}

// Only functions that a handler may call (signal-safety(7)).
void end(int signal) {
  const int error = errno;
  if (pthread_equal(pthread_self(), owner) == 0) {
    pthread_kill(owner, signal);  // the one thread that makes and renames files
  } else {
    perform_last_acts();
    give_back(signal);
    raise(signal);  // arrives when this handler returns
  }
  errno = error;
}

}  // namespace

void perform_last_acts() noexcept {
  for (LastAct* act = last_act.exchange(nullptr); act != nullptr; act = act->next_) act->perform();
}

EndingSignals::EndingSignals(LastAct& act) noexcept : act_(act) {
  const EndingSignalsHeld held;
  owner = pthread_self();
  act.next_ = last_act.exchange(&act);
  if (act.next_ != nullptr) return;  // the handlers are set
  struct sigaction action = {};
  action.sa_handler = &end;
  action.sa_mask = ending_signals();
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    const bool is_ignored =
        (before[i].sa_flags & SA_SIGINFO) == 0 && before[i].sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(kSignals[i], &action, nullptr);
  }
}

EndingSignals::~EndingSignals() {
  const EndingSignalsHeld held;
  if (last_act == &act_) {
    last_act = act_.next_;
  } else {
    for (LastAct* act = last_act; act != nullptr; act = act->next_)
      if (act->next_ == &act_) act->next_ = act_.next_;
  }
  if (last_act != nullptr) return;
  for (const int signal : kSignals) give_back(signal);
}

EndingSignalsHeld::EndingSignalsHeld() noexcept {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

}  // namespace windrow::tool

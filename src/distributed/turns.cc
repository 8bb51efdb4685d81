#include "src/distributed/turns.h"

#include <system_error>
#include <utility>

namespace windrow::internal {

std::shared_ptr<Turns> Turns::of(Exchange& exchange) {
  if (exchange.turns_ == nullptr) exchange.turns_ = std::make_shared<Turns>(exchange.use_threads());
  return exchange.turns_;
}

void Turns::settle(const Exchange& exchange) noexcept {
  if (exchange.turns_ != nullptr) exchange.turns_->settle();
}

Turns::Turns(bool use_thread) {
  if (!use_thread) return;
  try {
    thread_ = std::thread([this] { make_calls(); });
  } catch (const std::system_error&) {
    // Calls are made when they are begun.
  }
}

Turns::~Turns() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Turns::begin(Call call) {
  if (!thread_.joinable()) {
    call();
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    calls_.push_back(std::move(call));
  }
  changed_.notify_all();
}

void Turns::settle() noexcept {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return calls_.empty(); });
}

void Turns::make_calls() noexcept {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return !calls_.empty() || ends_; });
    if (calls_.empty()) return;
    // Other calls may be added behind it meanwhile, which leaves it where it is.
    Call& call = calls_.front();
    lock.unlock();
    call();
    lock.lock();
    calls_.pop_front();
    changed_.notify_all();
  }
}

}  // namespace windrow::internal

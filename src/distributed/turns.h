#ifndef WINDROW_DISTRIBUTED_TURNS_H_
#define WINDROW_DISTRIBUTED_TURNS_H_

#include <condition_variable>
#include <deque>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

#include "windrow/distributed.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The calls of one exchange that were begun: one thread makes them, one after another, so all ranks
// make them in the same order if all begin them in the same order. Where the exchange knows no
// other threads, or the system refuses one, a call is made when it is begun; the order is the same.
// begin() and settle() are called by one thread at a time.
class Turns {
 public:
  using Call = std::packaged_task<Result<Tensor>()>;

  // Those of the exchange; made the first time, which is collective. Throws std::bad_alloc.
  static std::shared_ptr<Turns> of(Exchange& exchange);
  // Returns when all calls that were begun on the exchange have ended.
  static void settle(const Exchange& exchange) noexcept;

  explicit Turns(bool use_thread);
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;
  // Makes what was begun.
  ~Turns();

  // Makes the call when those before it have ended. Throws std::bad_alloc.
  void begin(Call call);
  // Returns when all calls that were begun have ended.
  void settle() noexcept;

 private:
  // The thread: makes calls until this object ends.
  void make_calls() noexcept;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Call> calls_;  // those that have not ended; the first one is under way
  bool ends_ = false;
  std::thread thread_;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_TURNS_H_

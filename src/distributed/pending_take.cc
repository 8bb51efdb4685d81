#include <chrono>
#include <future>
#include <memory>
#include <new>
#include <utility>

#include "src/distributed/sharded_state.h"
#include "src/distributed/turns.h"
#include "windrow/distributed.h"

namespace windrow {

struct internal::BegunTake {
  std::future<Result<Tensor>> rows;
};

PendingTake::PendingTake(std::unique_ptr<internal::BegunTake> begun) noexcept
    : begun_(std::move(begun)) {}
PendingTake::PendingTake(PendingTake&&) noexcept = default;
PendingTake& PendingTake::operator=(PendingTake&&) noexcept = default;
PendingTake::~PendingTake() = default;

bool PendingTake::is_ready() const noexcept {
  return begun_ == nullptr || !begun_->rows.valid() ||
         begun_->rows.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

void PendingTake::wait() const noexcept {
  if (begun_ != nullptr && begun_->rows.valid()) begun_->rows.wait();
}

Result<Tensor> PendingTake::get() {
  if (begun_ == nullptr) return internal::no_memory_to_agree();
  if (!begun_->rows.valid())
    return Status(ErrorCode::kInvalidArgument,
                  "a take of a distributed table: its rows were given before, by get()");
  return begun_->rows.get();
}

PendingTake ShardedTable::take_async(const TensorView& ids, const CallOptions& options,
                                     Threads* threads) try {
  auto begun = std::make_unique<internal::BegunTake>();
  internal::ShardedState& state = *state_;
  if (state.turns == nullptr) state.turns = internal::Turns::of(state.link.engine());
  internal::Turns::Call call([&state, ids, options, threads] {
    state.link.count_call();
    return internal::take_now(state, ids, options, threads);
  });
  begun->rows = call.get_future();
  state.turns->begin(std::move(call));
  return PendingTake(std::move(begun));
} catch (const std::bad_alloc&) {
  internal::Turns::settle(state_->link.engine());
  (void)state_->link.give_up(internal::no_memory_to_agree());
  return PendingTake(nullptr);
}

}  // namespace windrow

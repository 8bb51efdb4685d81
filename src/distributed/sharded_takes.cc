#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/distributed/row_requests.h"
#include "src/distributed/sharded_state.h"
#include "src/operators/bags.h"
#include "src/operators/row_numbers.h"
#include "windrow/array.h"
#include "windrow/distributed.h"

namespace windrow {
namespace internal {

// A route of a table.
struct RouteState {
  std::int64_t table = 0;   // ShardedState::number
  std::int64_t number = 0;  // the same on all ranks
  RowRequests requests;
  TensorSpec result;
  CallOptions options;  // how kernels are chosen
};

namespace {

// How many threads a call may use.
int threads_in(Threads* threads) { return threads == nullptr ? 1 : threads->count(); }

// Repeats rows as the ids do: a run whose memory is there before it begins.
class Expansion {
 public:
  // Allocates the result, and what the run uses.
  Status allocate(const TensorSpec& result, const TensorSpec& taken, const CallOptions& options,
                  Threads* threads) {
    CallOptions local;
    local.out_of_range = OutOfRange::kZero;
    local.negative = NegativeIndex::kOutOfRange;
    local.kernels = options.kernels;
    places_.append(result.shape, 0, result.shape.rank() - (taken.shape.rank() - 1));
    auto plan = compile(array::Take{}, {taken, TensorSpec{DType::kInt64, places_, {}, {}}}, local);
    if (!plan) return plan.error();
    plan_ = *std::move(plan);
    threads_ = threads;
    const auto bytes = static_cast<std::int64_t>(plan_->scratch_bytes(threads_in(threads)));
    if (Status status = keep(Tensor::allocate(DType::kUint8, {bytes}), scratch_); !status)
      return status;
    return keep(Tensor::allocate(result.dtype, result.shape), result_);
  }
  // `places`: int64, of each id the place of its row in `taken`, or kZeroRow.
  Status run(const Tensor& taken, const Tensor& places) {
    RunOptions run;
    run.threads = threads_;
    run.scratch = scratch_.data();
    run.scratch_bytes = static_cast<std::size_t>(scratch_.byte_count());
    run.fresh_output = result_.byte_count() >= kFreshBytes && !result_.is_recycled();
    const TensorView indices(DType::kInt64, places_, places.data());
    return plan_->run({taken, indices}, result_.mutable_view(), run);
  }
  Tensor& result() { return result_; }

 private:
  std::optional<Plan> plan_;
  Shape places_;
  Threads* threads_ = nullptr;
  Tensor scratch_;
  Tensor result_;
};

// What a call does with ids before, and with rows after, they have travelled.
class LookUp {
 public:
  LookUp() = default;
  LookUp(const LookUp&) = delete;
  LookUp& operator=(const LookUp&) = delete;
  virtual ~LookUp() = default;
  // Reads and checks the ids. Returns the row of the table that each of them means, or kZeroRow.
  virtual Result<Tensor> read() = 0;
  // Whether prepare() gets all that finish() needs, so that only a fault of the library can end it.
  virtual bool is_prepared() const = 0;
  virtual Status prepare(const TensorSpec& taken) = 0;
  // Makes the result of the rows, once they are there.
  virtual Status finish(const Tensor& taken, const Tensor& places) = 0;
};

// The ids of a take.
Result<Tensor> numbers_of_take(const ShardedState& state, const TensorView& ids,
                               const CallOptions& options, TensorSpec& result) {
  const auto plan = compile(array::Take{}, {state.spec(), ids.spec()}, options);
  if (!plan) return plan.error();
  if (Status status = check_memory(ids, "ids"); !status) return status;
  result = {plan->result().dtype, plan->result().shape, {}, {}};
  return row_numbers(state.map.rows(), ids, options, {});
}

class TakeLookUp final : public LookUp {
 public:
  TakeLookUp(const ShardedState& state, const TensorView& ids, const CallOptions& options,
             Threads* threads)
      : state_(state), ids_(ids), options_(options), threads_(threads) {}

  Result<Tensor> read() override { return numbers_of_take(state_, ids_, options_, result_); }
  bool is_prepared() const override { return true; }
  Status prepare(const TensorSpec& taken) override {
    return expansion_.allocate(result_, taken, options_, threads_);
  }
  Status finish(const Tensor& taken, const Tensor& places) override {
    return expansion_.run(taken, places);
  }
  Tensor& result() { return expansion_.result(); }

 private:
  const ShardedState& state_;
  const TensorView& ids_;
  const CallOptions& options_;
  Threads* threads_;
  TensorSpec result_;
  Expansion expansion_;
};

class BagLookUp final : public LookUp {
 public:
  // given: the table, which is absent, ids, offsets and weights.
  BagLookUp(const ShardedState& state, const array::EmbeddingBag& op,
            const std::array<TensorView, 4>& given, const CallOptions& options, Threads* threads)
      : state_(state), op_(op), given_(given), options_(options) {
    run_.threads = threads;
  }

  Result<Tensor> read() override {
    const auto plan = compile(
        op_, {state_.spec(), given_[1].spec(), given_[2].spec(), given_[3].spec()}, options_);
    if (!plan) return plan.error();
    if (Status status = keep(read_bags(*plan, given_, run_), inputs_); !status) return status;
    const TensorSpec result{plan->result().dtype, plan->result().shape, {}, {}};
    if (Status status = keep(Tensor::allocate(result.dtype, result.shape), result_); !status)
      return status;
    return row_numbers(state_.map.rows(), inputs_.ids, options_, {});
  }
  bool is_prepared() const override { return false; }
  Status prepare(const TensorSpec&) override { return {}; }
  Status finish(const Tensor& taken, const Tensor& places) override {
    TensorView weights = inputs_.weights;
    if (weights.dtype != DType::kAbsent) weights = {weights.dtype, places.shape(), weights.data};
    return pool_rows(op_, {taken, places, inputs_.starts, weights}, options_, run_,
                     result_.mutable_view());
  }
  Tensor& result() { return result_; }

 private:
  const ShardedState& state_;
  const array::EmbeddingBag& op_;
  const std::array<TensorView, 4>& given_;
  const CallOptions& options_;
  RunOptions run_;
  BagInputs inputs_;
  Tensor result_;
};

// The routes of the ids that `read` reads.
template <class Read>
Status route(const ShardedState& state, const Read& read, TakeRoutes& routes) {
  if (!state.damage) return state.damage;
  const Result<Tensor> numbers = read();
  if (!numbers) return numbers.error();
  return keep(route_take(state.map, numbers->template values<std::int64_t>(), state.id_type),
              routes);
}

// The rows of other ranks that a look-up has had.
void count_remote_rows(ShardedState& state, const RowRequests& requests) {
  const std::vector<std::int64_t>& all = requests.routes.counts;
  const std::int64_t own = all[static_cast<std::size_t>(state.link.rank())];
  const std::int64_t remote = sum_of(all) - own;
  const std::int64_t cached = requests.kept ? remote - sum_of(requests.kept->counts()) : 0;
  state.link.count_remote_rows(remote, cached);
}

// Makes the result, of which every rank has said that it can. Where a fault of the library itself
// ends that, the other ranks would learn of it by their next call.
template <class Finish>
Status finish_agreed(ShardedState& state, const Finish& finish) {
  Status status = finish();
  if (!status) state.damage = status.with_context("an earlier call was not finished");
  return status;
}

// The rounds of a look-up in which rows travel. A rank that cannot collect its rows, or has no
// memory for its result, sends what stands there, and the agreement says so.
Status bring_rows(ShardedState& state, RowTransfer& transfer, RowRequests& requests, LookUp& call) {
  KeptRows* const kept = requests.kept ? &*requests.kept : nullptr;
  Status own = in_memory([&] {
    Status status = transfer.gather();
    return status ? call.prepare(transfer.taken().spec()) : status;
  });
  const auto finish = [&] { return call.finish(transfer.taken(), requests.routes.places); };
  if (call.is_prepared()) {
    if (Status status = transfer.exchange_and_agree(state.link, own, kept); !status) return status;
    if (Status status = finish_agreed(state, finish); !status) return status;
  } else {
    if (Status status = transfer.exchange(state.link, kept); !status) return status;
    if (own) own = in_memory(finish);
    if (Status status = state.link.agree(own); !status) return status;
  }
  if (kept != nullptr) kept->keep();
  return {};
}

// The rounds of a look-up whose ids travel.
Status look_up(ShardedState& state, const std::string& name, LookUp& call,
               const CallOptions& options, Threads* threads) {
  Link& link = state.link;
  RowRequests requests;
  RowTransfer transfer(state, requests, options, threads);
  Status own = in_memory([&]() -> Status {
    const auto read = [&] { return call.read(); };
    if (Status status = route(state, read, requests.routes); !status) return status;
    if (Status status = state.allocate_reserve(); !status) return status;
    if (Status status = transfer.allocate_taken(); !status) return status;
    if (state.remote_cache == nullptr) return {};
    return requests.kept.emplace().find(state, requests.routes, transfer.taken());
  });
  auto asked = link.announce(own, call_tag(name, options), requests.counts(),
                             own.ok() && requests.is_small(state));
  if (!asked) return asked.error();
  const bool is_small = asked->is_small;
  own = in_memory([&] {
    Status status = requests.allocate(state, *std::move(asked));
    return status ? transfer.allocate(is_small) : status;
  });
  // The memory of a small call is there.
  if (Status status = is_small ? own : link.agree(own); !status) return status;
  if (Status status = requests.exchange(state, link); !status) return status;
  if (Status status = bring_rows(state, transfer, requests, call); !status) return status;
  count_remote_rows(state, requests);
  return {};
}

// The rounds of a new route: those of a look-up before rows travel.
Status make_route(ShardedState& state, const TensorView& ids, const CallOptions& options,
                  std::shared_ptr<RouteState>& made) {
  Link& link = state.link;
  Status own = in_memory([&] {
    made = std::make_shared<RouteState>();
    const auto read = [&] { return numbers_of_take(state, ids, options, made->result); };
    return route(state, read, made->requests.routes);
  });
  const std::span<const std::int64_t> counts =
      own ? std::span<const std::int64_t>(made->requests.routes.counts)
          : std::span<const std::int64_t>();
  auto asked = link.announce(own, call_tag("plan_take", options), counts);
  if (!asked) return asked.error();
  own = in_memory([&] { return made->requests.allocate(state, *std::move(asked)); });
  if (Status status = link.agree(own); !status) return status;
  if (Status status = made->requests.exchange(state, link); !status) return status;
  made->table = state.number;
  made->number = state.routes++;
  made->options.kernels = options.kernels;
  return {};
}

// The rounds of a take whose route is known: everything is ready before the ranks agree, and then
// rows travel.
Result<Tensor> take_by(ShardedState& state, const RouteState& route, Threads* threads) {
  Link& link = state.link;
  RowTransfer transfer(state, route.requests, route.options, threads);
  Expansion expansion;
  const Status own = in_memory([&]() -> Status {
    if (!state.damage) return state.damage;
    if (route.table != state.number)
      return Status(ErrorCode::kInvalidArgument,
                    "a distributed table: the route is of another one");
    if (Status status = transfer.allocate_taken(); !status) return status;
    if (Status status = transfer.allocate(); !status) return status;
    if (Status status =
            expansion.allocate(route.result, transfer.taken().spec(), route.options, threads);
        !status)
      return status;
    return transfer.gather();
  });
  const std::string name = "take by route " + std::to_string(route.number);
  if (auto all = link.announce(own, call_tag(name, route.options), {}); !all) return all.error();
  if (Status status = transfer.exchange(link); !status) return status;
  const auto finish = [&] { return expansion.run(transfer.taken(), route.requests.routes.places); };
  if (Status status = finish_agreed(state, finish); !status) return status;
  return std::move(expansion.result());
}

}  // namespace

Result<Tensor> take_now(ShardedState& state, const TensorView& ids, const CallOptions& options,
                        Threads* threads) try {
  TakeLookUp call(state, ids, options, threads);
  if (Status status = look_up(state, "take", call, options, threads); !status) return status;
  return std::move(call.result());
} catch (const std::bad_alloc&) {
  return state.link.give_up(no_memory_to_agree());
}

}  // namespace internal

Result<Tensor> ShardedTable::take(const TensorView& ids, const CallOptions& options,
                                  Threads* threads) {
  return internal::take_now(begin_call(), ids, options, threads);
}

Result<Tensor> ShardedTable::embedding_bag(const TensorView& ids, const TensorView& offsets,
                                           const TensorView& weights, const array::EmbeddingBag& op,
                                           const CallOptions& options, Threads* threads) try {
  begin_call();
  const std::array<TensorView, 4> given = {TensorView(), ids, offsets, weights};
  internal::BagLookUp call(*state_, op, given, options, threads);
  const std::string name = "embedding_bag " + op.reduction +
                           (op.include_last_offset ? " 1 " : " 0 ") + op.accumulate + " " +
                           std::to_string(op.version);
  if (Status status = internal::look_up(*state_, name, call, options, threads); !status)
    return status;
  return std::move(call.result());
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

TakeRoute::TakeRoute(std::shared_ptr<const internal::RouteState> state) noexcept
    : state_(std::move(state)) {}

const Shape& TakeRoute::shape() const noexcept { return state_->result.shape; }

Result<TakeRoute> ShardedTable::plan_take(const TensorView& ids, const CallOptions& options) try {
  begin_call();
  std::shared_ptr<internal::RouteState> made;
  if (Status status = internal::make_route(*state_, ids, options, made); !status) return status;
  return TakeRoute(std::move(made));
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

Result<Tensor> ShardedTable::take(const TakeRoute& route, Threads* threads) try {
  return internal::take_by(begin_call(), *route.state_, threads);
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

}  // namespace windrow

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "src/distributed/routes.h"
#include "src/distributed/sharded_state.h"
#include "src/operators/checked_indices.h"
#include "src/operators/row_numbers.h"
#include "windrow/array.h"
#include "windrow/distributed.h"

namespace windrow {
namespace internal {
namespace {

// What a call that writes does with its updates.
struct WriteKind {
  std::string call;  // tells it from other calls
  Sent sent = Sent::kAll;
  array::IndexReduce combine = {};  // Sent::kCombined: what combines updates before they travel
  // The operator on the whole table, by which the caller's ids and updates are checked.
  std::function<Result<Plan>(const TensorSpec& ids, const TensorSpec& updates)> check;
  UpdateFold fold;  // on the rows of a shard
};

// A collective call that writes: its steps between two exchanges.
class WriteCall {
 public:
  WriteCall(ShardedState& state, const WriteKind& kind, const TensorView& ids,
            const TensorView& updates, const CallOptions& options, Threads* threads)
      : state_(state),
        kind_(kind),
        ids_(ids),
        updates_(updates),
        options_(options),
        threads_(threads) {}

  std::span<const std::int64_t> counts() const { return routes_.counts; }

  // Reads the ids, checks them all and routes the updates.
  Status prepare();
  // Allocates everything and packs the updates; `coming`: the number from each rank.
  Status pack(std::vector<std::int64_t> coming);
  Status exchange(Link& link);
  // Makes the last step ready, when the updates have come.
  Status fold() { return write_->fold(); }
  // Changes the shard.
  Status commit() { return write_->commit(state_.last_call + 1); }

 private:
  std::size_t own() const { return static_cast<std::size_t>(state_.link.rank()); }
  Status check_options() const;
  // Allocates for the updates that come.
  Status allocate();
  // Packs one update of each row, all of them, and combines the others with it.
  Status pack_combined();
  // Packs the updates of other ranks, and stores those of this rank at their place.
  Status pack_all();
  // Packs the updates [from, to) of routes_.
  Status pack_updates(std::int64_t from, std::int64_t to, std::byte* memory) const;

  ShardedState& state_;
  const WriteKind& kind_;
  const TensorView& ids_;
  const TensorView& updates_;
  const CallOptions& options_;
  Threads* threads_;
  UpdateRoutes routes_;
  Tensor sent_updates_;  // for other ranks; those that are combined also for this one
  std::vector<std::int64_t> coming_;
  Tensor coming_ids_;
  Tensor coming_updates_;
  std::unique_ptr<ShardWrite> write_;
};

Status WriteCall::check_options() const {
  if (options_.duplicates == Duplicates::kAllow && !(options_.strict && kind_.fold.has_columns))
    return {};
  return Status(ErrorCode::kUnsupported,
                "a distributed table: duplicates cannot be refused, since no rank sees the ids of "
                "all");
}

Status WriteCall::prepare() {
  if (!state_.damage) return state_.damage;
  if (Status status = check_options(); !status) return status;
  if (Status status = state_.shard->check_writable(); !status) return status;
  const auto plan = kind_.check(ids_.spec(), updates_.spec());
  if (!plan) return plan.error();
  if (Status status = check_memory(ids_, "ids"); !status) return status;
  if (Status status = check_memory(updates_, "updates"); !status) return status;
  // The ids may change while the call runs: what is checked is a copy.
  const auto ids = Tensor::copy_of(ids_);
  if (!ids) return ids.error();
  const std::array<TensorView, 3> inputs = {TensorView(), ids->view(), TensorView()};
  if (Status status = check_indices(*plan, inputs, {}); !status) return status;
  const auto numbers = row_numbers(state_.map.rows(), *ids, options_, {});
  if (!numbers) return numbers.error();
  return keep(
      route_updates(state_.map, numbers->values<std::int64_t>(), state_.id_type, kind_.sent),
      routes_);
}

Status WriteCall::pack_updates(std::int64_t from, std::int64_t to, std::byte* memory) const {
  const auto* const sources = bytes_of(routes_.sources) + from * dtype_bits(DType::kInt64) / 8;
  return take_rows(updates_, DType::kInt64, sources, to - from, memory, options_, threads_);
}

Status WriteCall::allocate() {
  const std::int64_t all = sum_of(coming_);
  const Shape rows = state_.rows_shape(all);
  if (Status status = keep(Tensor::allocate(state_.id_type, {all}), coming_ids_); !status)
    return status;
  return keep(Tensor::allocate(state_.dtype, rows), coming_updates_);
}

Status WriteCall::pack_combined() {
  const std::int64_t count = sum_of(routes_.counts);
  Tensor& rows = sent_updates_;
  if (Status status = keep(Tensor::allocate(state_.dtype, state_.rows_shape(count)), rows); !status)
    return status;
  if (Status status = pack_updates(0, count, bytes_of(rows)); !status) return status;
  CallOptions local;
  local.out_of_range = OutOfRange::kSkip;
  local.negative = NegativeIndex::kOutOfRange;
  local.kernels = options_.kernels;
  const auto plan =
      compile(kind_.combine, {rows.spec(), routes_.combined.spec(), updates_.spec()}, local);
  if (!plan) return plan.error();
  RunOptions run;
  run.threads = threads_;
  return plan->run({rows, routes_.combined, updates_}, rows.mutable_view(), run);
}

Status WriteCall::pack_all() {
  const std::int64_t leaving = sum_of(routes_.counts);
  const std::int64_t first = sum_of(std::span(routes_.counts).first(own()));
  const std::int64_t last = first + routes_.counts[own()];
  const Shape sent = state_.rows_shape(leaving - (last - first));
  if (Status status = keep(Tensor::allocate(state_.dtype, sent), sent_updates_); !status)
    return status;
  std::byte* const memory = bytes_of(sent_updates_);
  if (Status status = pack_updates(0, first, memory); !status) return status;
  if (Status status = pack_updates(last, leaving, memory + first * state_.row_bytes); !status)
    return status;
  const std::int64_t before = sum_of(std::span(coming_).first(own()));
  return pack_updates(first, last, bytes_of(coming_updates_) + before * state_.row_bytes);
}

Status WriteCall::pack(std::vector<std::int64_t> coming) {
  coming_ = std::move(coming);
  if (Status status = allocate(); !status) return status;
  ShardUpdates updates;
  updates.fold = &kind_.fold;
  updates.ids = coming_ids_;
  updates.updates = coming_updates_;
  updates.options.kernels = options_.kernels;
  updates.threads = threads_;
  write_ = state_.shard->write(updates);
  if (Status status = write_->prepare(); !status) return status;
  return kind_.sent == Sent::kCombined ? pack_combined() : pack_all();
}

Status WriteCall::exchange(Link& link) {
  const auto ids_to = parts_of<const std::byte>(bytes_of(std::as_const(routes_.rows)),
                                                routes_.counts, state_.id_bytes());
  const auto ids_from = parts_of(bytes_of(coming_ids_), coming_, state_.id_bytes());
  if (Status status = link.exchange(Payload::kIds, ids_to, ids_from); !status) return status;
  std::vector<std::int64_t> leaving = routes_.counts;
  auto from = parts_of(bytes_of(coming_updates_), coming_, state_.row_bytes);
  if (kind_.sent != Sent::kCombined) {
    leaving[own()] = 0;
    from[own()] = {};
  }
  const auto to =
      parts_of<const std::byte>(bytes_of(std::as_const(sent_updates_)), leaving, state_.row_bytes);
  return link.exchange(Payload::kRows, to, from);
}

// What the ranks say of a call that has written, where a store may have refused it.
Status agree_on_written(ShardedState& state, const Status& own) {
  Status all = state.link.agree(own);
  if (!all) {
    state.damage = all.with_context("an earlier call was not finished");
    return all;
  }
  state.last_call += 1;
  for (std::int64_t& number : state.call_numbers)
    if (number != kNoCallNumber) number = state.last_call;
  return {};
}

// `make_kind()`: the kind of the call. Memory may end there, too.
template <class MakeKind>
Status write(ShardedState& state, const MakeKind& make_kind, const TensorView& ids,
             const TensorView& updates, const CallOptions& options, Threads* threads) try {
  Link& link = state.link;
  WriteKind kind;
  WriteCall call(state, kind, ids, updates, options, threads);
  Status own = in_memory([&] {
    kind = make_kind();
    return call.prepare();
  });
  auto coming = link.announce(own, call_tag(kind.call, options), call.counts());
  if (!coming) return coming.error();
  own = in_memory([&] { return call.pack(std::move(coming->counts)); });
  if (Status status = link.agree(own); !status) return status;
  if (Status status = call.exchange(link); !status) return status;
  own = in_memory([&] { return call.fold(); });
  // Nothing is written before every rank has everything.
  if (Status status = link.agree(own); !status) return status;
  state.forget_remote_rows();
  own = in_memory([&] { return call.commit(); });
  if (state.has_stores) return agree_on_written(state, own);
  if (!own) state.damage = own.with_context("an earlier call was not finished");
  return own;
} catch (const std::bad_alloc&) {
  return state.link.give_up(no_memory_to_agree());
}

// Whether updates may be combined in any grouping that keeps their order without other bits: sums
// and products modulo 2^bits, and the last of the smallest or largest ones.
bool is_exact(const std::string& reduction, DType dtype) {
  if (reduction == "min" || reduction == "max") return true;
  const DTypeKind kind = dtype_kind(dtype);
  return (reduction == "sum" || reduction == "prod") &&
         (kind == DTypeKind::kSigned || kind == DTypeKind::kUnsigned ||
          kind == DTypeKind::kBoolean);
}

// What a scatter of the array dialect with data, indices and updates does.
template <class Operator>
WriteKind reduction(const ShardedState& state, const Operator& op, std::string call,
                    const std::string& reduction, const CallOptions& options) {
  WriteKind kind;
  kind.call = std::move(call);
  if (is_exact(reduction, state.dtype)) {
    kind.sent = Sent::kCombined;
    kind.combine.reduction = reduction;
  }
  kind.check = [&state, &options, op](const TensorSpec& ids, const TensorSpec& updates) {
    return compile(op, {state.spec(), ids, updates}, options);
  };
  kind.fold.compile = [op](const TensorSpec& shard, const TensorSpec& ids,
                           const TensorSpec& updates, const CallOptions& local) {
    return compile(op, {shard, ids, updates}, local);
  };
  return kind;
}

// The types and shapes of assign(), which has no operator of its own.
Status check_assigned(const TensorSpec& table, const TensorSpec& ids, const TensorSpec& rows) {
  if (ids.shape.rank() != 1)
    return Status(ErrorCode::kShape, "assign to a distributed table: ids have shape " +
                                         to_string(ids.shape) + ", must have one axis");
  if (rows.dtype != table.dtype)
    return Status(ErrorCode::kType, "assign to a distributed table: rows have type " +
                                        std::string(dtype_name(rows.dtype)) + ", the table has " +
                                        std::string(dtype_name(table.dtype)));
  Shape expected = table.shape;
  expected[0] = ids.shape[0];
  if (rows.shape == expected) return {};
  return Status(ErrorCode::kShape, "assign to a distributed table: rows have shape " +
                                       to_string(rows.shape) + ", must have " +
                                       to_string(expected));
}

// Assigns rows by indices of the data's rank with extents of 1 behind the first axis.
constexpr array::PutAlongAxis kRows{.axis = 0};

WriteKind assignment(const ShardedState& state, const CallOptions& options) {
  WriteKind kind;
  kind.call = "assign";
  kind.sent = Sent::kLast;
  kind.fold.has_columns = true;
  kind.fold.overwrites = true;
  // A row stands for its first byte.
  kind.check = [&state, &options](const TensorSpec& ids, const TensorSpec& rows) -> Result<Plan> {
    if (Status status = check_assigned(state.spec(), ids, rows); !status) return status;
    const TensorSpec bytes{DType::kUint8, {state.map.rows()}, {}, {}};
    return compile(kRows, {bytes, ids, TensorSpec{DType::kUint8, ids.shape, {}, {}}}, options);
  };
  kind.fold.compile = [](const TensorSpec& shard, const TensorSpec& ids, const TensorSpec& rows,
                         const CallOptions& local) {
    return compile(kRows, {shard, ids, rows}, local);
  };
  return kind;
}

}  // namespace
}  // namespace internal

Status ShardedTable::index_add(const TensorView& ids, const TensorView& updates,
                               const CallOptions& options, Threads* threads) {
  const auto kind = [&] {
    return internal::reduction(*state_, array::IndexAdd{}, "index_add", "sum", options);
  };
  return internal::write(begin_call(), kind, ids, updates, options, threads);
}

Status ShardedTable::index_reduce(const TensorView& ids, const TensorView& updates,
                                  const array::IndexReduce& op, const CallOptions& options,
                                  Threads* threads) {
  const auto make_kind = [&] {
    const std::string call = "index_reduce " + op.reduction + (op.use_init_val ? " 1 " : " 0 ") +
                             std::to_string(op.axis);
    auto kind = internal::reduction(*state_, op, call, op.reduction, options);
    if (op.axis != 0)
      kind.check = [&op](const TensorSpec&, const TensorSpec&) -> Result<Plan> {
        return Status(ErrorCode::kInvalidArgument, "index_reduce of a distributed table: axis is " +
                                                       std::to_string(op.axis) + ", must be 0");
      };
    return kind;
  };
  return internal::write(begin_call(), make_kind, ids, updates, options, threads);
}

Status ShardedTable::assign(const TensorView& ids, const TensorView& rows,
                            const CallOptions& options, Threads* threads) {
  const auto kind = [&] { return internal::assignment(*state_, options); };
  return internal::write(begin_call(), kind, ids, rows, options, threads);
}

}  // namespace windrow

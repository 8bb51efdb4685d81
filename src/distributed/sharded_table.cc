#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "src/distributed/routes.h"
#include "src/distributed/sharded_state.h"
#include "src/operators/row_numbers.h"
#include "windrow/array.h"
#include "windrow/distributed.h"

namespace windrow {
namespace internal {
namespace {

// Counts changes of what ranks say to each other.
constexpr std::int64_t kShardedVersion = 1;

// What a rank shows to the others when a table is made.
enum Shown : std::size_t { kVersion, kType, kBy, kRank, kExtents, kShown = kExtents + kMaxRank };

// What one rank has shown.
class ShownShard {
 public:
  explicit ShownShard(const std::int64_t* numbers) : numbers_(numbers) {}

  static std::array<std::int64_t, kShown> numbers_of(const Tensor& shard, ShardBy by) {
    std::array<std::int64_t, kShown> numbers = {};
    numbers[kVersion] = kShardedVersion;
    numbers[kType] = static_cast<std::int64_t>(shard.dtype());
    numbers[kBy] = static_cast<std::int64_t>(by);
    numbers[kRank] = shard.shape().rank();
    std::copy(shard.shape().begin(), shard.shape().end(), numbers.begin() + kExtents);
    return numbers;
  }

  std::int64_t version() const { return numbers_[kVersion]; }
  std::int64_t by() const { return numbers_[kBy]; }
  DType dtype() const { return static_cast<DType>(numbers_[kType]); }
  Shape shape() const {
    return Shape(std::span(numbers_ + kExtents, static_cast<std::size_t>(numbers_[kRank])));
  }

 private:
  const std::int64_t* numbers_;
};

bool have_equal_rows(const Shape& a, const Shape& b) {
  return a.rank() == b.rank() && std::equal(a.begin() + 1, a.end(), b.begin() + 1);
}

Status bad_shard(ErrorCode code, std::size_t rank, const std::string& what) {
  return Status(code, "the shard of rank " + std::to_string(rank) + " " + what);
}

// Whether a shard can be one, and is of the same table as that of rank 0.
Status check_shard(std::size_t rank, const ShownShard& shard, const ShownShard& first) {
  if (shard.version() != first.version() || shard.by() != first.by())
    return bad_shard(ErrorCode::kInvalidArgument, rank,
                     "is distributed in another way than that of rank 0, or by another version");
  const std::string type(dtype_name(shard.dtype()));
  if (shard.dtype() != first.dtype())
    return bad_shard(
        ErrorCode::kType, rank,
        "has type " + type + ", that of rank 0 has " + std::string(dtype_name(first.dtype())));
  if (shard.dtype() == DType::kAbsent) return bad_shard(ErrorCode::kType, rank, "is absent");
  const Shape shape = shard.shape();
  if (shape.rank() == 0)
    return bad_shard(ErrorCode::kShape, rank, "has shape [], must have at least one axis");
  if (!have_equal_rows(shape, first.shape()))
    return bad_shard(ErrorCode::kShape, rank,
                     "has shape " + to_string(shape) + ", which does not fit to " +
                         to_string(first.shape()) + " of rank 0");
  Shape row = shape;
  row[0] = 1;
  if (dtype_kind(shard.dtype()) == DTypeKind::kText ||
      *element_count(row) * dtype_bits(shard.dtype()) % 8 != 0)
    return bad_shard(ErrorCode::kUnsupported, rank,
                     "has rows of " + type + " that are not whole bytes");
  return {};
}

// The map of shards with these numbers of rows.
Result<ShardMap> map_of(ShardBy by, std::span<const std::int64_t> rows) {
  auto contiguous = ShardMap::contiguous(rows);
  if (!contiguous || by == ShardBy::kContiguous) return contiguous;
  auto hashed = ShardMap::hashed(contiguous->rows(), contiguous->ranks());
  if (!hashed) return hashed;
  for (std::size_t r = 0; r < rows.size(); ++r)
    if (const std::int64_t due = hashed->rows_of(static_cast<int>(r)); due != rows[r])
      return bad_shard(ErrorCode::kInvalidArgument, r,
                       "has " + std::to_string(rows[r]) + " rows, must have " +
                           std::to_string(due) + " of " + std::to_string(hashed->rows()) +
                           " by hash");
  return hashed;
}

// The state of a table whose ranks have shown these numbers.
Result<ShardedState> state_of(Link link, Tensor shard, ShardBy by,
                              std::span<const std::int64_t> shown) {
  std::vector<std::int64_t> rows;
  for (std::size_t r = 0; r * kShown < shown.size(); ++r) {
    const ShownShard of_rank(&shown[r * kShown]);
    if (Status status = check_shard(r, of_rank, ShownShard(shown.data())); !status) return status;
    rows.push_back(of_rank.shape()[0]);
  }
  auto map = map_of(by, rows);
  if (!map) return map.error();
  Shape shape = shard.shape();
  shape[0] = 1;
  const auto row_bytes = dense_byte_count(shard.dtype(), shape);
  shape[0] = map->rows();
  if (!row_bytes || !dense_byte_count(shard.dtype(), shape))
    return Status(ErrorCode::kShape,
                  "a distributed table of shape " + to_string(shape) + " has 2^63 bytes or more");
  const bool is_narrow = *std::max_element(rows.begin(), rows.end()) <= std::int64_t{1} << 31;
  return ShardedState{std::move(link), *std::move(map), std::move(shard),
                      shape,           *row_bytes,      is_narrow ? DType::kInt32 : DType::kInt64};
}

// A collective take: its steps between two exchanges.
class TakeCall {
 public:
  TakeCall(const ShardedState& state, const TensorView& ids, const CallOptions& options,
           Threads* threads)
      : state_(state), ids_(ids), options_(options), threads_(threads) {}

  std::span<const std::int64_t> counts() const { return routes_.counts; }

  // Reads the ids and routes them.
  Status prepare();
  // Allocates everything; asked[r]: the number of rows that rank r asks for.
  Status allocate(std::vector<std::int64_t> asked);
  Status exchange_ids(Link& link);
  // Collects the rows that the ranks ask for.
  Status gather();
  Status exchange_rows(Link& link);
  // Repeats rows as the ids do.
  Status expand();

  Tensor& result() { return result_; }

 private:
  std::size_t own() const { return static_cast<std::size_t>(state_.link.rank()); }
  // Parts of what is sent for the other ranks; that of this rank itself is empty.
  std::vector<std::int64_t> without_own(std::span<const std::int64_t> counts) const {
    std::vector<std::int64_t> others(counts.begin(), counts.end());
    others[own()] = 0;
    return others;
  }

  const ShardedState& state_;
  const TensorView& ids_;
  const CallOptions& options_;
  Threads* threads_;
  TakeRoutes routes_;
  std::vector<std::int64_t> asked_;  // by each other rank
  Tensor asked_ids_;
  Tensor asked_rows_;
  Tensor taken_;  // the row of each of routes_.rows
  Tensor result_;
};

Status TakeCall::prepare() {
  if (!state_.damage) return state_.damage;
  const auto plan = compile(array::Take{}, {state_.spec(), ids_.spec()}, options_);
  if (!plan) return plan.error();
  if (Status status = check_memory(ids_, "ids"); !status) return status;
  const auto numbers = row_numbers(state_.map.rows(), ids_, options_, {});
  if (!numbers) return numbers.error();
  if (Status status = keep(Tensor::allocate(plan->result().dtype, plan->result().shape), result_);
      !status)
    return status;
  return keep(route_take(state_.map, numbers->values<std::int64_t>(), state_.id_type), routes_);
}

Status TakeCall::allocate(std::vector<std::int64_t> asked) {
  asked_ = without_own(asked);
  const std::int64_t all = sum_of(asked_);
  const DType dtype = state_.shard.dtype();
  if (Status status = keep(Tensor::allocate(state_.id_type, {all}), asked_ids_); !status)
    return status;
  if (Status status = keep(Tensor::allocate(dtype, state_.rows_shape(all)), asked_rows_); !status)
    return status;
  return keep(Tensor::allocate(dtype, state_.rows_shape(sum_of(routes_.counts))), taken_);
}

Status TakeCall::exchange_ids(Link& link) {
  auto to = parts_of<const std::byte>(bytes_of(std::as_const(routes_.rows)), routes_.counts,
                                      state_.id_bytes());
  to[own()] = {};
  const auto from = parts_of(bytes_of(asked_ids_), asked_, state_.id_bytes());
  return link.exchange(Payload::kIds, to, from);
}

Status TakeCall::gather() {
  const std::span<const std::int64_t> before(routes_.counts.data(), own());
  const std::int64_t first = sum_of(before);
  if (Status status = take_rows(state_.shard, state_.id_type, bytes_of(asked_ids_), sum_of(asked_),
                                bytes_of(asked_rows_), options_, threads_);
      !status)
    return status;
  return take_rows(state_.shard, state_.id_type, bytes_of(routes_.rows) + first * state_.id_bytes(),
                   routes_.counts[own()], bytes_of(taken_) + first * state_.row_bytes, options_,
                   threads_);
}

Status TakeCall::exchange_rows(Link& link) {
  const auto to =
      parts_of<const std::byte>(bytes_of(std::as_const(asked_rows_)), asked_, state_.row_bytes);
  auto from = parts_of(bytes_of(taken_), routes_.counts, state_.row_bytes);
  from[own()] = {};
  return link.exchange(Payload::kRows, to, from);
}

Status TakeCall::expand() {
  CallOptions local;
  local.out_of_range = OutOfRange::kZero;
  local.negative = NegativeIndex::kOutOfRange;
  local.kernels = options_.kernels;
  const TensorView places(DType::kInt64, ids_.shape, routes_.places.data());
  const auto plan = compile(array::Take{}, {taken_.spec(), places.spec()}, local);
  if (!plan) return plan.error();
  RunOptions run;
  run.threads = threads_;
  run.fresh_output = result_.byte_count() >= kFreshBytes && !result_.is_recycled();
  return plan->run({taken_, places}, result_.mutable_view(), run);
}

}  // namespace
}  // namespace internal

ShardedTable::ShardedTable(std::unique_ptr<internal::ShardedState> state) noexcept
    : state_(std::move(state)) {}
ShardedTable::ShardedTable(ShardedTable&&) noexcept = default;
ShardedTable& ShardedTable::operator=(ShardedTable&&) noexcept = default;
ShardedTable::~ShardedTable() = default;

Result<ShardedTable> ShardedTable::create(Exchange& exchange, Tensor shard, ShardBy by) try {
  internal::Link link(exchange);
  const auto shown = link.show(internal::ShownShard::numbers_of(shard, by));
  if (!shown) return shown.error();
  std::unique_ptr<internal::ShardedState> state;
  const Status own = internal::in_memory([&]() -> Status {
    auto made = internal::state_of(link, std::move(shard), by, *shown);
    if (!made) return made.error();
    state = std::make_unique<internal::ShardedState>(*std::move(made));
    return {};
  });
  // What was shown gives every rank the same error; memory may be lacking on one alone.
  const bool is_alone = own.code() == ErrorCode::kOutOfMemory;
  if (Status status = link.agree(is_alone ? own : Status()); !status) return status;
  if (!own) return own;
  return ShardedTable(std::move(state));
} catch (const std::bad_alloc&) {
  return internal::no_memory_to_agree();
}

DType ShardedTable::dtype() const noexcept { return state_->shard.dtype(); }
const Shape& ShardedTable::shape() const noexcept { return state_->shape; }
TensorSpec ShardedTable::spec() const { return state_->spec(); }
const ShardMap& ShardedTable::map() const noexcept { return state_->map; }
TensorView ShardedTable::shard() const noexcept { return state_->shard.view(); }
ShardedStatistics ShardedTable::statistics() const noexcept { return state_->link.statistics(); }

Status ShardedTable::fail(const Status& own) try {
  state_->link.count_call();
  return state_->link.agree(own);
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

Result<Tensor> ShardedTable::take(const TensorView& ids, const CallOptions& options,
                                  Threads* threads) try {
  using internal::in_memory;
  internal::Link& link = state_->link;
  link.count_call();
  internal::TakeCall call(*state_, ids, options, threads);
  Status own = in_memory([&] { return call.prepare(); });
  auto asked = link.announce(own, internal::call_tag("take", options), call.counts());
  if (!asked) return asked.error();
  own = in_memory([&] { return call.allocate(*std::move(asked)); });
  if (Status status = link.agree(own); !status) return status;
  if (Status status = call.exchange_ids(link); !status) return status;
  // A rank that cannot collect its rows sends what stands there, and the agreement at the end says
  // so.
  own = in_memory([&] { return call.gather(); });
  if (Status status = call.exchange_rows(link); !status) return status;
  if (own) own = in_memory([&] { return call.expand(); });
  if (Status status = link.agree(own); !status) return status;
  return std::move(call.result());
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

}  // namespace windrow

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/distributed/sharded_state.h"
#include "windrow/distributed.h"

namespace windrow {
namespace internal {
namespace {

// Counts changes of what ranks say to each other.
constexpr std::int64_t kShardedVersion = 3;

// What a rank shows to the others when a table is made.
enum Shown : std::size_t {
  kVersion,
  kType,
  kBy,
  kIsStored,
  kCallNumber,
  kAcceptTorn,
  kReserve,
  kRank,
  kExtents,
  kShown = kExtents + kMaxRank
};

// What one rank has shown.
class ShownShard {
 public:
  explicit ShownShard(const std::int64_t* numbers) : numbers_(numbers) {}

  // `shard` is null if there is none.
  static std::array<std::int64_t, kShown> numbers_of(const Shard* shard,
                                                     const ShardedOptions& options) {
    std::array<std::int64_t, kShown> numbers = {};
    numbers[kVersion] = kShardedVersion;
    numbers[kType] = static_cast<std::int64_t>(DType::kAbsent);
    if (shard == nullptr) return numbers;
    const TensorSpec spec = shard->spec();
    numbers[kType] = static_cast<std::int64_t>(spec.dtype);
    numbers[kBy] = static_cast<std::int64_t>(options.by);
    numbers[kIsStored] = shard->view().is_absent() ? 1 : 0;
    numbers[kCallNumber] = shard->call_number().value_or(kNoCallNumber);
    numbers[kAcceptTorn] = options.accept_torn ? 1 : 0;
    numbers[kReserve] = options.reserve_bytes;
    numbers[kRank] = spec.shape.rank();
    std::copy(spec.shape.begin(), spec.shape.end(), numbers.begin() + kExtents);
    return numbers;
  }

  std::int64_t version() const { return numbers_[kVersion]; }
  std::int64_t by() const { return numbers_[kBy]; }
  bool is_stored() const { return numbers_[kIsStored] != 0; }
  std::int64_t call_number() const { return numbers_[kCallNumber]; }
  bool accepts_torn() const { return numbers_[kAcceptTorn] != 0; }
  std::int64_t reserve_bytes() const { return numbers_[kReserve]; }
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
  if (shard.reserve_bytes() != first.reserve_bytes() || shard.reserve_bytes() < 0)
    return bad_shard(ErrorCode::kInvalidArgument, rank,
                     "has a reserve of " + std::to_string(shard.reserve_bytes()) +
                         " bytes, must have at least 0, and as many as that of rank 0");
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

// Whether every shard that keeps call numbers has those of the same last call, or all ranks accept
// that they have not.
Status check_call_numbers(std::span<const ShownShard> shards) {
  if (std::all_of(shards.begin(), shards.end(), [](auto& shard) { return shard.accepts_torn(); }))
    return {};
  std::optional<std::size_t> first;
  for (std::size_t r = 0; r < shards.size(); ++r) {
    const std::int64_t number = shards[r].call_number();
    if (number == kNoCallNumber) continue;
    if (!first) first = r;
    if (number == shards[*first].call_number()) continue;
    return bad_shard(ErrorCode::kIo, r,
                     "was last written to by call " + std::to_string(number) + ", that of rank " +
                         std::to_string(*first) + " by call " +
                         std::to_string(shards[*first].call_number()) +
                         ": a call was ended when only some ranks had made it; accept_torn opens "
                         "the shards as they are");
  }
  return {};
}

// The state of a table whose ranks have shown these numbers.
Result<ShardedState> state_of(Link link, std::unique_ptr<Shard> shard, ShardBy by,
                              std::span<const std::int64_t> numbers) {
  std::vector<ShownShard> shown;
  for (std::size_t at = 0; at < numbers.size(); at += kShown) shown.emplace_back(&numbers[at]);
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> call_numbers;
  bool has_stores = false;
  for (std::size_t r = 0; r < shown.size(); ++r) {
    if (Status status = check_shard(r, shown[r], shown.front()); !status) return status;
    rows.push_back(shown[r].shape()[0]);
    call_numbers.push_back(shown[r].call_number());
    has_stores |= shown[r].is_stored();
  }
  auto map = map_of(by, rows);
  if (!map) return map.error();
  if (Status status = check_call_numbers(shown); !status) return status;
  const DType dtype = shown.front().dtype();
  Shape shape = shown.front().shape();
  shape[0] = 1;
  const auto row_bytes = dense_byte_count(dtype, shape);
  shape[0] = map->rows();
  if (!row_bytes || !dense_byte_count(dtype, shape))
    return Status(ErrorCode::kShape,
                  "a distributed table of shape " + to_string(shape) + " has 2^63 bytes or more");
  const bool is_narrow = *std::max_element(rows.begin(), rows.end()) <= std::int64_t{1} << 31;
  const std::int64_t last_call = *std::max_element(call_numbers.begin(), call_numbers.end());
  static std::atomic<std::int64_t> tables = 0;
  return ShardedState{.link = std::move(link),
                      .map = *std::move(map),
                      .shard = std::move(shard),
                      .dtype = dtype,
                      .shape = shape,
                      .row_bytes = *row_bytes,
                      .id_type = is_narrow ? DType::kInt32 : DType::kInt64,
                      .number = ++tables,
                      .has_stores = has_stores,
                      .call_numbers = std::move(call_numbers),
                      .last_call = std::max<std::int64_t>(last_call, 0),
                      .reserve = {.bytes = shown.front().reserve_bytes()}};
}

// Makes the memory for rows of other ranks, if there is to be any.
Status make_remote_cache(std::int64_t bytes, std::shared_ptr<RowCache>& cache) {
  if (bytes == 0) return {};
  if (bytes < kLeastRemoteCache)
    return Status(ErrorCode::kInvalidArgument,
                  "a distributed table: the memory for rows of other ranks has " +
                      std::to_string(bytes) + " bytes, must have at least " +
                      std::to_string(kLeastRemoteCache) + ", or 0");
  return keep(RowCache::create(bytes), cache);
}

// The rounds in which a table is made. `make_shard(shard)` makes this rank's. A rank that has none
// shows that, and then says why.
template <class MakeShard>
Result<std::unique_ptr<ShardedState>> make_state(Exchange& exchange, const MakeShard& make_shard,
                                                 const ShardedOptions& options) {
  Turns::settle(exchange);
  Link link(exchange);
  std::unique_ptr<Shard> shard;
  std::shared_ptr<RowCache> cache;
  const Status lacking = in_memory([&]() -> Status {
    if (Status status = make_shard(shard); !status) return status;
    return make_remote_cache(options.remote_cache_bytes, cache);
  });
  const auto shown = link.show(ShownShard::numbers_of(shard.get(), options));
  if (!shown) return shown.error();
  std::unique_ptr<ShardedState> state;
  Status own = in_memory([&]() -> Status {
    auto made = state_of(link, std::move(shard), options.by, *shown);
    if (!made) return made.error();
    state = std::make_unique<ShardedState>(*std::move(made));
    state->remote_cache = std::move(cache);
    return {};
  });
  // What was shown gives every rank the same error; memory may be lacking on one alone.
  const Status alone = own.code() == ErrorCode::kOutOfMemory ? own : Status();
  if (Status status = link.agree(lacking ? alone : lacking); !status) return status;
  if (!own) return own;
  return state;
}

}  // namespace
}  // namespace internal

ShardedTable::ShardedTable(std::unique_ptr<internal::ShardedState> state) noexcept
    : state_(std::move(state)) {}
ShardedTable::ShardedTable(ShardedTable&&) noexcept = default;
ShardedTable& ShardedTable::operator=(ShardedTable&& other) noexcept {
  if (this == &other) return *this;
  const ShardedTable ended(std::move(*this));
  state_ = std::move(other.state_);
  return *this;
}
ShardedTable::~ShardedTable() {
  if (state_ != nullptr && state_->turns != nullptr) state_->turns->settle();
}

internal::ShardedState& ShardedTable::begin_call() noexcept {
  internal::Turns::settle(state_->link.engine());
  state_->link.count_call();
  return *state_;
}

Result<ShardedTable> ShardedTable::create(Exchange& exchange, Tensor shard,
                                          const ShardedOptions& options) try {
  const auto make = [&](std::unique_ptr<internal::Shard>& made) {
    made = internal::make_memory_shard(std::move(shard));
    return Status();
  };
  auto state = internal::make_state(exchange, make, options);
  if (!state) return state.error();
  return ShardedTable(*std::move(state));
} catch (const std::bad_alloc&) {
  return internal::no_memory_to_agree();
}

Result<ShardedTable> ShardedTable::open(Exchange& exchange, Result<std::unique_ptr<RowStore>> shard,
                                        const ShardedOptions& options) try {
  const auto make = [&](std::unique_ptr<internal::Shard>& made) {
    if (!shard) return shard.error();
    if (*shard == nullptr)
      return Status(ErrorCode::kInvalidArgument, "a distributed table: the store of rows is null");
    made = internal::make_stored_shard(*std::move(shard));
    return Status();
  };
  auto state = internal::make_state(exchange, make, options);
  if (!state) return state.error();
  return ShardedTable(*std::move(state));
} catch (const std::bad_alloc&) {
  return internal::no_memory_to_agree();
}

DType ShardedTable::dtype() const noexcept { return state_->dtype; }
const Shape& ShardedTable::shape() const noexcept { return state_->shape; }
TensorSpec ShardedTable::spec() const { return state_->spec(); }
const ShardMap& ShardedTable::map() const noexcept { return state_->map; }
TensorView ShardedTable::shard() const noexcept { return state_->shard->view(); }
std::span<const std::int64_t> ShardedTable::call_numbers() const noexcept {
  internal::Turns::settle(state_->link.engine());
  return state_->call_numbers;
}
ShardedStatistics ShardedTable::statistics() const noexcept {
  internal::Turns::settle(state_->link.engine());
  return state_->link.statistics();
}

Result<bool> ShardedTable::any(bool own) try {
  begin_call();
  const std::vector<std::int64_t> said(static_cast<std::size_t>(state_->link.ranks()), own ? 1 : 0);
  const auto all = state_->link.announce(state_->damage, internal::call_tag("any", {}), said);
  if (!all) return all.error();
  return std::find(all->counts.begin(), all->counts.end(), 1) != all->counts.end();
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

Status ShardedTable::fail(const Status& own) try {
  begin_call();
  return state_->link.agree(own);
} catch (const std::bad_alloc&) {
  return state_->link.give_up(internal::no_memory_to_agree());
}

}  // namespace windrow

#include <algorithm>
#include <array>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "src/distributed/sharded_state.h"
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
  static std::atomic<std::int64_t> tables = 0;
  return ShardedState{.link = std::move(link),
                      .map = *std::move(map),
                      .shard = std::move(shard),
                      .shape = shape,
                      .row_bytes = *row_bytes,
                      .id_type = is_narrow ? DType::kInt32 : DType::kInt64,
                      .number = ++tables};
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

}  // namespace windrow

#include "windrow/table.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "src/operators/taken_rows.h"
#include "src/row_cache/row_cache.h"
#include "src/tables/in_memory.h"
#include "src/tables/row_fetch.h"
#include "src/tables/table_state.h"
#include "windrow/array.h"

namespace windrow {
namespace internal {
namespace {

// Collects the rows of a run and reads those that the cache does not have, a batch at a time.
class RowReader final : public RowVisitor {
 public:
  RowReader(const TableState& table, const MutableTensorView& out, const RunOptions& options)
      : table_(table),
        interrupt_(options.interrupt),
        streams_(!options.fresh_output &&
                 dense_byte_count(out.dtype, out.shape).value_or(0) >= kStreamedResult) {
    wants_.reserve(static_cast<std::size_t>(kTableBatch));
  }

  bool visit(const TakenRows& rows) override {
    row_bytes_ = rows.row_bytes;
    const std::size_t count = rows.from.size();
    for (std::size_t j = 0; j < count; ++j)
      to_[j] = rows.to + static_cast<std::int64_t>(j) * rows.step;
    const std::span<std::uint8_t> found(found_.data(), count);
    std::fill(found.begin(), found.end(), std::uint8_t{0});
    if (RowCache* const cache = cache_of(row_bytes_); cache != nullptr)
      cache->find(table_.number(), row_bytes_, rows.from, std::span(to_.data(), count), found,
                  streams_);
    for (std::size_t j = 0; j < count; ++j) add(rows.from[j], to_[j], found[j] != 0);
    return status_.ok();
  }

  // Must be called after the last visit. Errors: those of the reads.
  Status finish() {
    if (status_ && !wants_.empty()) read();
    count_rows();
    return status_;
  }

 private:
  // Adds what was taken since the last time to the table's sums.
  void count_rows() {
    TableCounters& counters = table_.counters();
    counters.rows += std::exchange(rows_, 0);
    counters.row_bytes += std::exchange(taken_bytes_, 0);
    counters.cached += std::exchange(cached_, 0);
  }

  RowCache* cache_of(std::int64_t row_bytes) const {
    return table_.may_keep(row_bytes) ? table_.cache() : nullptr;
  }

  void add(std::int64_t from, std::byte* to, bool is_found) {
    if (from == kZeroRow) {
      std::memset(to, 0, static_cast<std::size_t>(row_bytes_));
      return;
    }
    rows_ += 1;
    taken_bytes_ += row_bytes_;
    cached_ += is_found ? 1 : 0;
    if (!is_found) want(from, to);
  }

  // A row is read in parts where it crosses from one piece of the table to the next, or is long.
  void want(std::int64_t from, std::byte* to) {
    const std::int64_t end = from + row_bytes_;
    while (from < end && status_) {
      const std::int64_t bytes =
          std::min({end - from, RowFetch::kMostWantBytes, table_.piece_of(from).high - from});
      wants_.push_back({from, bytes, to});
      from += bytes;
      to += bytes;
      if (static_cast<std::int64_t>(wants_.size()) == kTableBatch) read();
    }
  }

  void read() {
    RowFetch fetch(table_.pieces(), wants_);
    RowVersion version;
    if (const TableWriter* const writer = table_.writer(); writer != nullptr)
      version = {&writer->writes(), writer->writes()};
    if (RowCache* const cache = cache_of(row_bytes_); cache != nullptr)
      fetch.seen = [=, this](const Want& want, const std::byte* bytes) {
        if (want.bytes == row_bytes_)
          cache->insert(table_.number(), want.from, {bytes, static_cast<std::size_t>(want.bytes)},
                        version);
      };
    if (interrupt_ != nullptr) fetch.ended = [&] { return is_interrupted(); };
    status_ = table_.read(fetch);
    if (status_ && interrupted_)
      status_ = Status(ErrorCode::kInterrupted, "a table on disk: interrupted by the caller");
    count_rows();
    wants_.clear();
  }

  // Asks the caller now and then, in the caller's thread.
  bool is_interrupted() {
    if (std::this_thread::get_id() == caller_ && ++reads_since_ % kReadsPerLook == 0)
      interrupted_ = interrupted_ || interrupt_->requested();
    return interrupted_;
  }

  static constexpr std::int64_t kReadsPerLook = 256;
  // The smallest result that cached rows are copied into with non-temporal stores, except into
  // memory that has never been touched.
  static constexpr std::int64_t kStreamedResult = std::int64_t{12} << 20;

  const TableState& table_;
  Interrupt* interrupt_;
  bool streams_;  // whether cached rows are copied with non-temporal stores
  std::thread::id caller_ = std::this_thread::get_id();
  Status status_;
  std::vector<Want> wants_;
  std::array<std::byte*, kMostVisited> to_;
  std::array<std::uint8_t, kMostVisited> found_;
  std::int64_t row_bytes_ = 0;
  std::int64_t rows_ = 0;  // since count_rows(), as the two below
  std::int64_t taken_bytes_ = 0;
  std::int64_t cached_ = 0;
  std::int64_t reads_since_ = 0;
  bool interrupted_ = false;
};

constexpr std::array<std::string_view, 4> kReadsNames = {"best", "io_uring", "threads",
                                                         "read_ahead"};

}  // namespace
}  // namespace internal

std::string_view table_reads_name(TableReads reads) noexcept {
  return internal::kReadsNames[static_cast<std::size_t>(reads)];
}

std::optional<TableReads> parse_table_reads(std::string_view name) noexcept {
  const auto found = std::find(internal::kReadsNames.begin(), internal::kReadsNames.end(), name);
  if (found == internal::kReadsNames.end()) return std::nullopt;
  return static_cast<TableReads>(found - internal::kReadsNames.begin());
}

TableCache::TableCache(std::shared_ptr<internal::RowCache> cache) noexcept
    : cache_(std::move(cache)) {}

Result<TableCache> TableCache::create(std::int64_t bytes) {
  if (bytes < kLeastTableCache)
    return Status(ErrorCode::kInvalidArgument, "a cache of rows has " + std::to_string(bytes) +
                                                   " bytes, must have at least " +
                                                   std::to_string(kLeastTableCache));
  auto cache = internal::RowCache::create(bytes);
  if (!cache) return cache.error();
  return TableCache(*std::move(cache));
}

TableCache::Statistics TableCache::statistics() const {
  const internal::RowCacheStatistics now = cache_->statistics();
  return {now.hits, now.misses, now.rows, now.bytes};
}

Table::Table(std::shared_ptr<const internal::TableState> state) noexcept
    : state_(std::move(state)) {}

Result<Table> Table::open(std::span<const TablePart> parts, const TableOptions& options) {
  return internal::in_memory([&]() -> Result<Table> {
    internal::no_memory();
    auto state =
        internal::TableState::open(parts, options, options.cache ? options.cache->cache_ : nullptr);
    if (!state) return state.error();
    return Table(*std::move(state));
  });
}

Result<Table> Table::open(const std::filesystem::path& path, const TableOptions& options) {
  return internal::in_memory([&] {
    const TablePart part{path};
    return open(std::span(&part, 1), options);
  });
}

DType Table::dtype() const noexcept { return state_->dtype(); }
const Shape& Table::shape() const noexcept { return state_->shape(); }
TensorSpec Table::spec() const { return {dtype(), shape(), std::nullopt, nullptr}; }

Status Table::run(const Plan& plan, std::span<const TensorView> inputs,
                  const MutableTensorView& out, const RunOptions& options) const {
  return internal::in_memory([&]() -> Status {
    if (Status status = internal::check_data_spec(plan, spec()); !status) return status;
    if (const internal::TableWriter* const writer = state_->writer(); writer != nullptr)
      if (Status status = writer->check_whole(); !status) return status;
    internal::RowReader reader(*state_, out, options);
    // A bad index is found before what was read is of use.
    if (Status walked = internal::visit_rows(plan, inputs, out, options, reader); !walked)
      return walked;
    return reader.finish();
  });
}

Result<Tensor> Table::run(const Plan& plan, std::span<const TensorView> inputs,
                          const RunOptions& options) const {
  auto out = Tensor::allocate(plan.result().dtype, plan.result().shape);
  if (!out) return out;
  RunOptions into_new = options;
  into_new.fresh_output = out->byte_count() >= kFreshBytes && !out->is_recycled();
  if (Status status = run(plan, inputs, out->mutable_view(), into_new); !status) return status;
  return out;
}

Result<Tensor> Table::take(const TensorView& indices, const array::Take& op,
                           const CallOptions& options, const RunOptions& run_options) const {
  return internal::in_memory([&]() -> Result<Tensor> {
    const auto plan = compile(op, {spec(), indices.spec()}, options);
    if (!plan) return plan.error();
    const std::array<TensorView, 2> inputs = {TensorView(), indices};
    return run(*plan, inputs, run_options);
  });
}

TableStatistics Table::statistics() const {
  const internal::TableCounters& counters = state_->counters();
  return {counters.rows, counters.row_bytes, counters.cached, counters.reads, counters.read_bytes};
}

TableDescription Table::description() const { return state_->describe(); }
std::string Table::describe() const { return to_string(description()); }

std::string to_string(const TableDescription& description) {
  std::string text =
      std::string(dtype_name(description.dtype)) + " " + to_string(description.shape) + " in ";
  const std::size_t files = description.files.size();
  text += files == 1 ? "'" + description.files.front() + "'" : std::to_string(files) + " files";
  text += "; " + description.reads + ", ";
  if (description.reads == "read_ahead") return text + "through the page cache";
  text += std::to_string(description.depth) + " reads at a time, ";
  if (!description.is_direct) return text + "through the page cache";
  return text + "past the page cache in blocks of " + std::to_string(description.block) + " bytes";
}

}  // namespace windrow

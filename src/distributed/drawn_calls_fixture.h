#ifndef WINDROW_DISTRIBUTED_DRAWN_CALLS_FIXTURE_H_
#define WINDROW_DISTRIBUTED_DRAWN_CALLS_FIXTURE_H_

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "windrow/array.h"
#include "windrow/distributed.h"

// Collective calls that are drawn: each rank draws those of all ranks, and compares its own results
// with those of one process on the ids and updates of all ranks, one after another.
namespace windrow::internal {

// How many tables are drawn for each number of ranks: WINDROW_RANK_TABLES, or this number.
inline std::uint64_t drawn_tables(std::uint64_t usual) {
  const char* const given = std::getenv("WINDROW_RANK_TABLES");
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

// A table, its shards and calls on it.
class DrawnCalls {
 public:
  // Makes the table of a rank that has these rows.
  using MakeTable = std::function<Result<ShardedTable>(Exchange&, Tensor, const ShardedOptions&)>;

  DrawnCalls(Exchange& exchange, std::uint64_t seed) : exchange_(exchange), draw_(seed) {}
  // Tables of `make` may keep rows of other ranks.
  DrawnCalls(Exchange& exchange, std::uint64_t seed, MakeTable make)
      : exchange_(exchange), draw_(seed), make_(std::move(make)), may_keep_rows_(true) {}

  // Makes a table and `calls` calls on it. Returns what differs first, or an empty text.
  std::string run(int calls, Threads* threads) {
    draw_table();
    // A small reserve, which is too small for some look-ups, or one that is large enough for all.
    reserve_ = draw(2) == 0 ? static_cast<std::int64_t>(draw(3000)) : std::int64_t{1} << 20;
    auto table = make_(exchange_, shard_of(whole_), {.by = by_, .reserve_bytes = reserve_});
    if (!table) return "create: " + table.error().message();
    if (!(table->shape() == whole_.shape())) return "shape " + to_string(table->shape());
    for (int call = 0; call < calls; ++call) {
      const std::string fault = call_once(*table, threads);
      if (!fault.empty())
        return fault + "; " + std::string(dtype_name(whole_.dtype())) + " " +
               to_string(whole_.shape()) + (by_ == ShardBy::kHash ? " by hash" : "") + ", call " +
               std::to_string(call);
    }
    return {};
  }

 private:
  static constexpr int kMostIds = 200;

  std::string call_once(ShardedTable& table, Threads* threads) {
    switch (draw(6)) {
      case 0:
        return take(table, threads);
      case 1:
        return take_by_route(table, threads);
      case 2:
        return pool(table, threads);
      default:
        return write(table, threads);
    }
  }

  std::uint64_t draw(std::uint64_t end) { return draw_() % end; }

  // Makes some floats NaN, of several payloads, infinite or zero, of both signs.
  void make_special(Tensor& values) {
    const auto replace = [&](auto zero, int mantissa) {
      using Bits = decltype(zero);
      const int sign = static_cast<int>(8 * sizeof(Bits)) - 1;
      const std::uint64_t infinity = (std::uint64_t{1} << sign) - (std::uint64_t{1} << mantissa);
      const std::uint64_t quiet = std::uint64_t{1} << (mantissa - 1);
      for (std::int64_t i = 0; i < values.element_count(); ++i) {
        const std::array<std::uint64_t, 3> specials = {0, infinity, infinity | quiet | draw(3)};
        const std::uint64_t bits = specials[draw(3)] | (draw(2) << sign);
        if (draw(3) == 0) static_cast<Bits*>(values.data())[i] = static_cast<Bits>(bits);
      }
    };
    if (values.dtype() == DType::kFloat16) replace(std::uint16_t{}, 10);
    if (values.dtype() == DType::kBFloat16) replace(std::uint16_t{}, 7);
    if (values.dtype() == DType::kFloat32) replace(std::uint32_t{}, 23);
    if (values.dtype() == DType::kFloat64) replace(std::uint64_t{}, 52);
  }

  // Numbers whose sums are rounded, and none that is not a number.
  Tensor draw_values(DType dtype, const Shape& shape) {
    Tensor values = Tensor::allocate(dtype, shape).value();
    auto* const bytes = static_cast<std::uint8_t*>(values.data());
    for (std::int64_t i = 0; i < values.byte_count(); ++i)
      bytes[i] = static_cast<std::uint8_t>(draw_());
    const auto narrow = [&](auto zero, int mantissa, std::uint64_t bias) {
      using Bits = decltype(zero);
      const int sign = static_cast<int>(8 * sizeof(Bits)) - 1;
      for (std::int64_t i = 0; i < values.element_count(); ++i) {
        Bits& bits = static_cast<Bits*>(values.data())[i];
        const std::uint64_t kept =
            (std::uint64_t{1} << sign) | ((std::uint64_t{1} << mantissa) - 1);
        bits = static_cast<Bits>((bits & kept) | ((bias - draw(4)) << mantissa));
      }
    };
    if (dtype == DType::kFloat16) narrow(std::uint16_t{}, 10, 15);
    if (dtype == DType::kBFloat16) narrow(std::uint16_t{}, 7, 127);
    if (dtype == DType::kFloat32) narrow(std::uint32_t{}, 23, 127);
    if (dtype == DType::kFloat64) narrow(std::uint64_t{}, 52, 1023);
    if (dtype == DType::kBool)
      for (std::int64_t i = 0; i < values.byte_count(); ++i) bytes[i] &= 1;
    return values;
  }

  void draw_table() {
    constexpr DType kTypes[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32,
                                DType::kFloat64, DType::kInt8,     DType::kInt32,
                                DType::kUint64,  DType::kBool,     DType::kUint16};
    const Shape shapes[] = {{0}, {0, 1}, {0, 7}, {0, 16}, {0, 3, 5}, {0, 33}, {0, 0}};
    Shape shape = shapes[draw(std::size(shapes))];
    by_ = draw(2) == 0 ? ShardBy::kContiguous : ShardBy::kHash;
    std::vector<std::int64_t> rows;
    for (int rank = 0; rank < exchange_.ranks(); ++rank)
      rows.push_back(draw(4) == 0 ? 0 : static_cast<std::int64_t>(draw(60)));
    map_.emplace_back(ShardMap::contiguous(rows).value());
    if (by_ == ShardBy::kHash)
      map_.back() = ShardMap::hashed(map_.back().rows(), exchange_.ranks()).value();
    shape[0] = map_.back().rows();
    whole_ = draw_values(kTypes[draw(std::size(kTypes))], shape);
  }

  // The rows of the table that this rank has.
  Tensor own_rows() const {
    const ShardMap& map = map_.back();
    std::vector<std::int64_t> rows;
    for (std::int64_t row = 0; row < map.rows_of(exchange_.rank()); ++row)
      rows.push_back(map.row_at({exchange_.rank(), row}));
    return ids_tensor(rows, true);
  }

  Tensor shard_of(const Tensor& whole) const { return array::take(whole, own_rows()).value(); }

  // Whether this rank's shard is that of the whole table. Collective.
  bool has_own_rows(ShardedTable& table) const {
    const Tensor due = shard_of(whole_);
    const auto taken = table.take(own_rows());
    if (!taken || !are_same(*taken, due)) return false;
    return table.shard().is_absent() || are_same(table.shard(), due);
  }

  struct DrawnIds {
    std::vector<Tensor> of_ranks;
    Tensor all;
    int bad_rank = -1;  // the first rank with a bad id, and its place there
    std::int64_t bad_at = 0;
    CallOptions options;
  };

  std::int64_t draw_id(std::uint64_t skew) {
    const auto rows = static_cast<std::uint64_t>(whole_.shape()[0]);
    std::uint64_t id = draw(rows);
    for (std::uint64_t i = 0; i < skew; ++i) id = std::min(id, draw(rows));
    return static_cast<std::int64_t>(id);
  }

  CallOptions draw_options(OutOfRange left_out) {
    CallOptions options;
    const std::uint64_t policy = draw(8);
    if (policy == 0) options.out_of_range = left_out;
    if (policy == 1) options.out_of_range = OutOfRange::kClamp;
    if (policy == 2) options.out_of_range = OutOfRange::kModulo;
    if (draw(4) == 0) options.padding_index = draw(2) == 0 ? -1 : 2;
    return options;
  }

  DrawnIds draw_ids(OutOfRange left_out) {
    const std::int64_t rows = whole_.shape()[0];
    DrawnIds ids;
    ids.options = draw_options(left_out);
    const std::uint64_t skew = draw(2) * 8;
    const bool is_int64 = draw(2) == 0;
    std::vector<std::int64_t> all;
    for (int rank = 0; rank < exchange_.ranks(); ++rank) {
      std::vector<std::int64_t> own;
      const std::uint64_t count = draw(4) == 0 || rows == 0 ? 0 : draw(kMostIds);
      for (std::uint64_t i = 0; i < count; ++i) {
        own.push_back(draw_id(skew));
        if (draw(6) == 0 && ids.options.out_of_range != OutOfRange::kClamp) own.back() -= rows;
        if (draw(5) == 0 && ids.options.out_of_range) own.back() += rows * (draw(2) == 0 ? 1 : -2);
      }
      if (count > 0 && draw(20) == 0 && !ids.options.out_of_range) {
        const std::uint64_t at = draw(count);
        own[at] = rows + static_cast<std::int64_t>(draw(3));
        if (ids.options.padding_index != own[at] && ids.bad_rank < 0) {
          ids.bad_rank = rank;
          ids.bad_at = static_cast<std::int64_t>(at);
        }
      }
      all.insert(all.end(), own.begin(), own.end());
      ids.of_ranks.push_back(ids_tensor(own, is_int64));
    }
    ids.all = ids_tensor(all, is_int64);
    return ids;
  }

  static Tensor ids_tensor(const std::vector<std::int64_t>& ids, bool is_int64) {
    const Shape shape = {static_cast<std::int64_t>(ids.size())};
    if (is_int64) return Tensor::from<std::int64_t>(shape, ids);
    const std::vector<std::int32_t> narrow(ids.begin(), ids.end());
    return Tensor::from<std::int32_t>(shape, narrow);
  }

  static bool are_same(const TensorView& a, const TensorView& b) {
    return a.dtype == b.dtype && a.shape == b.shape &&
           std::memcmp(a.data, b.data,
                       static_cast<std::size_t>(*dense_byte_count(a.dtype, a.shape))) == 0;
  }

  // What is wrong with the error of a call, one of whose ids is bad.
  static std::string check_error(const Status& error, const DrawnIds& ids) {
    if (error.code() != ErrorCode::kIndexOutOfRange || error.index_fault() == nullptr)
      return "a bad id: '" + error.message() + "'";
    if (error.message().rfind("rank " + std::to_string(ids.bad_rank) + ": ", 0) != 0 ||
        error.index_fault()->position != std::vector<std::int64_t>{ids.bad_at})
      return "another bad id: '" + error.message() + "'";
    return {};
  }

  // Of the different rows that the ids of `rank` name the number that each rank has.
  std::vector<std::int64_t> rows_of(const DrawnIds& ids, int rank) const {
    const Tensor numbers = [&] {
      Tensor rows = Tensor::allocate(DType::kInt64, {whole_.shape()[0], 1}).value();
      for (std::int64_t i = 0; i < rows.element_count(); ++i)
        static_cast<std::int64_t*>(rows.data())[i] = i + 1;
      CallOptions options = ids.options;
      if (options.out_of_range == OutOfRange::kSkip) options.out_of_range = OutOfRange::kZero;
      return array::take(rows, ids.of_ranks[static_cast<std::size_t>(rank)], {}, options).value();
    }();
    const auto values = numbers.values<std::int64_t>();
    std::vector<std::int64_t> counts(static_cast<std::size_t>(exchange_.ranks()));
    for (const std::int64_t number : std::set<std::int64_t>(values.begin(), values.end()))
      if (number > 0) counts[static_cast<std::size_t>(map_.back().place(number - 1).rank)] += 1;
    return counts;
  }

  // The different rows of other ranks that this rank's ids name.
  std::int64_t remote_rows(const DrawnIds& ids) const {
    const std::vector<std::int64_t> counts = rows_of(ids, exchange_.rank());
    return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) -
           counts[static_cast<std::size_t>(exchange_.rank())];
  }

  // The bytes of an id and its row, as they travel.
  std::int64_t bytes_of_row() const {
    Shape row = whole_.shape();
    row[0] = 1;
    constexpr std::int64_t kIdBytes = 4;
    return kIdBytes + *dense_byte_count(whole_.dtype(), row);
  }

  // Whether what each rank asks each other one for fits into its share of the reserve.
  bool is_small(const DrawnIds& ids) const {
    const std::int64_t most = reserve_ / std::max(exchange_.ranks() - 1, 1) / bytes_of_row();
    for (int rank = 0; rank < exchange_.ranks(); ++rank) {
      const std::vector<std::int64_t> counts = rows_of(ids, rank);
      for (int owner = 0; owner < exchange_.ranks(); ++owner)
        if (owner != rank && counts[static_cast<std::size_t>(owner)] > most) return false;
    }
    return true;
  }

  const Tensor& own_of(const DrawnIds& ids) const {
    return ids.of_ranks[static_cast<std::size_t>(exchange_.rank())];
  }

  // What is wrong with the bytes that moved between two statistics, of `rows` ids and rows.
  std::string check_bytes(std::int64_t ids, std::int64_t bytes, std::int64_t rows) const {
    const std::int64_t least = rows * bytes_of_row();
    if (20 * (ids + bytes) <= 21 * least) return {};
    return std::to_string(ids + bytes) + " bytes, needs " + std::to_string(least);
  }

  std::string take(ShardedTable& table, Threads* threads) {
    const DrawnIds ids = draw_ids(OutOfRange::kZero);
    const Tensor& own = own_of(ids);
    const ShardedStatistics before = table.statistics();
    // Every other one is begun, and then waited for.
    const auto taken = ++takes_ % 2 == 0 ? table.take_async(own, ids.options, threads).get()
                                         : table.take(own, ids.options, threads);
    if (ids.bad_rank >= 0) return taken ? "no error" : check_error(taken.error(), ids);
    if (!taken) return "take: " + taken.error().message();
    const auto expected = array::take(whole_, own, {}, ids.options);
    if (!are_same(*taken, *expected)) return "take: other bits";
    const ShardedStatistics after = table.statistics();
    // Rows that are kept are not asked for, which can make a call small.
    const std::int64_t rounds = after.rounds - before.rounds;
    const bool may_be_small = is_small(ids) || may_keep_rows_;
    if (!(rounds == 4 && may_be_small) && !(rounds == 5 && !is_small(ids)))
      return "take: other rounds";
    return check_bytes(after.sent_id_bytes - before.sent_id_bytes,
                       after.received_row_bytes - before.received_row_bytes, remote_rows(ids));
  }

  // Takes the same rows before and after a call that writes.
  std::string take_by_route(ShardedTable& table, Threads* threads) {
    const DrawnIds ids = draw_ids(OutOfRange::kZero);
    const Tensor& own = own_of(ids);
    const auto route = table.plan_take(own, ids.options);
    if (ids.bad_rank >= 0) return route ? "no error" : check_error(route.error(), ids);
    if (!route) return "plan_take: " + route.error().message();
    for (int i = 0; i < 2; ++i) {
      const ShardedStatistics before = table.statistics();
      const auto taken = table.take(*route, threads);
      if (!taken) return "take by a route: " + taken.error().message();
      const auto expected = array::take(whole_, own, {}, ids.options);
      if (!are_same(*taken, *expected) || !(taken->shape() == route->shape()))
        return "take by a route: other bits";
      const ShardedStatistics after = table.statistics();
      if (after.rounds - before.rounds != 2 || after.sent_id_bytes != before.sent_id_bytes)
        return "take by a route: other rounds";
      if (std::string fault = i == 0 ? write(table, threads) : ""; !fault.empty()) return fault;
    }
    return {};
  }

  std::string pool(ShardedTable& table, Threads* threads) {
    constexpr const char* kReductions[] = {"sum", "mean", "max"};
    const DrawnIds ids = draw_ids(OutOfRange::kSkip);
    const Tensor& own = own_of(ids);
    array::EmbeddingBag op{.reduction = kReductions[draw(3)]};
    const bool is_weighted = draw(2) == 0;
    Tensor offsets;
    Tensor weights;
    // All ranks draw for all of them, so that they draw the same.
    for (int rank = 0; rank < exchange_.ranks(); ++rank) {
      const Tensor& of_rank = ids.of_ranks[static_cast<std::size_t>(rank)];
      std::vector<std::int64_t> begins = {0};
      for (std::uint64_t bags = draw(6); bags > 0; --bags)
        begins.push_back(static_cast<std::int64_t>(
            draw(static_cast<std::uint64_t>(of_rank.element_count()) + 1)));
      std::sort(begins.begin(), begins.end());
      Tensor drawn_weights = draw_values(whole_.dtype(), of_rank.shape());
      if (rank != exchange_.rank()) continue;
      offsets = ids_tensor(begins, true);
      if (is_weighted && op.reduction == "sum") weights = std::move(drawn_weights);
    }
    const auto pooled = table.embedding_bag(own, offsets, weights, op, ids.options, threads);
    const auto expected = array::embedding_bag(whole_, own, offsets, weights, op, ids.options);
    if (!pooled && ids.bad_rank >= 0 &&
        (expected || expected.error().code() == ErrorCode::kIndexOutOfRange))
      return check_error(pooled.error(), ids);
    if (pooled.ok() != expected.ok())
      return "embedding_bag: " + (pooled ? expected : pooled).error().message();
    if (pooled && !are_same(*pooled, *expected)) return "embedding_bag: other bits";
    return {};
  }

  std::string write(ShardedTable& table, Threads* threads) {
    constexpr const char* kReductions[] = {"sum", "prod", "min", "max", "mean"};
    const DrawnIds ids = draw_ids(OutOfRange::kSkip);
    const std::uint64_t kind = draw(3);
    array::IndexReduce op{.reduction = kReductions[draw(5)], .use_init_val = draw(2) == 0};
    if (whole_.dtype() == DType::kBool && op.reduction == "mean") op.reduction = "max";
    Shape shape = whole_.shape();
    shape[0] = ids.all.shape()[0];
    Tensor updates = draw_values(whole_.dtype(), shape);
    if (kind == 1 && (op.reduction == "min" || op.reduction == "max")) make_special(updates);
    const TensorView own_updates = updates_of_rank(updates, ids);
    const Tensor& own = own_of(ids);
    const ShardedStatistics before = table.statistics();
    Status status;
    if (kind == 0) status = table.index_add(own, own_updates, ids.options, threads);
    if (kind == 1) status = table.index_reduce(own, own_updates, op, ids.options, threads);
    if (kind == 2) status = table.assign(own, own_updates, ids.options, threads);
    if (ids.bad_rank < 0) {
      if (!status) return "write: " + status.message();
      update_whole(kind, op, ids, updates);
    } else if (std::string fault = status ? "no error" : check_error(status, ids); !fault.empty()) {
      return fault;
    }
    const ShardedStatistics after = table.statistics();
    if (!has_own_rows(table))
      return "write: other bits, kind " + std::to_string(kind) + " " + op.reduction;
    if (ids.bad_rank >= 0 || (!is_combined(kind, op.reduction))) return {};
    return check_bytes(after.sent_id_bytes - before.sent_id_bytes,
                       after.sent_row_bytes - before.sent_row_bytes, remote_rows(ids));
  }

  // Whether at most one update of each row leaves a rank.
  bool is_combined(std::uint64_t kind, const std::string& reduction) const {
    const DTypeKind of_type = dtype_kind(whole_.dtype());
    const bool is_float = of_type == DTypeKind::kFloat || of_type == DTypeKind::kComplex;
    if (kind == 0) return !is_float;
    if (kind == 2 || reduction == "min" || reduction == "max") return true;
    return !is_float && reduction != "mean";
  }

  TensorView updates_of_rank(const Tensor& updates, const DrawnIds& ids) const {
    std::int64_t first = 0;
    for (int rank = 0; rank < exchange_.rank(); ++rank)
      first += ids.of_ranks[static_cast<std::size_t>(rank)].shape()[0];
    Shape shape = updates.shape();
    shape[0] = ids.of_ranks[static_cast<std::size_t>(exchange_.rank())].shape()[0];
    Shape row = shape;
    row[0] = 1;
    return {updates.dtype(), shape,
            static_cast<const std::byte*>(updates.data()) +
                first * *dense_byte_count(updates.dtype(), row)};
  }

  void update_whole(std::uint64_t kind, const array::IndexReduce& op, const DrawnIds& ids,
                    const Tensor& updates) {
    if (kind == 0) whole_ = array::index_add(whole_, ids.all, updates, {}, ids.options).value();
    if (kind == 1) whole_ = array::index_reduce(whole_, ids.all, updates, op, ids.options).value();
    if (kind != 2) return;
    Shape columns = ids.all.shape();
    for (int axis = 1; axis < whole_.shape().rank(); ++axis) columns.push_back(1);
    const TensorView indices(ids.all.dtype(), columns, ids.all.data());
    whole_ = array::put_along_axis(whole_, indices, updates, {.axis = 0}, ids.options).value();
  }

  Exchange& exchange_;
  std::mt19937_64 draw_;
  MakeTable make_ = &ShardedTable::create;
  bool may_keep_rows_ = false;
  ShardBy by_ = ShardBy::kContiguous;
  std::int64_t reserve_ = 0;
  std::vector<ShardMap> map_;  // of one
  Tensor whole_;
  int takes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_DRAWN_CALLS_FIXTURE_H_

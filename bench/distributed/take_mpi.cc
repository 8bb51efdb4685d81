// Times ShardedTable::take() beside a look-up written by hand with MPI_Alltoallv, and beside
// PetscSF where the build found PETSc, pair by pair, on the same ids: `mpirun -n 2 windrow_take_mpi
// [ROWS COLUMNS IDS PAIRS]`. Rank 0 prints medians of the slowest rank's times, and of ratios to
// the look-up by hand the median and the quartiles. Ids are drawn anew for each pair or stay the
// same.

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "bench/distributed/star_forest.h"
#include "windrow/distributed.h"

namespace {

using windrow::Tensor;

// A table of contiguous shards and one rank's ids.
struct Setup {
  int rank = 0;
  int ranks = 1;
  std::int64_t rows_of_rank = 0;
  std::int64_t columns = 0;
  std::vector<float> shard;
  std::vector<std::int64_t> ids;
};

std::vector<int> firsts_of(const std::vector<int>& counts) {
  std::vector<int> firsts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), firsts.begin(), 0);
  return firsts;
}

std::vector<int> times(std::vector<int> counts, std::int64_t factor) {
  for (int& count : counts) count *= static_cast<int>(factor);
  return counts;
}

// What people write: ids sorted by rank, counts, ids, rows, and rows put into the order of the ids.
void take_by_hand(const Setup& setup, float* out) {
  const auto ranks = static_cast<std::size_t>(setup.ranks);
  std::vector<int> asks(ranks), asked(ranks);
  for (const std::int64_t id : setup.ids) asks[static_cast<std::size_t>(id / setup.rows_of_rank)]++;
  MPI_Alltoall(asks.data(), 1, MPI_INT, asked.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> ask_firsts = firsts_of(asks), asked_firsts = firsts_of(asked);
  std::vector<std::int64_t> sorted(setup.ids.size());
  std::vector<std::size_t> places(setup.ids.size());
  std::vector<int> next = ask_firsts;
  for (std::size_t i = 0; i < setup.ids.size(); ++i) {
    const auto place = static_cast<std::size_t>(
        next[static_cast<std::size_t>(setup.ids[i] / setup.rows_of_rank)]++);
    sorted[place] = setup.ids[i] % setup.rows_of_rank;
    places[i] = place;
  }
  const auto all = static_cast<std::size_t>(std::accumulate(asked.begin(), asked.end(), 0));
  std::vector<std::int64_t> asked_ids(all);
  MPI_Alltoallv(sorted.data(), asks.data(), ask_firsts.data(), MPI_INT64_T, asked_ids.data(),
                asked.data(), asked_firsts.data(), MPI_INT64_T, MPI_COMM_WORLD);
  const auto columns = static_cast<std::size_t>(setup.columns);
  std::vector<float> rows(all * columns), taken(setup.ids.size() * columns);
  for (std::size_t i = 0; i < all; ++i)
    std::memcpy(&rows[i * columns], &setup.shard[static_cast<std::size_t>(asked_ids[i]) * columns],
                columns * sizeof(float));
  MPI_Alltoallv(rows.data(), times(asked, setup.columns).data(),
                times(asked_firsts, setup.columns).data(), MPI_FLOAT, taken.data(),
                times(asks, setup.columns).data(), times(ask_firsts, setup.columns).data(),
                MPI_FLOAT, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < places.size(); ++i)
    std::memcpy(out + i * columns, &taken[places[i] * columns], columns * sizeof(float));
}

// Seconds of the slowest rank.
double time_of(const std::function<void()>& call) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  call();
  double own = MPI_Wtime() - begin;
  double slowest = 0;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

// The value below which `part` of the values are.
double quantile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(
      std::lround(part * static_cast<double>(values.size() - 1)))];
}

// Skew 1: every row as often as any other; larger: the first ones more often.
void draw_ids(Setup& setup, double skew, std::mt19937_64& draw) {
  std::uniform_real_distribution<double> part(0, 1);
  const auto rows = static_cast<double>(setup.rows_of_rank * setup.ranks);
  for (std::int64_t& id : setup.ids)
    id = static_cast<std::int64_t>(std::pow(part(draw), skew) * rows);
}

// A way to take the rows of the ids of a setup.
struct Way {
  const char* name;
  std::function<Tensor()> take;
  std::vector<double> times = {};
  std::vector<double> ratios = {};
};

// Times each way beside the look-up by hand, in an order that turns.
void compare(Setup& setup, std::vector<Way> ways, double skew, bool is_new, int pairs) {
  std::mt19937_64 draw(static_cast<std::uint64_t>(setup.rank));
  std::vector<float> out(setup.ids.size() * static_cast<std::size_t>(setup.columns));
  std::vector<double> by_hand;
  for (int pair = 0; pair < pairs; ++pair) {
    if (is_new) draw_ids(setup, skew, draw);
    by_hand.push_back(time_of([&] { take_by_hand(setup, out.data()); }));
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      Way& way = ways[(turn + static_cast<std::size_t>(pair)) % ways.size()];
      Tensor taken;
      way.times.push_back(time_of([&] { taken = way.take(); }));
      way.ratios.push_back(way.times.back() / by_hand.back());
      if (std::memcmp(taken.data(), out.data(), out.size() * sizeof(float)) != 0) std::abort();
    }
  }
  if (setup.rank != 0) return;
  std::printf("skew %.0f, %s ids: by hand %.2f ms\n", skew, is_new ? "new" : "the same",
              1e3 * quantile(by_hand, 0.5));
  for (const Way& way : ways)
    std::printf("  %-10s %7.2f ms, ratio %.2f (%.2f to %.2f)\n", way.name,
                1e3 * quantile(way.times, 0.5), quantile(way.ratios, 0.5),
                quantile(way.ratios, 0.25), quantile(way.ratios, 0.75));
}

// The table of the setup; `cache`: bytes for rows of other ranks.
windrow::ShardedTable table_of(const Setup& setup, windrow::Exchange& exchange,
                               std::int64_t cache) {
  Tensor rows =
      Tensor::from<float>({setup.rows_of_rank, setup.columns}, std::span<const float>(setup.shard));
  return windrow::ShardedTable::create(exchange, std::move(rows), {.remote_cache_bytes = cache})
      .value();
}

// PETSc's, into a new result; `is_new`: sets up its graph at each call.
Way forest_way(const Setup& setup, StarForest& forest, bool is_new) {
  return {"PetscSF", [&setup, &forest, is_new] {
            if (is_new) forest.set_ids(setup.ids);
            Tensor out =
                Tensor::allocate(windrow::DType::kFloat32,
                                 {static_cast<std::int64_t>(setup.ids.size()), setup.columns})
                    .value();
            forest.take(setup.shard.data(), static_cast<float*>(out.data()));
            return out;
          }};
}

// New ids, then ids that stay, of which a route can be kept.
void compare_all(Setup& setup, windrow::Exchange& exchange, StarForest* forest, double skew,
                 int pairs) {
  auto plain = table_of(setup, exchange, 0);
  // Room for a quarter of the rows of the table.
  const auto quarter =
      static_cast<std::int64_t>(setup.shard.size() * sizeof(float)) * std::int64_t{setup.ranks} / 4;
  auto keeper = table_of(setup, exchange, std::max(quarter, windrow::kLeastRemoteCache));
  const auto count = static_cast<std::int64_t>(setup.ids.size());
  const windrow::TensorView ids(windrow::DType::kInt64, {count}, setup.ids.data());
  const Way take{"take", [&] { return plain.take(ids).value(); }};
  const Way kept{"kept rows", [&] { return keeper.take(ids).value(); }};
  std::vector<Way> ways = {take, kept};
  if (forest != nullptr) ways.push_back(forest_way(setup, *forest, true));
  compare(setup, ways, skew, true, pairs);
  const windrow::TakeRoute route = plain.plan_take(ids).value();
  ways = {take, kept, {"route", [&] { return plain.take(route).value(); }}};
  if (forest != nullptr) {
    forest->set_ids(setup.ids);
    ways.push_back(forest_way(setup, *forest, false));
  }
  compare(setup, ways, skew, false, pairs);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::array<std::int64_t, 4> numbers = {400'000, 64, 100'000, 21};
  for (int i = 1; i < argc && i <= 4; ++i)
    numbers[static_cast<std::size_t>(i - 1)] = std::strtoll(argv[i], nullptr, 10);
  {
    const auto exchange = windrow::make_mpi_exchange().value();
    Setup setup;
    setup.rank = exchange->rank();
    setup.ranks = exchange->ranks();
    setup.rows_of_rank = numbers[0] / setup.ranks;
    setup.columns = numbers[1];
    setup.ids.resize(static_cast<std::size_t>(numbers[2]));
    setup.shard.resize(static_cast<std::size_t>(setup.rows_of_rank * setup.columns));
    for (std::size_t i = 0; i < setup.shard.size(); ++i)
      setup.shard[i] = static_cast<float>(i % 1000) + static_cast<float>(setup.rank);
    const auto forest = StarForest::make(setup.rows_of_rank, setup.columns);
    if (forest == nullptr && setup.rank == 0) std::puts("PetscSF is left out: it needs PETSc");
    for (const double skew : {1.0, 8.0})
      compare_all(setup, *exchange, forest.get(), skew, static_cast<int>(numbers[3]));
  }
  MPI_Finalize();
  return 0;
}

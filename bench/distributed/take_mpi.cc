// Times ShardedTable::take() beside a look-up written by hand with MPI_Alltoallv, pair by pair, on
// the same ids: `mpirun -n 2 windrow_take_mpi [ROWS COLUMNS IDS PAIRS]`. Rank 0 prints the medians
// of the slowest rank's times.

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
#include <vector>

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

double median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

// Skew 1: every row as often as any other; larger: the first ones more often.
void draw_ids(Setup& setup, double skew) {
  std::mt19937_64 draw(static_cast<std::uint64_t>(setup.rank));
  std::uniform_real_distribution<double> part(0, 1);
  const auto rows = static_cast<double>(setup.rows_of_rank * setup.ranks);
  for (std::int64_t& id : setup.ids)
    id = static_cast<std::int64_t>(std::pow(part(draw), skew) * rows);
}

void compare(Setup& setup, windrow::ShardedTable& table, double skew, int pairs) {
  draw_ids(setup, skew);
  const auto count = static_cast<std::int64_t>(setup.ids.size());
  const windrow::TensorView ids(windrow::DType::kInt64, {count}, setup.ids.data());
  std::vector<float> out(setup.ids.size() * static_cast<std::size_t>(setup.columns));
  std::vector<double> by_hand, ours, ratios;
  for (int pair = 0; pair < pairs; ++pair) {
    by_hand.push_back(time_of([&] { take_by_hand(setup, out.data()); }));
    Tensor taken;
    ours.push_back(time_of([&] { taken = table.take(ids).value(); }));
    ratios.push_back(ours.back() / by_hand.back());
    if (std::memcmp(taken.data(), out.data(), out.size() * sizeof(float)) != 0) std::abort();
  }
  if (setup.rank == 0)
    std::printf("skew %.0f: by hand %.2f ms, take %.2f ms, ratio %.2f\n", skew,
                1e3 * median(by_hand), 1e3 * median(ours), median(ratios));
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
    auto table = windrow::ShardedTable::create(
                     *exchange, Tensor::from<float>({setup.rows_of_rank, setup.columns},
                                                    std::span<const float>(setup.shard)))
                     .value();
    for (const double skew : {1.0, 8.0}) compare(setup, table, skew, static_cast<int>(numbers[3]));
  }
  MPI_Finalize();
  return 0;
}

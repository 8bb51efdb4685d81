// Drawn collective calls by MPI: `mpirun -n RANKS mpi_calls TABLES`, with TABLES tables of 10 calls
// each, or with the number in WINDROW_RANK_TABLES. `mpi_calls TABLES single` gives MPI no threads.
// Or `mpirun -n RANKS mpi_calls leave`: the last rank makes no call, and the others have to end.
// Exit code 1 if a result differs on any rank.

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include "src/distributed/drawn_calls_fixture.h"

namespace {

using windrow::Exchange;

std::string first_fault(Exchange& exchange, std::uint64_t tables) {
  if (tables == 0) return "no tables";
  for (std::uint64_t seed = 0; seed < tables; ++seed) {
    const auto threads = windrow::make_threads(2);
    std::string fault = windrow::internal::DrawnCalls(exchange, 1000 + seed).run(10, threads.get());
    if (!fault.empty()) return fault + ", seed " + std::to_string(seed);
  }
  return {};
}

void leave(Exchange& exchange) {
  if (exchange.rank() + 1 == exchange.ranks())
    std::this_thread::sleep_for(std::chrono::seconds(60));
  (void)exchange.barrier();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc >= 2 ? argv[1] : "20";
  const bool is_single = argc == 3 && argv[2] == std::string("single");
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, is_single ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &level);
  std::string fault;
  {
    windrow::MpiOptions options;
    options.piece_bytes = 1000;
    options.timeout = std::chrono::seconds(what == "leave" ? 1 : 100);
    const auto exchange = windrow::make_mpi_exchange(options).value();
    if (what == "leave")
      leave(*exchange);
    else if (exchange->use_threads() != (level == MPI_THREAD_MULTIPLE))
      fault = "MPI gives threads of another level";
    else
      fault = first_fault(
          *exchange, windrow::internal::drawn_tables(std::strtoull(what.c_str(), nullptr, 10)));
    if (fault.empty())
      std::printf("rank %d of %d: the bits of one process\n", exchange->rank(), exchange->ranks());
    else
      std::fprintf(stderr, "rank %d: %s\n", exchange->rank(), fault.c_str());
  }
  // The others would wait for this rank.
  if (!fault.empty()) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
  return 0;
}

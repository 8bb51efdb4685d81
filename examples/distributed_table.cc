// A table whose rows are distributed over the processes of an MPI program, of any number of them:
// `mpirun -n 4 distributed_table` prints the same as one process.

#include <mpi.h>
#include <windrow/distributed.h>

#include <iostream>
#include <vector>

namespace {

// This rank's part of twelve rows of two numbers, 0 at first.
windrow::Tensor own_rows(const windrow::Exchange& exchange) {
  const std::int64_t rows =
      12 * (exchange.rank() + 1) / exchange.ranks() - 12 * exchange.rank() / exchange.ranks();
  return windrow::Tensor::zeros(windrow::DType::kFloat32, {rows, 2}).value();
}

// The ids 0 and 1, then 2 and 3, up to 10 and 11.
std::vector<windrow::Tensor> pairs_of_rows() {
  std::vector<windrow::Tensor> batches;
  for (std::int64_t row = 0; row < 12; row += 2)
    batches.push_back(windrow::Tensor::of<std::int64_t>({2}, {row, row + 1}));
  return batches;
}

void run() {
  const auto exchange = windrow::make_mpi_exchange().value();
  auto table = windrow::ShardedTable::create(*exchange, own_rows(*exchange)).value();

  // Every rank calls, and one has updates: two of them for row 11.
  const bool has_updates = exchange->rank() == exchange->ranks() - 1;
  const auto ids = has_updates ? windrow::Tensor::of<std::int64_t>({3}, {11, 0, -1})
                               : windrow::Tensor::of<std::int64_t>({0}, {});
  const auto updates = has_updates ? windrow::Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6})
                                   : windrow::Tensor::of<float>({0, 2}, {});
  if (const windrow::Status added = table.index_add(ids, updates); !added)
    throw windrow::Error(added);

  const auto wanted = windrow::Tensor::of<std::int64_t>({2}, {0, 11});
  const windrow::Tensor rows = table.take(wanted).value();
  if (exchange->rank() == 0)
    for (const float value : rows.values<float>()) std::cout << value << ' ';

  // The rows of the next batch come while the program computes with those of this one.
  const std::vector<windrow::Tensor> batches = pairs_of_rows();
  float sum = 0;
  windrow::PendingTake next = table.take_async(batches[0]);
  for (std::size_t i = 0; i < batches.size(); ++i) {
    const windrow::Tensor batch = next.get().value();
    if (i + 1 < batches.size()) next = table.take_async(batches[i + 1]);
    for (const float value : batch.values<float>()) sum += value;
  }
  if (exchange->rank() == 0) std::cout << "\nsum " << sum;

  // An id beyond the last row is the same error on every rank.
  const auto bad = windrow::Tensor::of<std::int64_t>({1}, {exchange->rank() == 0 ? 12 : 0});
  const auto failed = table.take(bad);
  if (exchange->rank() == 0) std::cout << '\n' << failed.error().message() << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  // Takes go on in a thread of their own only where MPI allows several.
  int level = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  run();
  MPI_Finalize();
  return 0;
}

// clang-format off
// Output:
// 3 4 6 8 
// sum 21
// rank 0: array.Take-1 [ARRAY-Take-C3]: indices[0] is 12, out of range for axis 0 of data with extent 12 (legal: -12 to 11); 1 of 1 indices is out of range

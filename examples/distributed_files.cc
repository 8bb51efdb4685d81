// A table whose rows stay in a file of each process of an MPI program: `mpirun -n 4
// distributed_files` prints the same as one process.

#include <mpi.h>
#include <windrow/distributed.h>
#include <windrow/table.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t kColumns = 2;

// This rank's rows in a file: two of zeros, without a header.
windrow::TablePart make_shard(const std::filesystem::path& folder, int rank) {
  windrow::TablePart part;
  part.path = folder / ("shard" + std::to_string(rank) + ".bin");
  part.dtype = windrow::DType::kFloat32;
  part.shape = {2, kColumns};
  std::ofstream(part.path, std::ios::binary) << std::string(2 * kColumns * sizeof(float), '\0');
  return part;
}

void run(const std::filesystem::path& folder) {
  const auto exchange = windrow::make_mpi_exchange().value();
  const std::vector<windrow::TablePart> files = {make_shard(folder, exchange->rank())};

  windrow::TableOptions options;
  options.writable = true;
  auto table = windrow::ShardedTable::open(*exchange, windrow::open_shard(files, options)).value();

  // Rank 0 has an update for row 1, and any rank may read it.
  const bool has_update = exchange->rank() == 0;
  const auto ids = has_update ? windrow::Tensor::of<std::int64_t>({1}, {1})
                              : windrow::Tensor::of<std::int64_t>({0}, {});
  const auto update = has_update ? windrow::Tensor::of<float>({1, kColumns}, {1, 2})
                                 : windrow::Tensor::of<float>({0, kColumns}, {});
  if (const windrow::Status added = table.index_add(ids, update); !added)
    throw windrow::Error(added);
  const windrow::Tensor rows = table.take(windrow::Tensor::of<std::int64_t>({2}, {0, 1})).value();
  if (exchange->rank() != 0) return;
  for (const float value : rows.values<float>()) std::cout << value << ' ';
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string folder = std::filesystem::temp_directory_path() / "distributed_filesXXXXXX";
  if (::mkdtemp(folder.data()) == nullptr) MPI_Abort(MPI_COMM_WORLD, 1);
  run(folder);
  std::filesystem::remove_all(folder);
  MPI_Finalize();
  return 0;
}

// clang-format off
// Output:
// 0 0 1 2 

// PETSc's way to take rows of other ranks: PetscSF, a star forest whose roots are the rows of all
// shards and whose leaves are the places of the result.
#ifndef WINDROW_BENCH_STAR_FOREST_H_
#define WINDROW_BENCH_STAR_FOREST_H_

#include <cstdint>
#include <memory>
#include <span>

// Twin files: with PETSc and, where the build found none, without.
class StarForest {
 public:
  // Null without PETSc. `rows_of_rank`: of each shard; `columns`: float32 elements of a row. MPI
  // has been initialised. Errors of PETSc end the program.
  static std::unique_ptr<StarForest> make(std::int64_t rows_of_rank, std::int64_t columns);

  virtual ~StarForest() = default;

  // Sets up what take() moves: row ids[i] of the whole table to row i of the result. Collective.
  virtual void set_ids(std::span<const std::int64_t> ids) = 0;

  // shard: this rank's rows; out: as many rows as there are ids. Collective.
  virtual void take(const float* shard, float* out) = 0;
};

#endif  // WINDROW_BENCH_STAR_FOREST_H_

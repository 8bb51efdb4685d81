#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <petscsf.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/distributed/star_forest.h"

namespace {

void check(PetscErrorCode code) {
  if (code == 0) return;
  std::fprintf(stderr, "PETSc ends with the error %d\n", static_cast<int>(code));
  std::abort();
}

class PetscForest final : public StarForest {
 public:
  PetscForest(std::int64_t rows_of_rank, std::int64_t columns) : rows_of_rank_(rows_of_rank) {
    check(PetscInitializeNoArguments());
    check(PetscSFCreate(PETSC_COMM_WORLD, &forest_));
    if (MPI_Type_contiguous(static_cast<int>(columns), MPI_FLOAT, &row_) != MPI_SUCCESS ||
        MPI_Type_commit(&row_) != MPI_SUCCESS)
      std::abort();
  }

  PetscForest(const PetscForest&) = delete;
  PetscForest& operator=(const PetscForest&) = delete;

  ~PetscForest() override {
    MPI_Type_free(&row_);
    check(PetscSFDestroy(&forest_));
    check(PetscFinalize());
  }

  void set_ids(std::span<const std::int64_t> ids) override {
    roots_.resize(ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i)
      roots_[i] = {static_cast<PetscInt>(ids[i] / rows_of_rank_),
                   static_cast<PetscInt>(ids[i] % rows_of_rank_)};
    check(PetscSFSetGraph(forest_, static_cast<PetscInt>(rows_of_rank_),
                          static_cast<PetscInt>(ids.size()), nullptr, PETSC_OWN_POINTER,
                          roots_.data(), PETSC_USE_POINTER));
    check(PetscSFSetUp(forest_));
  }

  void take(const float* shard, float* out) override {
    check(PetscSFBcastBegin(forest_, row_, shard, out, MPI_REPLACE));
    check(PetscSFBcastEnd(forest_, row_, shard, out, MPI_REPLACE));
  }

 private:
  std::int64_t rows_of_rank_;
  PetscSF forest_ = nullptr;
  MPI_Datatype row_ = MPI_DATATYPE_NULL;
  std::vector<PetscSFNode> roots_;
};

}  // namespace

std::unique_ptr<StarForest> StarForest::make(std::int64_t rows_of_rank, std::int64_t columns) {
  return std::make_unique<PetscForest>(rows_of_rank, columns);
}

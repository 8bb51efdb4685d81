#ifndef WINDROW_EXECUTE_RUN_LANES_H_
#define WINDROW_EXECUTE_RUN_LANES_H_

#include <cstddef>
#include <cstdint>

#include "src/execute/offset_block.h"
#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/kernels/registry.h"
#include "src/plan/lowered_plan.h"
#include "src/plan/tile_lanes.h"

namespace windrow::internal {

// Runs a plan with packed lanes for one task: the cells that a tile of lanes may address are copied
// to scratch, side by side, so that they share no cache sets, and a scatter's are copied back.
class LanesRunner {
 public:
  // `start`: what a scatter's cells start as; memory.indirect itself, or a tensor of its layout.
  LanesRunner(const LoweredPlan& plan, const KernelTable& kernels, const RunMemory& memory,
              const std::byte* start, Outcome& outcome);

  static std::size_t scratch_bytes(const LoweredPlan& plan);

  // The lanes of a range, for all points of the other loops. `packed` has scratch_bytes().
  void run(const Range& lanes, std::byte* packed);

 private:
  // Where a tile stands for one point of the outer loops.
  struct Tile {
    std::int64_t lanes = 0;
    std::byte* direct = nullptr;  // of the first row
    const std::byte* indices = nullptr;
    std::byte* cells = nullptr;  // of the first coordinate
  };

  std::int64_t first_tile(const std::byte* written) const;
  void run_tile(const Tile& tile, std::byte* packed);
  bool run_rows(const Tile& tile, std::int64_t first, std::int64_t rows, std::byte* packed);
  void copy_cells(const Tile& tile, std::byte* packed, bool back);
  Plane direct_plane(const Tile& tile, std::int64_t first, std::int64_t rows) const;

  const LoweredPlan& plan_;
  const KernelTable& kernels_;
  RunMemory memory_;
  std::ptrdiff_t to_start_;  // from a cell to what it starts as
  Outcome& outcome_;
  const AddressAxis& axis_;
  const AddressTerm& term_;
  const NestLoop& rows_;
  std::int64_t pitch_;  // bytes from one coordinate's cells to the next one's
  bool stream_;
  alignas(64) std::byte direct_[kBlockPoints * kMostPackedElement];
};

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_RUN_LANES_H_

#include "windrow/distributed.h"

// The twin of exchange_mpi.cc where there is no MPI.
namespace windrow {

bool has_mpi() noexcept { return false; }

Result<std::unique_ptr<Exchange>> make_mpi_exchange(const MpiOptions&) {
  return Status(ErrorCode::kUnsupported,
                "this build has no MPI: install one (Debian: libopenmpi-dev) and build again");
}

}  // namespace windrow

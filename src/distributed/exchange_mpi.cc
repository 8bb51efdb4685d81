#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "windrow/distributed.h"

namespace windrow {
namespace internal {
namespace {

// Tests of outstanding requests between two looks at the clock.
constexpr int kTestsPerLook = 256;
// After this time of waiting a rank leaves its core to others.
constexpr std::chrono::microseconds kSpin(50);

std::string mpi_message(int error) {
  std::string text(MPI_MAX_ERROR_STRING, '\0');
  int length = 0;
  MPI_Error_string(error, text.data(), &length);
  text.resize(static_cast<std::size_t>(std::max(length, 0)));
  return text;
}

Status check_mpi(int error, const char* what) {
  if (error == MPI_SUCCESS) return {};
  return Status(ErrorCode::kIo, std::string("MPI: ") + what + ": " + mpi_message(error));
}

class MpiExchange final : public Exchange {
 public:
  // Takes the communicator.
  MpiExchange(MPI_Comm communicator, const MpiOptions& options)
      : communicator_(communicator), options_(options) {
    MPI_Comm_rank(communicator_, &rank_);
    MPI_Comm_size(communicator_, &ranks_);
  }
  ~MpiExchange() override {
    int is_finalized = 0;
    MPI_Finalized(&is_finalized);
    if (is_finalized == 0) MPI_Comm_free(&communicator_);
  }

  int rank() const noexcept override { return rank_; }
  int ranks() const noexcept override { return ranks_; }

  Status exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) override {
    return exchange_both({}, {}, to, from);
  }

  Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                        std::span<const std::span<std::byte>> from) override {
    return exchange_both(to, from, {}, {});
  }

  // No bytes, or no numbers, where these are empty.
  Status exchange_both(std::span<const std::span<const std::byte>> to,
                       std::span<const std::span<std::byte>> from,
                       std::span<const std::int64_t> numbers_to,
                       std::span<std::int64_t> numbers_from) override {
    // Nothing may throw once a request has begun.
    requests_.clear();
    requests_.reserve(1 + pieces_of(to) + pieces_of(from));
    Status status = start_numbers(numbers_to, numbers_from);
    const int steps = to.empty() ? 0 : ranks_;
    // Each rank begins with its neighbour, so that not all send to the same one first.
    for (int step = 1; step < steps && status; ++step) {
      const int source = (rank_ + ranks_ - step) % ranks_;
      status = receive(from[static_cast<std::size_t>(source)], source);
    }
    for (int step = 1; step < steps && status; ++step) {
      const int target = (rank_ + step) % ranks_;
      status = send(to[static_cast<std::size_t>(target)], target);
    }
    // Memory must not be freed while MPI may write to it: what has begun is ended first.
    Status waited = wait();
    return status ? waited : status;
  }

  // The communicator is this exchange's own, so messages of the program do not meet those of
  // another thread.
  bool use_threads() noexcept override {
    int level = MPI_THREAD_SINGLE;
    return MPI_Query_thread(&level) == MPI_SUCCESS && level == MPI_THREAD_MULTIPLE;
  }

 private:
  Status start_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) {
    if (to.empty()) return {};
    const int each = static_cast<int>(to.size()) / ranks_;
    MPI_Request request = MPI_REQUEST_NULL;
    const int error = MPI_Ialltoall(to.data(), each, MPI_INT64_T, from.data(), each, MPI_INT64_T,
                                    communicator_, &request);
    if (Status status = check_mpi(error, "exchange of numbers"); !status) return status;
    requests_.push_back(request);
    return {};
  }
  template <class Bytes>
  std::size_t pieces_of(std::span<const Bytes> all) const {
    const auto piece = static_cast<std::size_t>(options_.piece_bytes);
    std::size_t count = 0;
    for (const Bytes& bytes : all) count += (bytes.size() + piece - 1) / piece;
    return count;
  }
  // Calls `start` with the pieces of some bytes and a request for each.
  template <class Byte, class Start>
  Status in_pieces(std::span<Byte> bytes, const Start& start) {
    const auto piece = static_cast<std::size_t>(options_.piece_bytes);
    for (std::size_t at = 0; at < bytes.size(); at += piece) {
      const std::size_t count = std::min(piece, bytes.size() - at);
      MPI_Request request = MPI_REQUEST_NULL;
      const int error = start(bytes.data() + at, static_cast<int>(count), &request);
      if (Status status = check_mpi(error, "exchange of bytes"); !status) return status;
      requests_.push_back(request);
    }
    return {};
  }
  Status receive(std::span<std::byte> bytes, int source) {
    return in_pieces(bytes, [&](std::byte* at, int count, MPI_Request* request) {
      return MPI_Irecv(at, count, MPI_BYTE, source, 0, communicator_, request);
    });
  }
  Status send(std::span<const std::byte> bytes, int target) {
    return in_pieces(bytes, [&](const std::byte* at, int count, MPI_Request* request) {
      return MPI_Isend(at, count, MPI_BYTE, target, 0, communicator_, request);
    });
  }

  // Waits for all of requests_.
  Status wait() {
    const auto begin = std::chrono::steady_clock::now();
    bool is_spinning = true;
    for (int tests = 1;; ++tests) {
      int is_done = 0;
      const int error = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &is_done,
                                    MPI_STATUSES_IGNORE);
      if (error != MPI_SUCCESS) return check_mpi(error, "wait for other ranks");
      if (is_done != 0) return {};
      if (!is_spinning) std::this_thread::yield();
      if (is_spinning || tests % kTestsPerLook == 0) {
        const auto waited = std::chrono::steady_clock::now() - begin;
        is_spinning = waited < kSpin;
        if (options_.timeout && waited > *options_.timeout) end_all();
      }
    }
  }

  // A request that no other rank answers keeps its memory for good, so nothing can go on.
  [[noreturn]] void end_all() const {
    std::fprintf(stderr,
                 "windrow: rank %d has waited for other ranks for %lld s and ends the program\n",
                 rank_, static_cast<long long>(options_.timeout->count()));
    MPI_Abort(communicator_, 1);
    std::abort();
  }

  MPI_Comm communicator_;
  MpiOptions options_;
  int rank_ = 0;
  int ranks_ = 1;
  std::vector<MPI_Request> requests_;
};

Status check_mpi_options(const MpiOptions& options) {
  const auto refuse = [](const std::string& what) {
    return Status(ErrorCode::kInvalidArgument, "MPI: " + what);
  };
  if (options.piece_bytes < 1 || options.piece_bytes > std::numeric_limits<int>::max())
    return refuse("pieces have " + std::to_string(options.piece_bytes) +
                  " bytes, must have at least 1 and at most 2^31-1");
  if (options.timeout && options.timeout->count() < 1)
    return refuse("the timeout is " + std::to_string(options.timeout->count()) +
                  " s, must be at least 1 s");
  int is_initialized = 0;
  int is_finalized = 0;
  MPI_Initialized(&is_initialized);
  MPI_Finalized(&is_finalized);
  if (is_initialized == 0 || is_finalized != 0)
    return refuse(is_initialized == 0 ? "it has not been initialised: call MPI_Init first"
                                      : "it has been finalised");
  return {};
}

}  // namespace
}  // namespace internal

bool has_mpi() noexcept { return true; }

Result<std::unique_ptr<Exchange>> make_mpi_exchange(const MpiOptions& options) {
  if (Status status = internal::check_mpi_options(options); !status) return status;
  const MPI_Comm whole =
      options.communicator ? MPI_Comm_f2c(*options.communicator) : MPI_COMM_WORLD;
  MPI_Comm own = MPI_COMM_NULL;
  if (Status status = internal::check_mpi(MPI_Comm_dup(whole, &own), "copy of the communicator");
      !status)
    return status;
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  return std::unique_ptr<Exchange>(std::make_unique<internal::MpiExchange>(own, options));
}

}  // namespace windrow

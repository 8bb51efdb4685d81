#ifndef WINDROW_DISTRIBUTED_LINK_H_
#define WINDROW_DISTRIBUTED_LINK_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "windrow/distributed.h"
#include "windrow/status.h"

namespace windrow::internal {

// What the bytes of an exchange are, for the statistics.
enum class Payload : std::uint8_t { kIds, kRows };

// What the other ranks have said at the beginning of a call.
struct Announcement {
  std::vector<std::int64_t> counts;  // the number that each rank has for this one
  bool is_small = false;             // whether all ranks have said so of the call
};

// One table's use of an exchange: ranks that agree on errors, and statistics. All functions with
// Status or Result are collective. Once the exchange has failed, each of them returns its error.
class Link {
 public:
  explicit Link(Exchange& exchange) noexcept : exchange_(&exchange) {}

  int rank() const noexcept { return exchange_->rank(); }
  int ranks() const noexcept { return exchange_->ranks(); }
  Exchange& engine() const noexcept { return *exchange_; }

  // Begins a call. `own`: whether this rank can go on; `tag`: the same number on all ranks, or they
  // make different calls; counts[r]: a number for rank r, ignored if `own` is an error. Returns the
  // numbers that all ranks have for this one. If any rank has an error, returns that of the lowest
  // such rank, on all of them, with that rank before its message. Errors besides: kInvalidArgument
  // (different tags), kIo.
  Result<Announcement> announce(const Status& own, std::int64_t tag,
                                std::span<const std::int64_t> counts, bool is_small = false);
  // The same without numbers.
  Status agree(const Status& own);

  // Exchange::exchange_numbers(), with the same numbers for every rank: returns those of all ranks,
  // one after another.
  Result<std::vector<std::int64_t>> show(std::span<const std::int64_t> numbers);

  // Exchange::exchange_bytes(), counted, and copies what this rank has for itself.
  Status exchange(Payload payload, std::span<const std::span<const std::byte>> to,
                  std::span<const std::span<std::byte>> from);
  // exchange() and agree(), where `own` is known before the bytes travel: at the same time if the
  // engine can do that.
  Status exchange_and_agree(Payload payload, std::span<const std::span<const std::byte>> to,
                            std::span<const std::span<std::byte>> from, const Status& own);

  // Makes `error` the answer of every further call, where the exchange was left in the middle.
  Status give_up(Status error) {
    broken_ = std::move(error);
    return broken_;
  }

  void count_call() noexcept { statistics_.calls += 1; }
  // ShardedStatistics::remote_rows and cached_rows
  void count_remote_rows(std::int64_t rows, std::int64_t cached) noexcept {
    statistics_.remote_rows += rows;
    statistics_.cached_rows += cached;
  }
  const ShardedStatistics& statistics() const noexcept { return statistics_; }

 private:
  Status exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from);
  Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                        std::span<const std::span<std::byte>> from);
  // What comes of the numbers that ranks have announced; `error`: this rank's own, encoded.
  Result<Announcement> read_announced(std::span<const std::int64_t> announced,
                                      const std::string& error);
  // The error of rank `source`, which every rank gets; `bytes`: its length.
  Status tell(int source, std::int64_t bytes, const std::string& own);
  // Before exchange_bytes().
  void count_messages(std::span<const std::span<const std::byte>> to) noexcept;
  // After it: counts the bytes that went and came, and copies what this rank has for itself.
  void count_and_copy_own(Payload payload, std::span<const std::span<const std::byte>> to,
                          std::span<const std::span<std::byte>> from) noexcept;

  Exchange* exchange_;
  Status broken_;  // the error of the exchange
  ShardedStatistics statistics_;
};

// Memory that holds counts[r] units of `unit` bytes for every rank r, one after another.
template <class Byte>
std::vector<std::span<Byte>> parts_of(Byte* memory, std::span<const std::int64_t> counts,
                                      std::int64_t unit) {
  std::vector<std::span<Byte>> parts;
  for (const std::int64_t count : counts) {
    parts.emplace_back(memory, static_cast<std::size_t>(count * unit));
    memory += count * unit;
  }
  return parts;
}

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_LINK_H_

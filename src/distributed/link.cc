#include "src/distributed/link.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "src/distributed/error_text.h"

namespace windrow {

Status Exchange::barrier() {
  const std::vector<std::int64_t> to(static_cast<std::size_t>(ranks()), 0);
  std::vector<std::int64_t> from(to.size());
  return exchange_numbers(to, from);
}

namespace internal {
namespace {

// What a rank announces to each other one.
enum Announced : std::size_t {
  kState,  // the length of its error, kReady or kReadyForSmall
  kTag,
  kCount,
  kAnnounced,
};

constexpr std::int64_t kReady = 0;
constexpr std::int64_t kReadyForSmall = -1;

// The tag of Link::agree().
constexpr std::int64_t kAgreement = 1;

// The numbers with which a call begins; counts may be fewer than ranks.
std::vector<std::int64_t> announced_by(std::size_t ranks, std::int64_t state, std::int64_t tag,
                                       std::span<const std::int64_t> counts) {
  std::vector<std::int64_t> to(ranks * kAnnounced);
  for (std::size_t r = 0; r < ranks; ++r) {
    to[r * kAnnounced + kState] = state;
    to[r * kAnnounced + kTag] = tag;
    to[r * kAnnounced + kCount] = state <= kReady && r < counts.size() ? counts[r] : 0;
  }
  return to;
}

std::string encoded(const Status& status) {
  return status.ok() ? std::string() : encode_error(status);
}

}  // namespace

Status Link::exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) {
  if (!broken_) return broken_;
  statistics_.rounds += 1;
  statistics_.messages += ranks() - 1;
  broken_ = exchange_->exchange_numbers(to, from);
  return broken_;
}

void Link::count_messages(std::span<const std::span<const std::byte>> to) noexcept {
  statistics_.rounds += 1;
  for (std::size_t r = 0; r < to.size(); ++r)
    if (r != static_cast<std::size_t>(rank()) && !to[r].empty()) statistics_.messages += 1;
}

Status Link::exchange_bytes(std::span<const std::span<const std::byte>> to,
                            std::span<const std::span<std::byte>> from) {
  if (!broken_) return broken_;
  count_messages(to);
  broken_ = exchange_->exchange_bytes(to, from);
  return broken_;
}

Status Link::tell(int source, std::int64_t bytes, const std::string& own) {
  std::string text(static_cast<std::size_t>(bytes), '\0');
  std::vector<std::span<const std::byte>> to(static_cast<std::size_t>(ranks()));
  std::vector<std::span<std::byte>> from(to.size());
  if (source == rank()) {
    text = own;
    std::fill(to.begin(), to.end(), std::as_bytes(std::span(text)));
  } else {
    from[static_cast<std::size_t>(source)] = std::as_writable_bytes(std::span(text));
  }
  if (Status status = exchange_bytes(to, from); !status) return status;
  return decode_error(text).with_context("rank " + std::to_string(source));
}

Result<Announcement> Link::read_announced(std::span<const std::int64_t> announced,
                                          const std::string& error) {
  const auto ranks = static_cast<std::size_t>(this->ranks());
  for (std::size_t r = 0; r < ranks; ++r)
    if (const std::int64_t bytes = announced[r * kAnnounced + kState]; bytes > 0)
      return tell(static_cast<int>(r), bytes, error);
  Announcement all{std::vector<std::int64_t>(ranks), true};
  for (std::size_t r = 0; r < ranks; ++r) {
    if (announced[r * kAnnounced + kTag] != announced[kTag])
      return Status(ErrorCode::kInvalidArgument,
                    "a distributed table: rank " + std::to_string(r) +
                        " makes another call than rank 0, or one with other options");
    all.counts[r] = announced[r * kAnnounced + kCount];
    if (announced[r * kAnnounced + kState] != kReadyForSmall) all.is_small = false;
  }
  return all;
}

Result<Announcement> Link::announce(const Status& own, std::int64_t tag,
                                    std::span<const std::int64_t> counts, bool is_small) {
  const std::string error = encoded(own);
  const std::int64_t ready = is_small ? kReadyForSmall : kReady;
  const std::vector<std::int64_t> to =
      announced_by(static_cast<std::size_t>(ranks()),
                   own.ok() ? ready : static_cast<std::int64_t>(error.size()), tag, counts);
  std::vector<std::int64_t> from(to.size());
  if (Status status = exchange_numbers(to, from); !status) return status;
  return read_announced(from, error);
}

Status Link::agree(const Status& own) { return announce(own, kAgreement, {}).error(); }

Result<std::vector<std::int64_t>> Link::show(std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> to;
  for (int r = 0; r < ranks(); ++r) to.insert(to.end(), numbers.begin(), numbers.end());
  std::vector<std::int64_t> from(to.size());
  if (Status status = exchange_numbers(to, from); !status) return status;
  return from;
}

void Link::count_and_copy_own(Payload payload, std::span<const std::span<const std::byte>> to,
                              std::span<const std::span<std::byte>> from) noexcept {
  const auto own = static_cast<std::size_t>(rank());
  if (!to[own].empty() && !from[own].empty())
    std::memcpy(from[own].data(), to[own].data(), from[own].size());
  const bool is_ids = payload == Payload::kIds;
  std::int64_t& sent = is_ids ? statistics_.sent_id_bytes : statistics_.sent_row_bytes;
  std::int64_t& received = is_ids ? statistics_.received_id_bytes : statistics_.received_row_bytes;
  for (std::size_t r = 0; r < to.size(); ++r) {
    if (r == own) continue;
    sent += static_cast<std::int64_t>(to[r].size());
    received += static_cast<std::int64_t>(from[r].size());
  }
}

Status Link::exchange(Payload payload, std::span<const std::span<const std::byte>> to,
                      std::span<const std::span<std::byte>> from) {
  if (Status status = exchange_bytes(to, from); !status) return status;
  count_and_copy_own(payload, to, from);
  return {};
}

Status Link::exchange_and_agree(Payload payload, std::span<const std::span<const std::byte>> to,
                                std::span<const std::span<std::byte>> from, const Status& own) {
  if (!broken_) return broken_;
  const std::string error = encoded(own);
  const std::vector<std::int64_t> numbers = announced_by(
      static_cast<std::size_t>(ranks()), static_cast<std::int64_t>(error.size()), kAgreement, {});
  std::vector<std::int64_t> announced(numbers.size());
  count_messages(to);
  statistics_.rounds += 1;
  statistics_.messages += ranks() - 1;
  broken_ = exchange_->exchange_both(to, from, numbers, announced);
  if (!broken_) return broken_;
  count_and_copy_own(payload, to, from);
  return read_announced(announced, error).error();
}

}  // namespace internal
}  // namespace windrow

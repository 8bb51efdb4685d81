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
  kErrorBytes,  // the length of its error, or 0
  kTag,
  kCount,
  kAnnounced,
};

// The tag of Link::agree().
constexpr std::int64_t kAgreement = 1;

}  // namespace

Status Link::exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) {
  if (!broken_) return broken_;
  statistics_.rounds += 1;
  statistics_.messages += ranks() - 1;
  broken_ = exchange_->exchange_numbers(to, from);
  return broken_;
}

Status Link::exchange_bytes(std::span<const std::span<const std::byte>> to,
                            std::span<const std::span<std::byte>> from) {
  if (!broken_) return broken_;
  statistics_.rounds += 1;
  for (std::size_t r = 0; r < to.size(); ++r)
    if (r != static_cast<std::size_t>(rank()) && !to[r].empty()) statistics_.messages += 1;
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

Result<std::vector<std::int64_t>> Link::announce(const Status& own, std::int64_t tag,
                                                 std::span<const std::int64_t> counts) {
  const auto ranks = static_cast<std::size_t>(this->ranks());
  const std::string error = own.ok() ? std::string() : encode_error(own);
  std::vector<std::int64_t> to(ranks * kAnnounced);
  std::vector<std::int64_t> from(to.size());
  for (std::size_t r = 0; r < ranks; ++r) {
    to[r * kAnnounced + kErrorBytes] = static_cast<std::int64_t>(error.size());
    to[r * kAnnounced + kTag] = tag;
    to[r * kAnnounced + kCount] = own.ok() && r < counts.size() ? counts[r] : 0;
  }
  if (Status status = exchange_numbers(to, from); !status) return status;
  for (std::size_t r = 0; r < ranks; ++r)
    if (const std::int64_t bytes = from[r * kAnnounced + kErrorBytes]; bytes > 0)
      return tell(static_cast<int>(r), bytes, error);
  std::vector<std::int64_t> received(ranks);
  for (std::size_t r = 0; r < ranks; ++r) {
    if (from[r * kAnnounced + kTag] != from[kTag])
      return Status(ErrorCode::kInvalidArgument,
                    "a distributed table: rank " + std::to_string(r) +
                        " makes another call than rank 0, or one with other options");
    received[r] = from[r * kAnnounced + kCount];
  }
  return received;
}

Status Link::agree(const Status& own) { return announce(own, kAgreement, {}).error(); }

Result<std::vector<std::int64_t>> Link::show(std::span<const std::int64_t> numbers) {
  std::vector<std::int64_t> to;
  for (int r = 0; r < ranks(); ++r) to.insert(to.end(), numbers.begin(), numbers.end());
  std::vector<std::int64_t> from(to.size());
  if (Status status = exchange_numbers(to, from); !status) return status;
  return from;
}

Status Link::exchange(Payload payload, std::span<const std::span<const std::byte>> to,
                      std::span<const std::span<std::byte>> from) {
  const auto own = static_cast<std::size_t>(rank());
  if (Status status = exchange_bytes(to, from); !status) return status;
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
  return {};
}

}  // namespace internal
}  // namespace windrow

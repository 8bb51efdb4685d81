#ifndef WINDROW_ROW_CACHE_GHOST_LIST_H_
#define WINDROW_ROW_CACHE_GHOST_LIST_H_

#include <cstdint>

namespace windrow::internal {

// Remembers hashes of rows that were dropped lately, in groups of four slots: 16 bits of the hash
// and 16 bits of time each. May be wrong in either way, but rarely.
class GhostList {
 public:
  static constexpr std::int64_t kGroupBytes = 16;

  // `slots`: groups * 4 zeros, which outlive the list. Time is counted in the units of dropped
  // rows; a row is remembered while up to `lifetime` later units are dropped.
  GhostList(std::uint32_t* slots, std::uint64_t groups, std::uint64_t lifetime) noexcept
      : slots_(slots), groups_(groups), tick_(lifetime / kLifetime + 1) {}

  void add(std::uint64_t hash, std::uint64_t units) noexcept {
    time_ += units;
    std::uint32_t* group = group_of(hash);
    std::uint32_t* oldest = group;
    for (int k = 0; k < kSlots; ++k)
      if (age(group[k]) > age(*oldest)) oldest = group + k;
    *oldest = print(hash) | now();
  }

  // Returns whether the hash is remembered, and forgets it.
  bool take(std::uint64_t hash) noexcept {
    std::uint32_t* group = group_of(hash);
    for (int k = 0; k < kSlots; ++k) {
      if ((group[k] & ~kTime) != print(hash) || age(group[k]) > kLifetime) continue;
      group[k] = 0;
      return true;
    }
    return false;
  }

 private:
  static constexpr int kSlots = 4;
  static constexpr std::uint32_t kTime = 0xffff;
  static constexpr std::uint64_t kLifetime = 256;  // in ticks

  // Never 0 with any time, which is an empty slot.
  static std::uint32_t print(std::uint64_t hash) noexcept {
    return (static_cast<std::uint32_t>(hash >> 32) << 16) | 0x10000u;
  }
  std::uint32_t now() const noexcept { return static_cast<std::uint32_t>(time_ / tick_) & kTime; }
  std::uint32_t age(std::uint32_t slot) const noexcept {
    return slot == 0 ? kTime + 1 : (now() - slot) & kTime;
  }
  std::uint32_t* group_of(std::uint64_t hash) const noexcept {
    return slots_ + kSlots * (((hash & 0xffffffffu) * groups_) >> 32);
  }

  std::uint32_t* slots_;
  std::uint64_t groups_;
  std::uint64_t tick_;
  std::uint64_t time_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_ROW_CACHE_GHOST_LIST_H_

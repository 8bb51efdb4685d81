#ifndef WINDROW_PYTHON_PLAN_CACHE_H_
#define WINDROW_PYTHON_PLAN_CACHE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "python/src/run_arrays.h"

namespace windrow::python {

// What makes two calls of one operator the same plan, as bytes: on the stack, because it is built
// at every call.
class PlanKey {
 public:
  void add(std::int64_t word) noexcept {
    if (count_ == kMostWords) {
      fits_ = false;
    } else {
      words_[count_++] = word;
    }
  }
  void add(const Dims& dims) noexcept {
    for (const std::int64_t number : dims) add(number);
  }
  void add_bytes(std::string_view bytes) noexcept {
    add(static_cast<std::int64_t>(bytes.size()));
    for (; !bytes.empty(); bytes.remove_prefix(std::min(bytes.size(), sizeof(std::int64_t)))) {
      std::int64_t word = 0;
      std::memcpy(&word, bytes.data(), std::min(bytes.size(), sizeof(word)));
      add(word);
    }
  }
  // Whether all of it is there; a longer key names no plan.
  bool fits() const noexcept { return fits_; }
  std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(words_), count_ * sizeof(std::int64_t)};
  }

 private:
  // Four inputs of 32 axes, and a kilobyte for attributes.
  static constexpr std::size_t kMostWords = 400;
  std::size_t count_ = 0;
  bool fits_ = true;
  std::int64_t words_[kMostWords];
};

// The plans of an operator that were used last. With the GIL.
class PlanCache {
 public:
  // Null if there is none. Valid until the next put().
  const RunnablePlan* find(const PlanKey& key) {
    if (!key.fits()) return nullptr;
    const std::string_view bytes = key.bytes();
    if (!entries_.empty() && entries_.front().first == bytes) return &entries_.front().second;
    const auto found = by_key_.find(bytes);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return &entries_.front().second;
  }

  void put(const PlanKey& key, const RunnablePlan& plan) {
    if (!key.fits()) return;
    if (entries_.size() == kMostPlans) {
      by_key_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(std::string(key.bytes()), plan);
    by_key_.emplace(entries_.front().first, entries_.begin());
  }

 private:
  static constexpr std::size_t kMostPlans = 64;
  using Entries = std::list<std::pair<std::string, RunnablePlan>>;  // used last, first
  Entries entries_;
  std::unordered_map<std::string_view, Entries::iterator> by_key_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PLAN_CACHE_H_

#ifndef WINDROW_PYTHON_PLAN_CACHE_H_
#define WINDROW_PYTHON_PLAN_CACHE_H_

#include <cstddef>
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
  template <class Number>
  void add(Number value) noexcept {
    add_bytes(&value, sizeof(value));
  }
  void add(const Dims& dims) noexcept {
    add_bytes(dims.begin(), static_cast<std::size_t>(dims.rank()) * sizeof(std::int64_t));
  }
  void add_text(std::string_view text) noexcept {
    add(text.size());
    add_bytes(text.data(), text.size());
  }
  void add_bytes(const void* bytes, std::size_t count) noexcept {
    if (count > sizeof(bytes_) - size_) {
      fits_ = false;
    } else if (count > 0) {
      std::memcpy(bytes_ + size_, bytes, count);
      size_ += count;
    }
  }
  // Whether all of it is there; a longer key names no plan.
  bool fits() const noexcept { return fits_; }
  std::string_view bytes() const noexcept { return {bytes_, size_}; }

 private:
  std::size_t size_ = 0;
  bool fits_ = true;
  char bytes_[3072];  // four inputs of 32 axes, and a kilobyte for attributes
};

// The plans of an operator that were used last. With the GIL.
class PlanCache {
 public:
  // Null if there is none. Valid until the next put().
  const RunnablePlan* find(const PlanKey& key) {
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

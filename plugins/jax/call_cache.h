#ifndef WINDROW_PLUGINS_JAX_CALL_CACHE_H_
#define WINDROW_PLUGINS_JAX_CALL_CACHE_H_

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "plugins/jax/compiled_call.h"

namespace windrow::jax {

// The compiled calls that were used last, by their keys. For any threads.
class CallCache {
 public:
  // Null if there is none.
  std::shared_ptr<const CompiledCall> find(std::string_view key) {
    const std::lock_guard lock(mutex_);
    const auto found = by_key_.find(key);
    if (found == by_key_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entries_.front().second;
  }

  void put(std::string_view key, std::shared_ptr<const CompiledCall> call) {
    const std::lock_guard lock(mutex_);
    if (by_key_.contains(key)) return;  // another thread was first
    if (entries_.size() == kMostCalls) {
      by_key_.erase(entries_.back().first);
      entries_.pop_back();
    }
    entries_.emplace_front(std::string(key), std::move(call));
    by_key_.emplace(entries_.front().first, entries_.begin());
  }

 private:
  static constexpr std::size_t kMostCalls = 256;
  using Entries = std::list<std::pair<std::string, std::shared_ptr<const CompiledCall>>>;
  std::mutex mutex_;
  Entries entries_;  // used last, first
  std::unordered_map<std::string_view, Entries::iterator> by_key_;
};

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_CALL_CACHE_H_

#ifndef WINDROW_BASE_PUBLISHED_H_
#define WINDROW_BASE_PUBLISHED_H_

#include <atomic>
#include <memory>
#include <utility>

namespace windrow::internal {

// A value that several threads may compute at the same time; the first one published stays. There
// is no lock that a fork could leave locked.
template <class T>
class Published {
 public:
  Published() = default;
  Published(const Published&) = delete;
  Published& operator=(const Published&) = delete;
  ~Published() { delete value_.load(); }

  // Null before the first publish().
  const T* get() const noexcept { return value_.load(std::memory_order_acquire); }
  // Returns the value that stays: this one, or one that another thread published before.
  const T& publish(T value) {
    auto mine = std::make_unique<const T>(std::move(value));
    const T* there = nullptr;
    if (value_.compare_exchange_strong(there, mine.get())) return *mine.release();
    return *there;
  }

 private:
  std::atomic<const T*> value_{nullptr};
};

}  // namespace windrow::internal

#endif  // WINDROW_BASE_PUBLISHED_H_

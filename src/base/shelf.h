#ifndef WINDROW_BASE_SHELF_H_
#define WINDROW_BASE_SHELF_H_

#include <array>
#include <atomic>
#include <cstddef>
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

// A few objects that are expensive to make and used by one thread at a time, most recently used
// first. Threads take one, use it and put it back: none waits for another, and there is no lock
// that a fork could leave locked. A child forked while a thread holds an object does without it.
template <class T, std::size_t kPlaces>
class Shelf {
 public:
  Shelf() = default;
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;
  ~Shelf() {
    for (const auto& place : places_) delete place.load(std::memory_order_relaxed);
  }

  // Takes an object for which fits(object) is true; null if there is none that threads have left.
  template <class Fits>
  std::unique_ptr<T> take(Fits&& fits) noexcept {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      if (places_[place].load(std::memory_order_relaxed) == nullptr) continue;
      // Only the thread that has taken an object may look at it.
      std::unique_ptr<T> thing(places_[place].exchange(nullptr, std::memory_order_acq_rel));
      if (thing == nullptr) continue;
      if (fits(*thing)) return thing;
      put(std::move(thing), place);
    }
    return nullptr;
  }

  // Puts an object before those from `place` on, which move down to the next free place. Returns
  // the last one if there is no room for it.
  std::unique_ptr<T> put(std::unique_ptr<T> thing, std::size_t place = 0) noexcept {
    for (; thing != nullptr && place < kPlaces; ++place)
      thing.reset(places_[place].exchange(thing.release(), std::memory_order_acq_rel));
    return thing;
  }

 private:
  std::array<std::atomic<T*>, kPlaces> places_{};
};

}  // namespace windrow::internal

#endif  // WINDROW_BASE_SHELF_H_

#ifndef WINDROW_BASE_SHELF_H_
#define WINDROW_BASE_SHELF_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <memory>

namespace windrow::internal {

// A few things that are made at some cost and used by one thread at a time, last used first.
// Threads take one out, use it and put it back, so that none waits for another, and there is no
// lock that a fork could leave closed: a child that is made while a thread has one does without it.
template <class T, std::size_t kPlaces>
class Shelf {
 public:
  Shelf() = default;
  Shelf(const Shelf&) = delete;
  Shelf& operator=(const Shelf&) = delete;
  ~Shelf() {
    for (const auto& place : places_) delete place.load(std::memory_order_relaxed);
  }

  // One for which fits(thing) is true, or null: none is there, or other threads have them all.
  template <class Fits>
  std::unique_ptr<T> take(Fits&& fits) noexcept {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      if (places_[place].load(std::memory_order_relaxed) == nullptr) continue;
      // Only its owner may look at a thing.
      std::unique_ptr<T> thing(places_[place].exchange(nullptr, std::memory_order_acq_rel));
      if (thing == nullptr) continue;
      if (fits(*thing)) return thing;
      put(std::move(thing), place);
    }
    return nullptr;
  }

  // Puts a thing in front of those from `place` on, which move down to the next free place. Gives
  // back the last one, if there is no room for it.
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

#ifndef WINDROW_CALL_CACHE_H_
#define WINDROW_CALL_CACHE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// A cache of what a host's plug-in, or a binding of another language, keeps from one call to the
// next. Needs only the standard library of C++17.
namespace windrow {

// All that distinguishes one call from another, as 64-bit words. Keys are made on the stack, since
// every call makes one.
class CallKey {
 public:
  CallKey() noexcept = default;

  template <class Number>
  std::enable_if_t<std::is_integral_v<Number> || std::is_enum_v<Number>> add(
      Number number) noexcept {
    if (count_ == kMostWords) {
      fits_ = false;
    } else {
      words_[count_++] = static_cast<std::uint64_t>(number);
    }
  }
  // Adds the numbers without their count.
  void add(const std::int64_t* numbers, std::size_t count) noexcept {
    if (count > kMostWords - count_) {
      fits_ = false;
      return;
    }
    for (std::size_t i = 0; i < count; ++i)
      words_[count_ + i] = static_cast<std::uint64_t>(numbers[i]);
    count_ += count;
  }
  void add(std::string_view bytes) noexcept {
    add(bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t)))
      add_bytes(bytes.data(), sizeof(std::uint64_t));
    if (!bytes.empty()) add_bytes(bytes.data(), bytes.size());
  }
  // Marks the call as one that has no key.
  void refuse() noexcept { fits_ = false; }

  // Returns false if the call has no key or needs more words than a key holds. Nothing is kept
  // under such a key.
  bool fits() const noexcept { return fits_; }
  std::string_view bytes() const noexcept {
    return {reinterpret_cast<const char*>(words_), count_ * sizeof(std::uint64_t)};
  }
  std::size_t hash() const noexcept {
    std::uint64_t mixed = 0;
    for (std::size_t i = 0; i < count_; ++i) mixed = (mixed ^ words_[i]) * 0x9E3779B97F4A7C15U;
    return mixed >> 32U;  // the lower half does not depend on the upper halves of the words
  }

 private:
  void add_bytes(const char* bytes, std::size_t size) noexcept {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    add(word);
  }

  // Room for four inputs with 32 axes each, and a kilobyte for the rest.
  static constexpr std::size_t kMostWords = 400;
  std::size_t count_ = 0;
  bool fits_ = true;
  std::uint64_t words_[kMostWords];  // the first count_ are set
};

// The values of the last calls, at most kSlots. A new value replaces one whose key maps to the same
// slot. Any thread may call, no thread waits, and a fork leaves nothing locked. A lookup may find
// nothing while another thread uses the same slot. Copying a Value must not throw. The destructor
// frees nothing, so that the object may be used until the process ends.
template <class Value, std::size_t kSlots>
class CallSlots {
 public:
  std::optional<Value> find(const CallKey& key) noexcept {
    if (!key.fits()) return std::nullopt;
    std::atomic<Entry*>& slot = slot_of(key);
    // An entry is only read by the thread that has taken it out.
    std::unique_ptr<Entry> entry(slot.exchange(nullptr, std::memory_order_acquire));
    if (entry == nullptr) return std::nullopt;
    std::optional<Value> value;
    if (entry->key == key.bytes()) value = entry->value;
    Entry* none = nullptr;
    // Another thread may have put an entry there meanwhile; that one then stays.
    if (slot.compare_exchange_strong(none, entry.get(), std::memory_order_release,
                                     std::memory_order_relaxed))
      static_cast<void>(entry.release());
    return value;
  }

  // Keeps nothing if memory runs out.
  void keep(const CallKey& key, const Value& value) noexcept {
    if (!key.fits()) return;
    try {
      std::unique_ptr<Entry> entry(new Entry{std::string(key.bytes()), value});
      entry.reset(slot_of(key).exchange(entry.release(), std::memory_order_acq_rel));
    } catch (const std::bad_alloc&) {  // the value is made again by the next call
    }
  }

  void clear() noexcept {
    for (std::atomic<Entry*>& slot : slots_) delete slot.exchange(nullptr);
  }

 private:
  struct Entry {
    std::string key;
    Value value;
  };

  std::atomic<Entry*>& slot_of(const CallKey& key) noexcept { return slots_[key.hash() % kSlots]; }

  std::atomic<Entry*> slots_[kSlots]{};
};

// Same as CallSlots, for an object that ends before the process does.
template <class Value, std::size_t kSlots>
class CallCache : public CallSlots<Value, kSlots> {
 public:
  CallCache() noexcept = default;
  CallCache(const CallCache&) = delete;
  CallCache& operator=(const CallCache&) = delete;
  ~CallCache() { this->clear(); }
};

}  // namespace windrow

#endif  // WINDROW_CALL_CACHE_H_

#ifndef WINDROW_MODELS_VALUE_NAMES_H_
#define WINDROW_MODELS_VALUE_NAMES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace windrow::internal {

// A value of a graph, by its position in the order of definition.
using ValueNumber = std::uint32_t;
// No value: an omitted input or output, or a name that nothing defines.
inline constexpr ValueNumber kNoValue = 0xffffffff;

// A number of 61 bits that differs from process to process, so that nobody can choose names that
// collide.
std::uint64_t hash_name(std::string_view name) noexcept;

// Gives names their numbers: 0, 1, 2, ... The names must outlive the object. A look-up takes the
// same time whatever names a file chooses.
class ValueNames {
 public:
  // Reserves memory for `count` names. More can be added.
  void reserve(std::size_t count);
  // The number of a new name; kNoValue if the name has one already.
  ValueNumber add(std::string_view name);
  // kNoValue if there is no such name.
  ValueNumber find(std::string_view name) const;
  // Fetches into the cache what add() of that name will look at.
  void prefetch(std::string_view name) const;
  std::string_view operator[](ValueNumber number) const { return names_[number]; }
  std::size_t size() const noexcept { return names_.size(); }

 private:
  // A slot of a hash table with open addressing, which takes half the time of std::unordered_map
  // for a million names.
  struct Slot {
    std::uint32_t hash = 0;
    ValueNumber number = kNoValue;  // kNoValue: free
  };

  // The slot of the name, or the free one where it belongs. Precondition: there is a free one.
  std::size_t find_slot(std::string_view name, std::uint64_t hash) const;
  // Slots are chosen by higher bits of the hash than the ones that are compared. Precondition:
  // slots_ is not empty.
  std::size_t first_slot(std::uint64_t hash) const {
    return static_cast<std::size_t>(hash >> 24) & (slots_.size() - 1);
  }
  void grow(std::size_t slots);

  std::vector<Slot> slots_;  // none, or a power of two
  std::vector<std::string_view> names_;
};

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_VALUE_NAMES_H_

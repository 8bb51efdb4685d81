#include "windrow/options.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace windrow {
namespace {

// Indexed by the enumerators' values.
constexpr std::array<std::string_view, 5> kOutOfRangeNames = {"error", "zero", "skip", "clamp",
                                                              "modulo"};
constexpr std::array<std::string_view, 2> kDuplicatesNames = {"allow", "error"};

template <class Enum, std::size_t kCount>
std::optional<Enum> parse(const std::array<std::string_view, kCount>& names,
                          std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view out_of_range_name(OutOfRange policy) noexcept {
  return kOutOfRangeNames[static_cast<std::size_t>(policy)];
}

std::optional<OutOfRange> parse_out_of_range(std::string_view name) noexcept {
  return parse<OutOfRange>(kOutOfRangeNames, name);
}

std::string_view duplicates_name(Duplicates duplicates) noexcept {
  return kDuplicatesNames[static_cast<std::size_t>(duplicates)];
}

std::optional<Duplicates> parse_duplicates(std::string_view name) noexcept {
  return parse<Duplicates>(kDuplicatesNames, name);
}

}  // namespace windrow

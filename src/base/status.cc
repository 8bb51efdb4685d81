#include "windrow/status.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "windrow/options.h"
#include "windrow/printable.h"

namespace windrow {

std::string_view error_code_name(ErrorCode code) noexcept {
  // Indexed by the enumerator's value.
  static constexpr std::array<std::string_view, 12> kNames = {
      "ok",        "invalid argument", "shape",         "type",   "index out of range",
      "duplicate", "unsupported",      "out of memory", "format", "input/output",
      "internal",  "interrupted"};
  static_assert(kNames.size() == static_cast<std::size_t>(ErrorCode::kInterrupted) + 1);
  return kNames[static_cast<std::size_t>(code)];
}

Status::Status(ErrorInfo info) {
  // Messages quote names of files, nodes and arguments, which may be any bytes.
  for (std::string* const text : {&info.message, &info.operator_name, &info.constraint})
    *text = printable(*text);
  info_ = std::make_shared<const ErrorInfo>(std::move(info));
}

const ErrorInfo& Status::info() const noexcept {
  static const ErrorInfo success{ErrorCode::kOk, {}, {}, {}, nullptr};
  return info_ ? *info_ : success;
}

Status Status::with_context(std::string_view context) const {
  if (ok()) return *this;
  ErrorInfo info = *info_;
  info.message = std::string(context) + ": " + info.message;
  return Status(std::move(info));
}

namespace {

// Indexed by the enumerators' values.
constexpr std::array<std::string_view, 5> kOutOfRangeNames = {"error", "zero", "skip", "clamp",
                                                              "modulo"};
constexpr std::array<std::string_view, 3> kNegativeNames = {"from_end", "out_of_range", "error"};
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

std::string_view negative_name(NegativeIndex negative) noexcept {
  return kNegativeNames[static_cast<std::size_t>(negative)];
}

std::optional<NegativeIndex> parse_negative(std::string_view name) noexcept {
  return parse<NegativeIndex>(kNegativeNames, name);
}

std::string_view duplicates_name(Duplicates duplicates) noexcept {
  return kDuplicatesNames[static_cast<std::size_t>(duplicates)];
}

std::optional<Duplicates> parse_duplicates(std::string_view name) noexcept {
  return parse<Duplicates>(kDuplicatesNames, name);
}

}  // namespace windrow

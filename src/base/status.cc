#include "windrow/status.h"

#include <array>
#include <cstddef>

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

}  // namespace windrow

#include "windrow/status.h"

#include "windrow/printable.h"

namespace windrow {

std::string_view error_code_name(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::kOk:
      return "ok";
    case ErrorCode::kInvalidArgument:
      return "invalid argument";
    case ErrorCode::kShape:
      return "shape";
    case ErrorCode::kType:
      return "type";
    case ErrorCode::kIndexOutOfRange:
      return "index out of range";
    case ErrorCode::kDuplicate:
      return "duplicate";
    case ErrorCode::kUnsupported:
      return "unsupported";
    case ErrorCode::kOutOfMemory:
      return "out of memory";
    case ErrorCode::kFormat:
      return "format";
    case ErrorCode::kIo:
      return "input/output";
    case ErrorCode::kInternal:
      return "internal";
    case ErrorCode::kInterrupted:
      return "interrupted";
  }
  return "internal";
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

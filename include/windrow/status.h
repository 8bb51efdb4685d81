#ifndef WINDROW_STATUS_H_
#define WINDROW_STATUS_H_

#include <cstdint>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "windrow/export.h"

namespace windrow {

enum class ErrorCode : std::uint8_t {
  kOk = 0,
  kInvalidArgument,  // an attribute, option or call that no input could make valid
  kShape,            // ranks or extents that do not fit
  kType,             // an element type that the operator version does not take
  kIndexOutOfRange,  // an index outside its legal range under the `error` policy
  kDuplicate,        // two updates of one cell under `duplicates = error`
  kUnsupported,      // an operator, version, kernel set or feature that is not available
  kOutOfMemory,
  kFormat,  // malformed bytes (model, tensor file)
  kIo,      // a file that cannot be read or written
  kInternal,
  kInterrupted  // the caller ended the run: RunOptions::interrupt
};

// "index out of range", "shape", ...
WINDROW_EXPORT std::string_view error_code_name(ErrorCode code) noexcept;

// Indices of one tensor that are out of range, in row-major order of the tensor.
struct BadIndices {
  std::int64_t count() const noexcept { return static_cast<std::int64_t>(values.size()); }

  std::string input;                    // the operator's own name of the index tensor
  int rank = 0;                         // of that tensor
  std::vector<std::int64_t> positions;  // one after another, `rank` numbers each
  std::vector<std::int64_t> values;     // of each; of floats the integral part
  bool is_uint64 = false;               // whether `values` are the bits of uint64 numbers
};

// The first bad index of a call, in row-major order of its index tensor.
struct IndexFault {
  std::string input;                   // the operator's own name of the index tensor
  std::vector<std::int64_t> position;  // in the index tensor
  std::int64_t value = 0;              // the index; 2^63-1 for a uint64 above that
  std::string value_text;              // the index in decimal, exact also for a uint64 above 2^63-1
  std::int64_t axis = 0;               // the axis of the indexed tensor
  std::int64_t extent = 0;             // that axis's extent
  // Number of indices that are out of range, each element counted once.
  std::int64_t count = 0;
  // The first RunOptions::listed_indices of those in the same tensor, read again after the first
  // one was found.
  BadIndices listed;
};

// Everything that is known about a failure. In a Status its strings are printable(): one line of
// UTF-8 each, whatever names they quote.
struct ErrorInfo {
  ErrorCode code = ErrorCode::kInternal;
  std::string message;        // one line, complete by itself
  std::string operator_name;  // "onnx.Gather-13", or empty
  std::string constraint;     // the label in docs/operators/, "ONNX-Gather-C3", or empty
  std::shared_ptr<const IndexFault> index_fault;  // only with kIndexOutOfRange
};

// What Result::value() throws; the library throws nothing else.
class Error;

// Success, or an error with its description. Copies are cheap.
class [[nodiscard]] Status {
 public:
  Status() noexcept = default;
  WINDROW_EXPORT explicit Status(ErrorInfo info);
  Status(ErrorCode code, std::string message)
      : Status(ErrorInfo{code, std::move(message), {}, {}, nullptr}) {}

  bool ok() const noexcept { return info_ == nullptr; }
  explicit operator bool() const noexcept { return ok(); }
  ErrorCode code() const noexcept { return info_ ? info_->code : ErrorCode::kOk; }
  const std::string& message() const noexcept { return info().message; }
  const std::string& operator_name() const noexcept { return info().operator_name; }
  const std::string& constraint() const noexcept { return info().constraint; }
  // The bad index; null if this is not an index error.
  const IndexFault* index_fault() const noexcept { return info().index_fault.get(); }
  // The whole description; on success an empty ErrorInfo with code kOk.
  WINDROW_EXPORT const ErrorInfo& info() const noexcept;
  // The same error with `context` and ": " before its message. Success stays success.
  WINDROW_EXPORT Status with_context(std::string_view context) const;

 private:
  std::shared_ptr<const ErrorInfo> info_;
};

class Error : public std::runtime_error {
 public:
  explicit Error(Status status)
      : std::runtime_error(status.message()), status_(std::move(status)) {}
  const Status& status() const noexcept { return status_; }

 private:
  Status status_;
};

// A value, or the Status that says why there is none. Check with `if (!r)`, then use *r, or call
// value(), which throws Error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value)
      : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit by design
  Result(Status error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: as above

  bool ok() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return ok(); }
  // The error; success if there is a value.
  Status error() const { return ok() ? Status() : std::get<1>(state_); }

  // Precondition of the next four: ok().
  T& operator*() & noexcept { return *std::get_if<0>(&state_); }
  const T& operator*() const& noexcept { return *std::get_if<0>(&state_); }
  T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
  T* operator->() noexcept { return std::get_if<0>(&state_); }
  const T* operator->() const noexcept { return std::get_if<0>(&state_); }

  // The value; throws Error if there is none.
  T& value() & {
    if (!ok()) throw Error(error());
    return **this;
  }
  const T& value() const& {
    if (!ok()) throw Error(error());
    return **this;
  }
  T&& value() && {
    if (!ok()) throw Error(error());
    return std::move(**this);
  }

 private:
  std::variant<T, Status> state_;
};

}  // namespace windrow

#endif  // WINDROW_STATUS_H_

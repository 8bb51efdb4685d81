#include "src/reference/call.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

namespace windrow::internal::reference {
namespace {

std::string upper_case(std::string_view text) {
  std::string upper(text);
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

}  // namespace

Call::Call(std::string_view dialect, std::string_view name, int version, Direction direction,
           Inputs inputs, const CallOptions& options, OutOfRange default_policy)
    : operator_name_(std::string(dialect) + "." + std::string(name) + "-" +
                     std::to_string(version)),
      label_prefix_(upper_case(dialect) + "-" + std::string(name) + "-"),
      version_(version),
      direction_(direction),
      inputs_(inputs),
      options_(options),
      default_policy_(default_policy) {}

bool Call::refuses_duplicates(Reduction reduction) const {
  return options_.duplicates == Duplicates::kError ||
         (options_.strict && reduction == Reduction::kNone);
}

ErrorInfo Call::describe(ErrorCode code, std::string label, std::string_view text) const {
  ErrorInfo info;
  info.code = code;
  info.message = operator_name_ + " [" + label + "]: " + std::string(text);
  info.operator_name = operator_name_;
  info.constraint = std::move(label);
  return info;
}

Status Call::error(ErrorCode code, std::string_view rule, std::string_view text) const {
  return Status(describe(code, label_prefix_ + std::string(rule), text));
}

Status Call::invalid(std::string_view rule, std::string_view text) const {
  return error(ErrorCode::kInvalidArgument, rule, text);
}

Status Call::shape(std::string_view rule, std::string_view text) const {
  return error(ErrorCode::kShape, rule, text);
}

Status Call::index_error(std::string label, std::string_view text, IndexFault fault) const {
  ErrorInfo info = describe(ErrorCode::kIndexOutOfRange, std::move(label), text);
  info.index_fault = std::make_shared<const IndexFault>(std::move(fault));
  return Status(std::move(info));
}

Status Call::index(std::string_view rule, std::string_view text, IndexFault fault) const {
  return index_error(label_prefix_ + std::string(rule), text, std::move(fault));
}

Status Call::negative_index(std::string_view text, IndexFault fault) const {
  return index_error("CALL-O3", text, std::move(fault));
}

Status Call::unfit_policy(std::string_view text) const {
  return Status(describe(
      ErrorCode::kInvalidArgument, "CALL-O1",
      "out_of_range is '" + std::string(out_of_range_name(policy())) + "', " + std::string(text)));
}

Status Call::check_padding(std::int64_t indices) const {
  if (!padding() || indices == 1) return {};
  return Status(describe(ErrorCode::kInvalidArgument, "CALL-O4",
                         "padding_index is " + std::to_string(*padding()) +
                             ", for which one axis must be indexed; the call has " +
                             (indices == 0 ? "none" : std::to_string(indices))));
}

Status Call::check() const {
  const bool scatter = direction_ == Direction::kScatter;
  if (policy() == (scatter ? OutOfRange::kZero : OutOfRange::kSkip)) {
    return unfit_policy(
        scatter ? "which a scatter does not take: it takes error, skip, clamp and modulo"
                : "which a gather does not take: it takes error, zero, clamp and modulo");
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const std::string name = "input " + std::to_string(i);
    if (Status status = check_size(name, inputs_[i].dtype, inputs_[i].shape); !status)
      return status;
  }
  return {};
}

Status Call::check_result(DType dtype, const Shape& shape) const {
  return check_size("the result", dtype, shape);
}

Status Call::check_result_rank(std::string_view rule, int rank) const {
  if (rank <= kMaxRank) return {};
  return shape(rule, "the result has rank " + std::to_string(rank) + ", must be at most " +
                         std::to_string(kMaxRank));
}

Status Call::check_size(std::string_view name, DType dtype, const Shape& shape) const {
  if (dense_byte_count(dtype, shape)) return {};
  return too_large(name, shape);
}

Status Call::too_large(std::string_view name, const Shape& shape) const {
  return Status(describe(ErrorCode::kShape, "CALL-I2",
                         std::string(name) + " has shape " + to_string(shape) +
                             ": a negative extent or more than 2^63-1 bytes"));
}

}  // namespace windrow::internal::reference

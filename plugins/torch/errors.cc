#include "plugins/torch/errors.h"

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace windrow::torch_plugin {
namespace {

std::string join(std::span<const int64_t> numbers) {
  std::string text;
  for (const int64_t number : numbers) {
    text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return text;
}

}  // namespace

void fail(const std::string& text) { throw std::runtime_error(text); }

std::string shape_text(std::span<const int64_t> shape) { return "(" + join(shape) + ")"; }

void fail(const BadIndex& bad) {
  std::string text(bad.input);
  if (!bad.position.empty()) text += "[" + join(bad.position) + "]";
  text += " = " + std::to_string(bad.value) + " is out of range for dimension " +
          std::to_string(bad.dim) + " of size " + std::to_string(bad.extent);
  if (bad.extent > 0) {
    text += ", whose indices are " + std::to_string(bad.first) + " to " +
            std::to_string(bad.extent - 1);
  }
  if (bad.count > 1) text += "; " + std::to_string(bad.count) + " indices are out of range";
  if (!bad.rule.empty()) text += " (" + std::string(bad.rule) + ")";
  fail(text);
}

void fail(windrow_error* error, std::string_view index_name, int64_t index_rank,
          bool first_is_negative) {
  const std::unique_ptr<windrow_error, void (*)(windrow_error*)> owned(error, windrow_error_free);
  windrow_index_fault fault{};
  if (windrow_error_index_fault(error, &fault) == 0) fail(windrow_error_message(error));
  const int64_t rank = std::min<int64_t>(fault.position_rank, index_rank);
  fail(BadIndex{.input = index_name,
                .position = {fault.position, static_cast<std::size_t>(rank)},
                .value = fault.value,
                .dim = fault.axis,
                .first = first_is_negative ? -fault.extent : 0,
                .extent = fault.extent,
                .count = fault.count,
                .rule = windrow_error_constraint(error)});
}

}  // namespace windrow::torch_plugin

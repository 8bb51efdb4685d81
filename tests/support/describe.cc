#include "tests/support/describe.h"

#include "tests/support/elements.h"

namespace windrow::tests {
namespace {

constexpr std::int64_t kShownValues = 24;

std::string value_text(const AttributeValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return std::to_string(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return "\"" + *text + "\"";
  if (const auto* real = std::get_if<double>(&value)) return std::to_string(*real);
  return "(another kind of value)";
}

}  // namespace

std::string describe(const Attributes& attributes) {
  if (attributes.empty()) return "no attributes";
  std::string text;
  for (const auto& [name, value] : attributes)
    text += (text.empty() ? "" : " ") + name + "=" + value_text(value);
  return text;
}

std::string describe(const CallOptions& options) {
  std::string text;
  if (options.out_of_range)
    text += "out_of_range=" + std::string(out_of_range_name(*options.out_of_range)) + " ";
  if (options.negative) text += "negative=" + std::string(negative_name(*options.negative)) + " ";
  if (options.padding_index)
    text += "padding_index=" + std::to_string(*options.padding_index) + " ";
  if (options.strict) text += "strict=true ";
  if (options.duplicates == Duplicates::kError) text += "duplicates=error ";
  if (!options.kernels.empty()) text += "kernels=" + options.kernels + " ";
  if (text.empty()) return "default options";
  text.pop_back();
  return text;
}

std::string describe(const TensorView& view) {
  if (view.is_absent()) return "absent";
  std::string text = std::string(dtype_name(view.dtype)) + " " + to_string(view.shape) +
                     " strides " + to_string(view.strides);
  const std::int64_t count = element_count(view.shape).value_or(0);
  if (count == 0 || count > kShownValues) return text;
  text += " values";
  Dims position = Dims::filled(view.shape.rank(), 0);
  do {
    text += " ";
    text += describe_element(view.dtype, read_element(view, position));
  } while (next_position(view.shape, position));
  return text;
}

}  // namespace windrow::tests

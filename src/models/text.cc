#include "src/models/text.h"

namespace windrow::internal {

std::string text_of(std::initializer_list<TextPart> parts) {
  std::string text;
  for (const TextPart& part : parts) text += part.view();
  return text;
}

std::string interval_text(const Dim& dim) {
  if (dim.is_known()) return std::to_string(dim.value);
  const Dim any;
  if (dim.low == any.low && dim.high == any.high) return "?";
  return text_of({dim.low, "..", dim.high == any.high ? "" : std::to_string(dim.high)});
}

}  // namespace windrow::internal

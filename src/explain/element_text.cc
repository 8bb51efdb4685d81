#include "src/explain/element_text.h"

#include "windrow/element.h"

namespace windrow::internal {

std::string element_text(const reference::Element& element) {
  if (element.dtype == DType::kString) return to_text(element.text);
  reference::Element packed = element;
  // The first of a byte's single bits is the highest.
  if (dtype_bits(element.dtype) == 1) packed.bits[0] = element.bits[0] << 7;
  return to_text(element_at(element.dtype, packed.bits.data(), 0));
}

}  // namespace windrow::internal

#ifndef WINDROW_PLUGINS_OPENVINO_ELEMENT_TYPES_H_
#define WINDROW_PLUGINS_OPENVINO_ELEMENT_TYPES_H_

#include <openvino/core/type/element_type.hpp>

#include "windrow/c.h"

namespace windrow::openvino_plugin {

// The type of a host's element; WINDROW_ABSENT for types that have another layout or no counterpart
// (strings, types of 1, 2, 3 and 6 bits).
windrow_dtype to_windrow(const ov::element::Type& type) noexcept;

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_ELEMENT_TYPES_H_

#ifndef WINDROW_REFERENCE_TENSORRT_SETTINGS_H_
#define WINDROW_REFERENCE_TENSORRT_SETTINGS_H_

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "src/reference/call.h"
#include "windrow/status.h"

namespace windrow::internal::reference {

// Rule A3: `mode` is one of `modes`.
Status check_mode(const Call& call, std::string_view mode,
                  std::initializer_list<std::string_view> modes);

// Rule A1: the axis of data, which layers count from the front alone.
Result<int> check_layer_axis(const Call& call, std::int64_t axis);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TENSORRT_SETTINGS_H_

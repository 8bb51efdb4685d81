#ifndef WINDROW_DIALECTS_TENSORRT_SETTINGS_H_
#define WINDROW_DIALECTS_TENSORRT_SETTINGS_H_

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "src/dialects/known_inputs.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// A3: the mode is one of `modes`.
Status check_mode(const Rules& rules, const std::string& mode,
                  std::initializer_list<std::string_view> modes);

// A1: the axis is in [0, r), r being the rank of data.
Status check_layer_axis(const Rules& rules, std::int64_t axis, const KnownInput& data);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_SETTINGS_H_

#include "src/base/small_values.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/base/float_types.h"
#include "src/base/memory.h"

namespace windrow::internal {
namespace {

using Values = std::array<float, 256>;

template <std::size_t kCodes>
Values values_of(float (*to_value)(std::uint8_t) noexcept) {
  Values values{};
  for (std::size_t code = 0; code < kCodes; ++code)
    values[code] = to_value(static_cast<std::uint8_t>(code));
  return values;
}

struct Tables {
  Values e4m3fn = values_of<256>(&float8_e4m3fn_to_float);
  Values e4m3fnuz = values_of<256>(&float8_e4m3fnuz_to_float);
  Values e5m2 = values_of<256>(&float8_e5m2_to_float);
  Values e5m2fnuz = values_of<256>(&float8_e5m2fnuz_to_float);
  Values e2m1 = values_of<16>(&float4_e2m1fn_to_float);
};

const Tables& tables() {
  static const Tables tables;
  return tables;
}

[[maybe_unused]] const bool kForkSafe = fill_before_fork([] { tables(); });

}  // namespace

const float* small_float_values(DType dtype) noexcept {
  switch (dtype) {
    case DType::kFloat8E4M3FN:
      return tables().e4m3fn.data();
    case DType::kFloat8E4M3FNUZ:
      return tables().e4m3fnuz.data();
    case DType::kFloat8E5M2:
      return tables().e5m2.data();
    case DType::kFloat8E5M2FNUZ:
      return tables().e5m2fnuz.data();
    case DType::kFloat4E2M1:
      return tables().e2m1.data();
    default:
      return nullptr;
  }
}

}  // namespace windrow::internal

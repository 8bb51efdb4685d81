#include "plugins/openvino/element_types.h"

namespace windrow::openvino_plugin {

windrow_dtype to_windrow(const ov::element::Type& type) noexcept {
  using ov::element::Type_t;
  switch (Type_t(type)) {
    case Type_t::boolean:
      return WINDROW_BOOL;
    case Type_t::i4:
      return WINDROW_INT4;
    case Type_t::i8:
      return WINDROW_INT8;
    case Type_t::i16:
      return WINDROW_INT16;
    case Type_t::i32:
      return WINDROW_INT32;
    case Type_t::i64:
      return WINDROW_INT64;
    case Type_t::u4:
      return WINDROW_UINT4;
    case Type_t::u8:
      return WINDROW_UINT8;
    case Type_t::u16:
      return WINDROW_UINT16;
    case Type_t::u32:
      return WINDROW_UINT32;
    case Type_t::u64:
      return WINDROW_UINT64;
    case Type_t::f16:
      return WINDROW_FLOAT16;
    case Type_t::bf16:
      return WINDROW_BFLOAT16;
    case Type_t::f32:
      return WINDROW_FLOAT32;
    case Type_t::f64:
      return WINDROW_FLOAT64;
    case Type_t::f8e4m3:
      return WINDROW_FLOAT8_E4M3FN;
    case Type_t::f8e5m2:
      return WINDROW_FLOAT8_E5M2;
    default:
      return WINDROW_ABSENT;
  }
}

}  // namespace windrow::openvino_plugin

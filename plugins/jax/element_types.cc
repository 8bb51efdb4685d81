#include "plugins/jax/element_types.h"

namespace windrow::jax {

DType dtype_of(XLA_FFI_DataType type) noexcept {
  switch (type) {
    case XLA_FFI_DataType_PRED:
      return DType::kBool;
    case XLA_FFI_DataType_S8:
      return DType::kInt8;
    case XLA_FFI_DataType_S16:
      return DType::kInt16;
    case XLA_FFI_DataType_S32:
      return DType::kInt32;
    case XLA_FFI_DataType_S64:
      return DType::kInt64;
    case XLA_FFI_DataType_U8:
      return DType::kUint8;
    case XLA_FFI_DataType_U16:
      return DType::kUint16;
    case XLA_FFI_DataType_U32:
      return DType::kUint32;
    case XLA_FFI_DataType_U64:
      return DType::kUint64;
    case XLA_FFI_DataType_F16:
      return DType::kFloat16;
    case XLA_FFI_DataType_BF16:
      return DType::kBFloat16;
    case XLA_FFI_DataType_F32:
      return DType::kFloat32;
    case XLA_FFI_DataType_F64:
      return DType::kFloat64;
    case XLA_FFI_DataType_C64:
      return DType::kComplex64;
    case XLA_FFI_DataType_C128:
      return DType::kComplex128;
    case XLA_FFI_DataType_F8E4M3FN:
      return DType::kFloat8E4M3FN;
    case XLA_FFI_DataType_F8E4M3FNUZ:
      return DType::kFloat8E4M3FNUZ;
    case XLA_FFI_DataType_F8E5M2:
      return DType::kFloat8E5M2;
    case XLA_FFI_DataType_F8E5M2FNUZ:
      return DType::kFloat8E5M2FNUZ;
    case XLA_FFI_DataType_F8E8M0FNU:
      return DType::kFloat8E8M0;
    default:
      return DType::kAbsent;
  }
}

}  // namespace windrow::jax

#ifndef WINDROW_OPERATORS_TYPE_SETS_H_
#define WINDROW_OPERATORS_TYPE_SETS_H_

#include <span>

#include "windrow/dtype.h"

// The sets of element types that operator versions take, by the names in docs/operators/.
namespace windrow::internal {

using TypeSet = std::span<const DType>;

// T24 begins with T16, which begins with T15.
inline constexpr DType kAllTypes[] = {
    DType::kUint8,        DType::kUint16,         DType::kUint32,     DType::kUint64,
    DType::kInt8,         DType::kInt16,          DType::kInt32,      DType::kInt64,
    DType::kFloat16,      DType::kFloat32,        DType::kFloat64,    DType::kString,
    DType::kBool,         DType::kComplex64,      DType::kComplex128, DType::kBFloat16,
    DType::kFloat8E4M3FN, DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2, DType::kFloat8E5M2FNUZ,
    DType::kFloat8E8M0,   DType::kFloat4E2M1,     DType::kInt4,       DType::kUint4,
};
inline constexpr TypeSet kT15 = TypeSet(kAllTypes).first<15>();
inline constexpr TypeSet kT16 = TypeSet(kAllTypes).first<16>();
inline constexpr TypeSet kT24 = TypeSet(kAllTypes);

inline constexpr DType kFeatureTypes[] = {DType::kFloat32, DType::kFloat64, DType::kInt64,
                                          DType::kInt32, DType::kString};
inline constexpr TypeSet kT5 = TypeSet(kFeatureTypes);

inline constexpr DType kIndexTypes[] = {DType::kInt64, DType::kInt32};
inline constexpr TypeSet kIndex = TypeSet(kIndexTypes);
inline constexpr TypeSet kIndex64 = TypeSet(kIndexTypes).first<1>();

// The types that ONNX casts to int64: the indices and the depth of OneHot.
inline constexpr DType kNumberTypes[] = {
    DType::kInt64,   DType::kInt32,   DType::kInt16,   DType::kInt8,
    DType::kUint64,  DType::kUint32,  DType::kUint16,  DType::kUint8,
    DType::kFloat16, DType::kFloat32, DType::kFloat64,
};
inline constexpr TypeSet kN11 = TypeSet(kNumberTypes);

// OpenVINO's sets. T20 begins with T19, which begins with T17.
inline constexpr DType kOpenvinoTypes[] = {
    DType::kBool,    DType::kInt4,    DType::kInt8,         DType::kInt16,      DType::kInt32,
    DType::kInt64,   DType::kUint4,   DType::kUint8,        DType::kUint16,     DType::kUint32,
    DType::kUint64,  DType::kFloat16, DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kBFloat16,
    DType::kFloat32, DType::kFloat64, DType::kUint1,        DType::kNF4,        DType::kString,
};
inline constexpr TypeSet kT20 = TypeSet(kOpenvinoTypes);
inline constexpr TypeSet kT19 = kT20.first<19>();

inline constexpr DType kIntegerTypes[] = {
    DType::kInt64,  DType::kInt32,  DType::kInt16,  DType::kInt8,  DType::kInt4,
    DType::kUint64, DType::kUint32, DType::kUint16, DType::kUint8, DType::kUint4,
};
inline constexpr TypeSet kI10 = TypeSet(kIntegerTypes);
inline constexpr TypeSet kI2 = kIndex;

// The sets of TensorRT and of Windrow's extensions. T10 begins with T8; OneHot has all but int4.
inline constexpr DType kTensorrtTypes[] = {
    DType::kFloat32, DType::kFloat16,      DType::kBFloat16, DType::kInt32, DType::kInt8,
    DType::kInt4,    DType::kFloat8E4M3FN, DType::kUint8,    DType::kInt64, DType::kBool,
};
inline constexpr TypeSet kT10 = TypeSet(kTensorrtTypes);
inline constexpr TypeSet kT8 = kT10.first<8>();
inline constexpr DType kOneHotTypes[] = {
    DType::kFloat32, DType::kFloat16,      DType::kBFloat16, DType::kInt32, DType::kInt8,
    DType::kUint8,   DType::kFloat8E4M3FN, DType::kInt64,    DType::kBool,
};
inline constexpr TypeSet kT9 = TypeSet(kOneHotTypes);

// The array dialect's sets: the types that its reductions fold, and its indices.
inline constexpr DType kFoldedTypes[] = {
    DType::kBool,    DType::kInt4,    DType::kInt8,         DType::kInt16,      DType::kInt32,
    DType::kInt64,   DType::kUint4,   DType::kUint8,        DType::kUint16,     DType::kUint32,
    DType::kUint64,  DType::kFloat16, DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kBFloat16,
    DType::kFloat32, DType::kFloat64, DType::kComplex64,    DType::kComplex128,
};
inline constexpr TypeSet kR19 = TypeSet(kFoldedTypes);
// The integers among the number types that ONNX casts.
inline constexpr TypeSet kI8 = kN11.first<8>();

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_TYPE_SETS_H_

#include "src/kernels/reduce/mean.h"

#include <cstring>
#include <limits>
#include <type_traits>

#include "src/base/float_types.h"

namespace windrow::internal {
namespace {

template <class T>
CellBytes cell_of(T value) {
  CellBytes bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

template <class T>
CellBytes neutral(Fold fold, T one, T lowest, T largest) {
  if (fold == Fold::kMul) return cell_of(one);
  if (fold == Fold::kMin) return cell_of(largest);
  if (fold == Fold::kMax) return cell_of(lowest);
  return CellBytes{};
}

template <class T>
CellBytes neutral_number(Fold fold) {
  using Limits = std::numeric_limits<T>;
  return neutral<T>(fold, T{1}, Limits::lowest(), Limits::max());
}

template <class T>
CellBytes unbounded(Fold fold) {
  constexpr T kInfinity = std::numeric_limits<T>::infinity();
  return neutral<T>(fold, T{1}, -kInfinity, kInfinity);
}

// Types without an order: no min and no max.
template <class T>
CellBytes neutral_complex(Fold fold) {
  return fold == Fold::kMul ? cell_of(std::array<T, 2>{1, 0}) : CellBytes{};
}

template <class T>
struct Whole {
  using Cell = T;
  static T divide(T sum, std::int64_t summands) {
    if constexpr (std::is_unsigned_v<T>) {
      return static_cast<T>(sum / static_cast<std::uint64_t>(summands));
    } else {
      const std::int64_t quotient = sum / summands;
      return static_cast<T>(sum % summands < 0 ? quotient - 1 : quotient);
    }
  }
};

struct SignedHalf {
  using Cell = std::int8_t;
  static Cell divide(Cell sum, std::int64_t summands) {
    return Whole<Cell>::divide(static_cast<Cell>(((sum & 0xf) ^ 8) - 8), summands);
  }
};

struct UnsignedHalf {
  using Cell = std::uint8_t;
  static Cell divide(Cell sum, std::int64_t summands) {
    return Whole<Cell>::divide(static_cast<Cell>(sum & 0xf), summands);
  }
};

template <class T>
struct Real {
  using Cell = T;
  static T divide(T sum, std::int64_t summands) {
    const T quotient = sum / static_cast<T>(summands);
    return quotient == quotient ? quotient : std::numeric_limits<T>::quiet_NaN();
  }
};

template <class Bits, float (*kToFloat)(Bits) noexcept, Bits (*kFromFloat)(float) noexcept>
struct Narrow {
  using Cell = Bits;
  static Bits divide(Bits sum, std::int64_t summands) {
    return kFromFloat(kToFloat(sum) / static_cast<float>(summands));
  }
};

template <class Type>
inline void divide_cell(std::byte* at, std::int64_t summands) {
  typename Type::Cell cell;
  std::memcpy(&cell, at, sizeof cell);
  cell = Type::divide(cell, summands);
  std::memcpy(at, &cell, sizeof cell);
}

template <class Type>
void divide_all(std::byte* cells, std::int64_t step, std::int64_t count, std::int64_t summands) {
  for (std::int64_t j = 0; j < count; ++j) divide_cell<Type>(cells + j * step, summands);
}

template <class Type, class Count>
void divide_same(const MeanRun& run) {
  constexpr std::int64_t kDense = sizeof(typename Type::Cell);
  const Count updates = *static_cast<const Count*>(run.updates);
  if (updates == 0) return;
  const std::int64_t summands = static_cast<std::int64_t>(updates) + run.extra;
  // A step that the compiler knows lets it vectorise the loop.
  if (run.step == kDense) return divide_all<Type>(run.cells, kDense, run.count, summands);
  divide_all<Type>(run.cells, run.step, run.count, summands);
}

template <class Type, class Count>
void divide_counted(const MeanRun& run) {
  if (run.same_updates) return divide_same<Type, Count>(run);
  const auto* updates = static_cast<const Count*>(run.updates);
  for (std::int64_t j = 0; j < run.count; ++j) {
    if (updates[j] == 0) continue;
    divide_cell<Type>(run.cells + j * run.step, static_cast<std::int64_t>(updates[j]) + run.extra);
  }
}

template <class Type>
void divide(const MeanRun& run) noexcept {
  run.wide ? divide_counted<Type, std::uint64_t>(run) : divide_counted<Type, std::uint32_t>(run);
}

}  // namespace

CellBytes neutral_cell(Fold fold, DType dtype) noexcept {
  switch (dtype) {
    case DType::kBool:
      return neutral<std::uint8_t>(fold, 1, 0, 1);
    case DType::kInt8:
      return neutral_number<std::int8_t>(fold);
    case DType::kInt16:
      return neutral_number<std::int16_t>(fold);
    case DType::kInt32:
      return neutral_number<std::int32_t>(fold);
    case DType::kInt64:
      return neutral_number<std::int64_t>(fold);
    case DType::kUint8:
      return neutral_number<std::uint8_t>(fold);
    case DType::kUint16:
      return neutral_number<std::uint16_t>(fold);
    case DType::kUint32:
      return neutral_number<std::uint32_t>(fold);
    case DType::kUint64:
      return neutral_number<std::uint64_t>(fold);
    case DType::kFloat8E4M3FN:
      return neutral<std::uint8_t>(fold, 0x38, 0xfe, 0x7e);
    case DType::kFloat8E5M2:
      return neutral<std::uint8_t>(fold, 0x3c, 0xfb, 0x7b);
    case DType::kFloat16:
      return neutral<std::uint16_t>(fold, 0x3c00, 0xfbff, 0x7bff);
    case DType::kBFloat16:
      return neutral<std::uint16_t>(fold, 0x3f80, 0xff7f, 0x7f7f);
    case DType::kFloat32:
      return neutral_number<float>(fold);
    case DType::kFloat64:
      return neutral_number<double>(fold);
    case DType::kComplex64:
      return neutral_complex<float>(fold);
    case DType::kComplex128:
      return neutral_complex<double>(fold);
    default:
      return CellBytes{};
  }
}

CellBytes identity_cell(Fold fold, DType dtype) noexcept {
  switch (dtype) {
    case DType::kInt4:
      return neutral<std::int8_t>(fold, 1, -8, 7);
    case DType::kUint4:
      return neutral<std::uint8_t>(fold, 1, 0, 15);
    case DType::kFloat8E5M2:
      return neutral<std::uint8_t>(fold, 0x3c, 0xfc, 0x7c);
    case DType::kFloat16:
      return neutral<std::uint16_t>(fold, 0x3c00, 0xfc00, 0x7c00);
    case DType::kBFloat16:
      return neutral<std::uint16_t>(fold, 0x3f80, 0xff80, 0x7f80);
    case DType::kFloat32:
      return unbounded<float>(fold);
    case DType::kFloat64:
      return unbounded<double>(fold);
    default:
      return neutral_cell(fold, dtype);
  }
}

MeanFunction find_mean(DType dtype) noexcept {
  switch (dtype) {
    case DType::kInt4:
      return &divide<SignedHalf>;
    case DType::kInt8:
      return &divide<Whole<std::int8_t>>;
    case DType::kInt16:
      return &divide<Whole<std::int16_t>>;
    case DType::kInt32:
      return &divide<Whole<std::int32_t>>;
    case DType::kInt64:
      return &divide<Whole<std::int64_t>>;
    case DType::kUint4:
      return &divide<UnsignedHalf>;
    case DType::kUint8:
      return &divide<Whole<std::uint8_t>>;
    case DType::kUint16:
      return &divide<Whole<std::uint16_t>>;
    case DType::kUint32:
      return &divide<Whole<std::uint32_t>>;
    case DType::kUint64:
      return &divide<Whole<std::uint64_t>>;
    case DType::kFloat8E4M3FN:
      return &divide<Narrow<std::uint8_t, float8_e4m3fn_to_float, float_to_float8_e4m3fn>>;
    case DType::kFloat8E5M2:
      return &divide<Narrow<std::uint8_t, float8_e5m2_to_float, float_to_float8_e5m2>>;
    case DType::kFloat16:
      return &divide<Narrow<std::uint16_t, float16_to_float, float_to_float16>>;
    case DType::kBFloat16:
      return &divide<Narrow<std::uint16_t, bfloat16_to_float, float_to_bfloat16>>;
    case DType::kFloat32:
      return &divide<Real<float>>;
    case DType::kFloat64:
      return &divide<Real<double>>;
    default:
      return nullptr;
  }
}

}  // namespace windrow::internal

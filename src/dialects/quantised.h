#ifndef WINDROW_DIALECTS_QUANTISED_H_
#define WINDROW_DIALECTS_QUANTISED_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "src/access/access_map.h"
#include "src/dialects/rules.h"
#include "windrow/tensor.h"

// Quantised look-ups: the inputs data, indices, scales and zero_points.
namespace windrow::internal {

// What one call asks for, and what the dialects disagree about.
struct QuantisedForm {
  std::int64_t axis = 0;
  std::int64_t quantise_axis = 0;
  std::int64_t block_size = 0;  // 0: the whole axis
  std::int64_t bits = 0;        // of a value in a uint8; 0: 8. Not that of other types
  std::string_view axis_name = "axis";
  std::int64_t least_rank = 1;
  bool takes_small_blocks = true;  // if false: powers of two from 16 on, 0 for small floats
  // The axis of uint8 data must be 0, and quantise_axis the last one.
  bool fixes_axes_of_bytes = false;
  std::string_view scales_rule = "C3";
  std::string_view zero_points_rule = "C4";
};

// C1 (the rank of data), A1, A3 (the axes), A4 (block_size), A5 (bits), C2 (the result's rank), C3
// where the axes of bytes are fixed, and the rules on the shapes of scales and of zero points.
Result<SymbolicShape> check_quantised(const Rules& rules, const QuantisedForm& form,
                                      const KnownInputs& inputs);

// `dtype`: of the result. `rule`: the one that a bad index breaks.
Operation build_quantised(const Rules& rules, const QuantisedForm& form,
                          std::span<const TensorSpec> inputs, const IndexUse& use, DType dtype,
                          std::string_view rule);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_QUANTISED_H_

#ifndef WINDROW_MODELS_PLACE_VALUES_H_
#define WINDROW_MODELS_PLACE_VALUES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "src/models/first_run.h"
#include "src/models/program.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Where a value is during a run.
struct ValuePlace {
  enum class Kind : std::uint8_t { kNone, kGiven, kConstant, kOutput, kBuffer };
  Kind kind = Kind::kNone;
  std::size_t number = 0;  // of the input that is given, the output, the buffer
};

// Memory that several values use one after another.
struct BufferKind {
  std::size_t bytes = 0;
  Shape strings;  // of string elements, whose buffer is not shared
  bool is_strings = false;
};

struct ValuePlaces {
  std::vector<ValuePlace> values;   // by value
  std::vector<ValuePlace> results;  // by step: also of steps whose result nothing reads
  std::vector<BufferKind> buffers;
};

// The result of each step, dense and without an address, in a run with these inputs.
std::vector<MutableTensorView> result_views(const Program& program,
                                            std::span<const TensorView> given,
                                            std::span<const RanStep> steps);

// Gives every value its place. Results that are outputs are written there directly, others into
// buffers that are reused as soon as nothing reads them any more. A result that was written over an
// input stays there.
ValuePlaces place_values(const Program& program, std::span<const RanStep> steps,
                         std::span<const MutableTensorView> results);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_PLACE_VALUES_H_

#ifndef WINDROW_VALUE_RANGES_H_
#define WINDROW_VALUE_RANGES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windrow/dim.h"
#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/inference.h"
#include "windrow/status.h"

// The intervals in which the values of a model lie for all runs. windrow::check proves with them
// (docs/design/portability.md). In the library windrow::models.
namespace windrow {

class Model;

// `factor` (1 or -1) times an extent that is known only in a run ("ids.shape[1]"), plus `offset`.
struct ExtentTerm {
  std::string extent;
  std::int64_t offset = 0;
  int factor = 1;
};

// The interval of integers or booleans (0 and 1), ends included; all bounds hold. Absent: there is
// no bound that fits in int64.
struct IntegerRange {
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  std::optional<ExtentTerm> above;  // at least this
  std::optional<ExtentTerm> below;  // at most this
};

// The interval of floats that are not NaN, and whether there may be a NaN.
struct FloatRange {
  double low = 0;
  double high = 0;
  bool may_be_nan = true;
};

// What is known of one value.
struct RangedValue {
  enum class Grain : std::uint8_t {
    kTensor,   // one range for all elements
    kAxis,     // one for each position on `axis`
    kElement,  // one for each element, in row-major order
  };
  std::string name;              // empty: an output that the node omits
  DType dtype = DType::kAbsent;  // kAbsent: unknown
  SymbolicShape dims;            // symbols are names of extents; absent: unknown rank
  Grain grain = Grain::kTensor;
  int axis = 0;
  // For float16, bfloat16, float32 and float64 `floats` is set, for integers and booleans
  // `integers`, for other types neither.
  std::vector<IntegerRange> integers;
  std::vector<FloatRange> floats;
  // What the ranges are based on besides the file, one sentence each: "ids lies in 0 to 9
  // (assumed)", "x.shape[0] is at least 1".
  std::vector<std::string> premises;
  // The same of `dtype`, and of `dims`: "y (MaxPool) has the shape float32[1, 8, 4, 4], as onnx
  // infers".
  std::vector<std::string> type_premises;
  std::vector<std::string> shape_premises;
  // The integer input of the main graph whose elements these are, all or some, in any order. Empty:
  // there is none.
  std::string source_input;
};

struct NodeRanges {
  std::string node;  // its path, as in NodePlace
  std::vector<RangedValue> outputs;
};

struct ValueRangeOptions {
  InferOptions infer;
  // The runtime and device in whose arithmetic the intervals hold ("openvino", "cpu"); without a
  // runtime, that of the specification. Of a runtime that is not known little is proved.
  std::string runtime;
  std::string device;
  // The caller's assumption about the elements of integer inputs, both ends included.
  struct Assumed {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  std::map<std::string, Assumed, std::less<>> assume;
};

// Calls `visit` with every node of the model, in the order of Model::visit_nodes. Errors: those of
// Model::infer; kInvalidArgument (an assumption about something that is not an integer input, or
// that no number meets).
WINDROW_EXPORT Status find_value_ranges(const Model& model, const ValueRangeOptions& options,
                                        const std::function<void(const NodeRanges&)>& visit);

}  // namespace windrow

#endif  // WINDROW_VALUE_RANGES_H_

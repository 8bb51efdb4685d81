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

// In which intervals the values of a model lie, whatever a run is given: what windrow::check proves
// with (docs/design/portability.md). In the library windrow::models.
namespace windrow {

class Model;

// `factor` (1 or -1) times an extent that a run decides ("ids.shape[1]"), plus `offset`.
struct ExtentTerm {
  std::string extent;
  std::int64_t offset = 0;
  int factor = 1;
};

// Where integers or booleans (0 and 1) lie, ends included: all that is said holds. Absent: no bound
// that 64 bits with a sign hold.
struct IntegerRange {
  std::optional<std::int64_t> low;
  std::optional<std::int64_t> high;
  std::optional<ExtentTerm> above;  // at least this
  std::optional<ExtentTerm> below;  // at most this
};

// Where floats lie that are numbers, and whether there may be a NaN.
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
  // Of float16, bfloat16, float32 and float64 `floats`, of integers and booleans `integers`, of
  // other types neither.
  std::vector<IntegerRange> integers;
  std::vector<FloatRange> floats;
  // What the ranges rest on besides the file, one sentence each: "ids lies in 0 to 9 (assumed)",
  // "x.shape[0] is at least 1".
  std::vector<std::string> premises;
  // The input of the main graph whose elements these are, all or some, in any order; of integers
  // only. Empty: there is none.
  std::string source_input;
};

struct NodeRanges {
  std::string node;  // its path, as in NodePlace
  std::vector<RangedValue> outputs;
};

struct ValueRangeOptions {
  InferOptions infer;
  // Where the caller says that elements of inputs of integers lie, both ends included.
  struct Assumed {
    std::int64_t low = 0;
    std::int64_t high = 0;
  };
  std::map<std::string, Assumed, std::less<>> assume;
};

// Calls `visit` with every node of the model, in the order of Model::visit_nodes. Errors: those of
// Model::infer; kInvalidArgument (an assumption about something that is no input of integers, or
// that no number meets).
WINDROW_EXPORT Status find_value_ranges(const Model& model, const ValueRangeOptions& options,
                                        const std::function<void(const NodeRanges&)>& visit);

}  // namespace windrow

#endif  // WINDROW_VALUE_RANGES_H_

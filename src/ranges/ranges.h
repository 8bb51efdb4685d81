#ifndef WINDROW_RANGES_RANGES_H_
#define WINDROW_RANGES_RANGES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "src/models/node_operator.h"
#include "src/ranges/interval.h"
#include "windrow/models.h"

// In which intervals the values of a model lie, whatever a run is given
// (docs/design/portability.md).
namespace windrow::internal {

// What a proof rests on besides the file, as sentences: "a.shape[0] = b.shape[1], both called N".
// Numbers of a table, ascending.
using Premises = std::vector<int>;

// The intervals of a value's elements.
struct ValueRange {
  enum class Grain : std::uint8_t {
    kTensor,   // one for all elements
    kAxis,     // one for each position on `axis`
    kElement,  // one for each element, in row-major order
  };
  Grain grain = Grain::kTensor;
  int axis = 0;
  // Of integers and booleans, or of floats; both empty: nothing is known, or the type has no order.
  std::vector<Interval> integers;
  std::vector<FloatInterval> floats;
  Premises premises;
};

// What is known of a value.
struct ValueFact {
  // Proven type and shape. The symbols of dims are names of extents: "ids.shape[1]".
  DType dtype = DType::kAbsent;
  SymbolicShape dims;
  ValueRange range;
  // The value itself: a constant that no input can override; null: it is none.
  const Constant* constant = nullptr;
  // The input of the main graph whose elements these are, all or some, in any order and of any
  // integer type that holds them; empty: there is none.
  std::string source_input;
};

// The extents of the main graph's inputs that are not fixed, and the premises of proofs.
class Extents {
 public:
  ExtentNumber add(std::string name, std::string declared_symbol, std::int64_t low,
                   std::int64_t high);
  // The extent of this name; -1 if there is none.
  ExtentNumber find(const std::string& name) const;
  const std::string& name(ExtentNumber extent) const;

  // Whether every value of the interval is below / at least minus (`with_wrap`) or zero of the
  // extent `dim`. A proof that needs two extents to be equal adds that premise.
  bool is_below(const Interval& interval, const Dim& dim, Premises& premises);
  bool is_at_least_minus(const Interval& interval, const Dim& dim, Premises& premises);

  // The number of a premise; equal texts have one number.
  int premise(const std::string& text);
  const std::string& premise_text(int premise) const;

 private:
  struct Extent {
    std::string name;
    std::string declared_symbol;
    std::int64_t low;
    std::int64_t high;
  };
  bool are_equal(ExtentNumber a, ExtentNumber b, Premises& premises);

  std::vector<Extent> extents_;
  std::map<std::string, ExtentNumber, std::less<>> by_name_;
  std::vector<std::string> premises_;
  std::map<std::string, int, std::less<>> premise_numbers_;
};

// A node and what is known where it runs.
struct NodeFacts {
  const NodePlace& place;
  const NodeOperator* op;             // null: no operator of the library
  std::span<const ValueFact> inputs;  // an omitted one: nothing is known of it
  std::span<const ValueFact> outputs;
};

struct RangeOptions {
  InferOptions infer;
  // Where the caller says that elements of inputs of the main graph lie; a premise.
  std::map<std::string, Interval, std::less<>> assumed;
};

// Calls `visit` with every node, in the order of Model::visit_nodes. Errors: those of Model::infer;
// kInvalidArgument (an assumption about something that is no input of integers).
Status find_ranges(const Model& model, const RangeOptions& options, Extents& extents,
                   const std::function<void(const NodeFacts&)>& visit);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_RANGES_H_

#ifndef WINDROW_RANGES_RANGES_H_
#define WINDROW_RANGES_RANGES_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/infer_node.h"
#include "src/ranges/arithmetic_profile.h"
#include "windrow/models.h"

// The intervals in which the values of a model lie, whatever inputs a run is given
// (docs/design/portability.md).
namespace windrow::internal {

class InferredModel;

// What a proof assumes besides the file, each a sentence such as "a.shape[0] = b.shape[1], both
// called N". These are the sentences' numbers in Extents, ascending.
using Premises = std::vector<int>;
Premises united(const Premises& a, const Premises& b);

// The intervals of a value's elements.
struct ValueRange {
  enum class Grain : std::uint8_t {
    kTensor,   // one for all elements
    kAxis,     // one for each position on `axis`
    kElement,  // one for each element, in row-major order
  };
  Grain grain = Grain::kTensor;
  int axis = 0;
  // `integers` is for integers and booleans, `floats` for floats. Both are empty if nothing is
  // known or the type has no order.
  std::vector<Interval> integers;
  std::vector<FloatInterval> floats;
  Premises premises;
};

// Which elements of a value differ. Two of them do if their positions differ on an axis of `along`
// and are equal on all axes that are neither in `along` nor in `constant`. With a tuple axis, this
// is said of the tuples along that axis instead of the elements.
struct Distinct {
  using Axes = std::uint64_t;  // bit i: axis i

  Axes along = 0;     // empty: it is not known that elements differ
  Axes constant = 0;  // axes along which elements, or tuples, are equal
  std::optional<std::size_t> tuple_axis = std::nullopt;
  // Bit i: position i of the tuple axis is needed to tell the tuples apart.
  std::uint64_t columns = ~std::uint64_t{0};
  Premises premises = {};
  friend bool operator==(const Distinct&, const Distinct&) = default;
};

// Whether the runtimes may give a value another shape than inference finds for it, or infer another
// one than they give: of the same rank, or not even that.
enum class Dispute : std::uint8_t { kNone, kExtents, kRank };

// Where a Range begins and ends.
struct RangeEnds {
  Interval start;
  Interval limit;
};

// What is known of a value.
struct ValueFact {
  // The type and the shape. The symbols of dims are names of extents: "ids.shape[1]".
  DType dtype = DType::kAbsent;
  SymbolicShape dims;
  std::string other_type;  // as ValueInfo::other_type
  ValueRange range;
  Distinct distinct;
  // The value itself if it is a constant that no input can override; else null.
  const Constant* constant = nullptr;
  // Whether hosts may compute the value before a run: a constant, a default input, which some hosts
  // let nobody override, or what a node computes of such values alone.
  bool is_fixed = false;
  // Whether a host computes the integers as floats, which may lie beyond what its integers hold
  // until they are stored.
  bool may_exceed_integers = false;
  // The input of the main graph from which all elements come, unchanged and in any order; empty if
  // there is none. A cast keeps it if the new integer type holds the elements, and a cast to int32
  // or int64 always does, since these hold every element that is an index. It holds by the premises
  // of `range`.
  std::string source_input;
  // Of the result of a Range of integers whose inputs are not all constants; else absent.
  std::optional<RangeEnds> range_ends = std::nullopt;
  Dispute dispute = Dispute::kNone;
  // What `dtype` is based on besides the file, and what `dims` is. These premises hold of `range`
  // only as far as it lists them itself.
  Premises type_premises = {};
  Premises shape_premises = {};
};

// What the intervals of a value are based on: those of an unknown range are the type's.
inline Premises premises_of_values(const ValueFact& fact) {
  return fact.type_premises.empty() ? fact.range.premises
                                    : united(fact.range.premises, fact.type_premises);
}

// "x.shape[1]": the name of an extent of a value.
std::string extent_name(std::string_view value, std::size_t axis);

// The extents of the main graph's inputs that are not fixed, and the premises of proofs, which are
// about runtimes of one arithmetic.
class Extents {
 public:
  Extents() : Extents(specified_arithmetic()) {}
  explicit Extents(const ArithmeticProfile& profile) : profile_(&profile) {}
  const ArithmeticProfile& profile() const { return *profile_; }

  // The largest extent of a tensor that has elements: no run could be given a larger one.
  static constexpr std::int64_t kLargest = std::int64_t{1} << 48;
  // The largest value that the extent of an axis can have: kLargest, or more if another extent may
  // be 0.
  static std::int64_t most_of(const std::vector<Dim>& dims, std::size_t axis);
  // The largest offset of a bound, of either sign: beyond it, a number says as much as the bound.
  static constexpr std::int64_t kLargestOffset = std::int64_t{1} << 32;

  ExtentNumber add(std::string name, std::string declared_symbol, std::int64_t low,
                   std::int64_t high);
  // The extent of this name; -1 if no extent has it.
  ExtentNumber find(const std::string& name) const;
  const std::string& name(ExtentNumber extent) const;
  // Whether it is an extent of an input, which the caller of the model chooses.
  bool is_of_input(ExtentNumber extent) const;
  // Whether a premise says that an extent is at least 1, or that two are equal, and nothing else.
  bool holds_of_equal_extents(int premise) const;
  // Whether both are one extent, maybe since the model calls both by one name, which is a premise.
  bool are_equal(ExtentNumber a, ExtentNumber b, Premises& premises);

  // The bound without its factor and offset: "x.shape[0]", "(x.shape[0] - 1) * x.shape[1]".
  std::string text_of(const ExtentBound& bound) const;

  // An extent of an inner value of the main graph that lies in [low, high] and does not follow from
  // known extents. It is named after the value; after kMostInner such names it has none.
  Dim name_inner(std::string_view value, std::size_t axis, std::int64_t low, std::int64_t high);

  // The extent as a value, which is at most `most`, and the positions on an axis of that extent.
  Interval extent_of(const Dim& dim, std::int64_t most = kLargest) const;
  Interval position_on(const Dim& dim) const;
  // The smallest and the largest number that a bound stands for.
  std::pair<std::int64_t, std::int64_t> numbers_of(const ExtentBound& bound) const;

  // Says that an inner extent is the product of two others, which is so by premises.
  void set_product(ExtentNumber inner, ExtentNumber a, ExtentNumber b, const Premises& premises);

  // Whether every value of the interval is less than the extent `dim`, or at least minus the
  // extent. A proof that needs two extents to be equal adds that premise.
  bool is_below(const Interval& interval, const Dim& dim, Premises& premises);
  bool is_at_least_minus(const Interval& interval, const Dim& dim, Premises& premises);

  // Narrows the interval to the integers in which arithmetic is exact, or to the smaller ones whose
  // multiples by `share` are such, if it lies in them or does so by a premise about the extents
  // that bound it. Else returns false.
  bool assume_exact(Interval& interval, Premises& premises, int share = 1);
  // Adds the premise that extents and positions on an axis are integers that the runtimes hold, if
  // the interval has larger ones.
  void assume_held(Interval& interval, Premises& premises);

  // Proves that the interval is at most `limit`, or at least minus `limit`, from the extent in its
  // upper or lower bound and the premise that no extent is larger than memory allows. Returns false
  // if the interval needs the premise and has no such bound, or if the premise does not suffice.
  bool assume_below(const Interval& interval, std::int64_t limit, Premises& premises);
  bool assume_above_minus(const Interval& interval, std::int64_t limit, Premises& premises);

  // The limit of a premise that no extent is larger than memory allows; nothing for others.
  std::optional<std::int64_t> limit_of_extents(int premise) const;

  // The premise with this text, alone; equal texts have the same number.
  Premises premise(const std::string& text);
  // The premise that the elements of an input lie in `range`, as the caller says.
  Premises assumption(const std::string& input, const Interval& range);
  // The premise that an extent is at least 1.
  Premises not_empty(ExtentNumber extent);
  // How a run whose inputs have these extents, by the extents' names, breaks the premise with this
  // text: "x.shape[0] is 0". Empty if it does not, or if they do not decide it.
  std::string broken_by(const std::string& text,
                        const std::map<std::string, std::int64_t, std::less<>>& given) const;
  // Those of the premises that assumption() made.
  Premises assumptions_among(const Premises& premises) const;
  const std::string& premise_text(int premise) const;

 private:
  struct Extent {
    std::string name;
    std::string declared_symbol;
    std::int64_t low;
    std::int64_t high;
    bool is_inner = false;
    std::optional<std::pair<ExtentNumber, ExtentNumber>> factors = std::nullopt;
    Premises factor_premises = {};
  };
  // What a premise about extents says: that `first` is at least 1, that it is equal to `second`,
  // or, without both, that no extent is above `most`.
  struct Condition {
    ExtentNumber first = -1;
    ExtentNumber second = -1;
    std::int64_t most = 0;
  };
  // The premise with this text, of which the condition is known.
  Premises premise(const std::string& text, const Condition& condition);
  const Extent& at(ExtentNumber extent) const { return extents_[static_cast<std::size_t>(extent)]; }
  std::int64_t least_of(const Dim& dim, ExtentNumber extent) const;
  // Whether the product of the two extents is that of the inner one.
  bool is_product(ExtentNumber inner, ExtentNumber a, ExtentNumber b, Premises& premises);
  // Whether the product is an extent of any value.
  bool is_any_product(ExtentNumber a, ExtentNumber b, Premises& premises);
  // Adds the premise that an extent of an input is at least 1.
  bool assume_not_empty(ExtentNumber extent, Premises& premises);
  // Adds the premise that bounds every extent by `limit` or less, if there is one.
  bool assume_small(std::int64_t limit, Premises& premises);
  static std::string small_extents_text(std::int64_t most);

  // The limits of the premises about memory, in falling order: what int32 holds, what leaves it
  // room for sums, and the same for the integers that float32 holds.
  static constexpr std::int64_t kSmallExtents[] = {
      std::numeric_limits<std::int32_t>::max(), std::int64_t{1} << 30, (std::int64_t{1} << 24) - 1,
      (std::int64_t{1} << 23) - 1};

  static constexpr std::size_t kMostInner = 65536;
  static constexpr std::size_t kMostProducts = 256;  // which are compared with one another

  const ArithmeticProfile* profile_;
  std::vector<Extent> extents_;
  std::vector<ExtentNumber> products_;
  std::size_t inner_count_ = 0;  // the number of extents that name_inner() made
  std::map<std::string, ExtentNumber, std::less<>> by_name_;
  std::vector<std::string> premises_;
  std::map<std::string, int, std::less<>> premise_numbers_;
  std::map<std::string, Condition, std::less<>> conditions_;  // by the premises' texts
  Premises assumptions_;                                      // ascending
};

// A node and what is known of its values.
struct NodeFacts {
  const NodePlace& place;
  const NodeOperator* op;                    // null if the library has no such operator
  std::span<const ValueFact* const> inputs;  // an omitted input has a fact that says nothing
  std::span<const ValueFact* const> outputs;
  Status no_operator = {};  // why `op` is null
  // The opsets that the model, or the function that holds the node, imports.
  const OpsetImports* opset_imports = nullptr;
};

// Copies of what is known of a node in each of several arithmetics, for the time after
// find_ranges(). The model and the inferred model must outlive the object.
class KeptNode {
 public:
  explicit KeptNode(std::span<const NodeFacts> facts);
  KeptNode(const KeptNode&) = delete;
  KeptNode& operator=(const KeptNode&) = delete;

  const std::string& path() const noexcept { return place_.path; }
  std::span<const NodeFacts> facts() const noexcept { return facts_; }

 private:
  std::span<const ValueFact* const> keep(std::span<const ValueFact* const> values);

  NodePlace place_;
  std::deque<ValueFact> values_;
  std::deque<std::vector<const ValueFact*>> lists_;
  std::vector<NodeFacts> facts_;
};

struct RangeOptions {
  InferOptions infer;
  // The intervals in which, as the caller says, the elements of inputs of the main graph lie. Each
  // is a premise.
  std::map<std::string, Interval, std::less<>> assumed = {};
  // Whether constants without elements may be values of a run, which no runtime misreads.
  bool has_given_values = false;
  // Is given what inference found, before the first node is visited. It owns the operators and the
  // imports of the nodes' facts. May be empty.
  std::function<void(const std::shared_ptr<const InferredModel>&)> take_inferred = {};
};

// Calls `visit` with every node, in the order of Model::visit_nodes, and with what is known of it
// in each of the arithmetics of `proofs`, in their order. Errors: those of Model::infer;
// kInvalidArgument (an assumption about something that is not an input of integers).
Status find_ranges(const Model& model, const RangeOptions& options,
                   std::span<Extents* const> proofs,
                   const std::function<void(std::span<const NodeFacts>)>& visit);
// The same in one arithmetic.
Status find_ranges(const Model& model, const RangeOptions& options, Extents& extents,
                   const std::function<void(const NodeFacts&)>& visit);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_RANGES_H_

#ifndef WINDROW_RANGES_RANGES_H_
#define WINDROW_RANGES_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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
  // Of integers and booleans, or of floats. Both empty: nothing is known, or the type has no order.
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
  // The input of the main graph whose elements these are, all or some, in any order and in a type
  // of integers that holds them, or in int32 or int64, which hold those that are indices; empty:
  // there is none.
  std::string source_input;
};

// The extents of the main graph's inputs that are not fixed, and the premises of proofs.
class Extents {
 public:
  // An extent of an input is never larger: it could not be given.
  static constexpr std::int64_t kLargest = std::int64_t{1} << 48;
  // The largest offset of a bound, of either sign: a larger one says nothing that a number does
  // not.
  static constexpr std::int64_t kLargestOffset = std::int64_t{1} << 32;

  ExtentNumber add(std::string name, std::string declared_symbol, std::int64_t low,
                   std::int64_t high);
  // The extent of this name; -1 if there is none.
  ExtentNumber find(const std::string& name) const;
  const std::string& name(ExtentNumber extent) const;
  // Whether an input has it, so that the caller of the model chooses it.
  bool is_of_input(ExtentNumber extent) const;

  // An extent of an inner value of the main graph that lies in [low, high] and follows from nothing
  // known, under the value's name. Without a name if there are very many.
  Dim name_inner(std::string_view value, std::size_t axis, std::int64_t low, std::int64_t high);

  // The extent as a value, and the positions on an axis of that extent.
  Interval extent_of(const Dim& dim) const;
  Interval position_on(const Dim& dim) const;
  // The least and the greatest number that a bound stands for.
  std::pair<std::int64_t, std::int64_t> numbers_of(const ExtentBound& bound) const;

  // Whether every value of the interval is below / at least minus (`with_wrap`) or zero of the
  // extent `dim`. A proof that needs two extents to be equal adds that premise.
  bool is_below(const Interval& interval, const Dim& dim, Premises& premises);
  bool is_at_least_minus(const Interval& interval, const Dim& dim, Premises& premises);

  // Takes for granted, as a premise, that the extent behind the upper bound, or behind the lower
  // one that counts from its end, is at most `limit`; false if there is none.
  bool assume_below(const Interval& interval, std::int64_t limit, Premises& premises);
  bool assume_above_minus(const Interval& interval, std::int64_t limit, Premises& premises);

  // The number of a premise; equal texts have one number.
  int premise(const std::string& text);
  const std::string& premise_text(int premise) const;

 private:
  struct Extent {
    std::string name;
    std::string declared_symbol;
    std::int64_t low;
    std::int64_t high;
    bool is_inner = false;
  };
  bool are_equal(ExtentNumber a, ExtentNumber b, Premises& premises);

  static constexpr std::size_t kMostInner = 65536;

  std::vector<Extent> extents_;
  std::size_t inner_count_ = 0;  // of those that name_inner() made
  std::map<std::string, ExtentNumber, std::less<>> by_name_;
  std::vector<std::string> premises_;
  std::map<std::string, int, std::less<>> premise_numbers_;
};

// Facts that are kept elsewhere.
class FactList {
 public:
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = ValueFact;
    using difference_type = std::ptrdiff_t;
    using pointer = const ValueFact*;
    using reference = const ValueFact&;
    Iterator() = default;
    explicit Iterator(const ValueFact* const* at) : at_(at) {}
    reference operator*() const { return **at_; }
    pointer operator->() const { return *at_; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) { return Iterator(at_++); }
    friend bool operator==(const Iterator&, const Iterator&) = default;

   private:
    const ValueFact* const* at_ = nullptr;
  };

  FactList(std::span<const ValueFact* const> facts) : facts_(facts) {}  // NOLINT: it is that list
  std::size_t size() const { return facts_.size(); }
  bool empty() const { return facts_.empty(); }
  const ValueFact& operator[](std::size_t position) const { return *facts_[position]; }
  Iterator begin() const { return Iterator(facts_.data()); }
  Iterator end() const { return Iterator(facts_.data() + facts_.size()); }

 private:
  std::span<const ValueFact* const> facts_;
};

// A node and what is known where it runs.
struct NodeFacts {
  const NodePlace& place;
  const NodeOperator* op;  // null: no operator of the library
  FactList inputs;         // an omitted one: nothing is known of it
  FactList outputs;
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

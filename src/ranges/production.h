#ifndef WINDROW_RANGES_PRODUCTION_H_
#define WINDROW_RANGES_PRODUCTION_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/ranges/value_range.h"

namespace windrow::internal {

// What is known of a node's inputs.
class ProductionInputs {
 public:
  ProductionInputs() = default;
  ProductionInputs(const ProductionInputs&) = delete;
  ProductionInputs& operator=(const ProductionInputs&) = delete;
  virtual ~ProductionInputs() = default;

  // The type and shape of an input; its range may not have been read yet. Nothing is known of an
  // omitted input.
  virtual const ValueFact& given(std::size_t input) = 0;
  // The same with the range, which is read now if the input is a constant.
  virtual const ValueFact& read(std::size_t input) = 0;
};

// One node, for which a producer fills in the type, shape and range of the outputs. Their premises
// follow from those of the inputs (take_outputs()).
class Production {
 public:
  // `version` is the operator's as its dialect counts, or 0 if it is unknown. All arguments must
  // outlive the object.
  Production(const ModelNode& node, std::string_view dialect, int version, ProductionInputs& inputs,
             Extents& extents)
      : node_(node), dialect_(dialect), version_(version), inputs_(inputs), extents_(extents) {
    outputs_.resize(node.outputs.size());
  }
  // Names new extents of outputs after the outputs from now on. For nodes of the main graph only:
  // values in bodies may have several shapes in a run.
  void name_extents() { names_extents_ = true; }

  const ModelNode& node() const { return node_; }
  int version() const { return version_; }
  bool is_openvino() const { return dialect_ == "openvino"; }
  const Extents& extents() const { return extents_; }

  std::size_t input_count() const { return node_.inputs.size(); }
  bool has(std::size_t input) const {
    return input < node_.inputs.size() && !node_.inputs[input].empty();
  }
  const ValueFact& given(std::size_t input) const;
  const ValueFact& input(std::size_t input);
  // An input on whose values the shape of the result depends, and thereby the ranges, too.
  const ValueFact& parameter(std::size_t input);
  // Says that the shape of the result depends on all that has been read so far, too.
  void shape_needs_premises() { shape_premises_ = united(shape_premises_, premises_); }
  // One interval for all elements of an input of integers.
  Interval integer(std::size_t input);

  // Attributes; `otherwise` if the node has none of that name and type. Numbers may be given as
  // text.
  std::int64_t attribute(std::string_view name, std::int64_t otherwise) const;
  std::optional<double> number(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  bool has_attribute(std::string_view name) const { return node_.attributes.contains(name); }
  std::optional<std::vector<std::int64_t>> list(std::string_view name) const;
  // A list that is an attribute in old versions and an input in new ones; nothing if its numbers
  // are not known. has_list() tells whether the node has one.
  std::optional<std::vector<std::int64_t>> list(std::string_view name, std::size_t input);
  bool has_list(std::string_view name, std::size_t input) const {
    return has_attribute(name) || has(input);
  }

  // An output to fill in. What is written to an omitted output is ignored.
  ValueFact& output(std::size_t position = 0);
  std::vector<ValueFact>& outputs() { return outputs_; }
  // The outputs with their premises. An output's type has those of the inputs that have this type.
  // Shapes have those of the shapes of all inputs and of the parameters. Ranges have those of the
  // inputs that the producer read, and of the shapes; but an interval for all elements of an
  // elementwise operator (`is_elementwise`) holds whatever the shapes are.
  std::vector<ValueFact> take_outputs(bool is_elementwise);
  // Marks the outputs' shapes as disputed if an input's is; their ranks, too, if they may depend on
  // extents of that input.
  void pass_disputes();

  // An extent of an output that lies in [low, high] and does not follow from known extents.
  Dim new_dim(std::size_t output, std::size_t axis, std::int64_t low, std::int64_t high);
  // An extent of the first output that is the product of two extents; unknown if they have no
  // names.
  Dim product_dim(std::size_t axis, const Dim& a, const Dim& b);
  // An extent of an output whose value lies in an interval.
  Dim dim_of(const Interval& value) const;
  // The intervals of the elements of an input of rank 1; nothing if their number is not known or
  // above kMaxRank.
  std::optional<std::vector<Interval>> elements_in(std::size_t input);
  // The shape whose extents are the elements of such an input.
  SymbolicShape dims_in(std::size_t input);
  // The shape that shapes of inputs have together, in which extents of one declared name are one
  // extent, by a premise on which the shapes of the outputs are based then.
  SymbolicShape broadcast_shape(std::initializer_list<const SymbolicShape*> shapes);
  // Whether every index of the interval lies on an axis; it may count from the end if `with_wrap`.
  bool lies_within(const Interval& index, const Dim& extent, bool with_wrap);
  // The axis of a shape that is given by an input of one number, counted from the front; nothing if
  // it is not known.
  std::optional<std::size_t> axis_in(std::size_t input, const SymbolicShape& dims);
  // Whether the interval lies in [-limit, limit], maybe under the premise that no extent is larger
  // than memory allows, which is added to `premises`.
  bool assume_within(const Interval& interval, std::int64_t limit, Premises& premises);
  // Adds the premise that an extent is at least 1.
  void assume_not_empty(ExtentNumber extent);
  // Whether a tensor of this shape has elements, maybe by premises that extents are at least 1, on
  // which the shapes of the outputs are based then.
  bool assume_elements(const SymbolicShape& dims);
  // Adds such premises about an input, or the one that the input has elements where extents have no
  // names. Returns false for an input that has none.
  bool assume_elements_of(std::size_t input);
  // An input whose integers fit in 32 bits, maybe by a premise; unchanged if they do not.
  ValueFact in_32_bits(std::size_t input);
  // The interval in a narrower integer type. If an extent of the model might exceed the type, adds
  // the premise that it does not.
  Interval narrowed(Interval interval, DType to);

  // The interval if the runtimes compute exactly with its integers, which may need a premise about
  // the extents that bound it; else nothing.
  std::optional<Interval> exact(Interval interval);
  // The interval that combine(x, y) gives of two such intervals, if its integers are exact, too:
  // by a premise about smaller extents if need be.
  std::optional<Interval> exact(
      const Interval& a, const Interval& b,
      const std::function<Interval(const Interval&, const Interval&)>& combine);
  // The interval, whose upper bound is an extent that fits in memory by a premise if it is one that
  // need not.
  Interval fitting(Interval interval);
  // The interval of values that are compared or chosen: exact, or as rounded to float32.
  Interval compared(const Interval& interval);

  const Premises& premises() const { return premises_; }

 private:
  // Says which extents of the outputs are products, which is so by the premises of their shapes.
  void say_products(const Premises& shapes);
  // Replaces extents of `later` by those of `first` of the same declared name.
  void name_alike(const SymbolicShape& first, SymbolicShape& later);
  void add_premises(const Premises& premises) { premises_ = united(premises_, premises); }

  const ModelNode& node_;
  std::string_view dialect_;
  int version_;
  ProductionInputs& inputs_;
  Extents& extents_;
  bool names_extents_ = false;
  struct Product {
    std::size_t axis;
    ExtentNumber made, a, b;
  };
  std::vector<Product> products_;  // extents of the first output
  std::vector<ValueFact> outputs_;
  ValueFact omitted_;
  Premises premises_;
  Premises shape_premises_;  // of the parameters
};

using Producer = void (*)(Production&);

enum class Order : std::uint8_t { kLess, kLessOrEqual, kEqual };

// A comparison of two operands that holds where the first stands in that order to the second.
struct Comparison {
  Order order;
  bool is_swapped = false;  // the second operand comes first
  bool is_negated = false;
};

// An operator of a dialect, and the first version of which a row holds.
struct OperatorSince {
  std::string_view name = {};  // empty: the row has no operator of the dialect
  int version = 1;
};

// Gives an output of which only the type and the shape are known.
inline void give(Production& p, DType type, SymbolicShape dims, std::size_t output = 0) {
  p.output(output).dtype = type;
  p.output(output).dims = std::move(dims);
}

// The producer of an operator, with the operator's name in each dialect.
struct ProducerRow {
  OperatorSince onnx = {};
  OperatorSince openvino = {};
  Producer produce;
  // Whether each element of the output depends only on the elements of the broadcast inputs at the
  // same position.
  bool is_elementwise = false;
  const Comparison* comparison = nullptr;  // null: the operator is not a comparison
  OperatorSince tensorrt = {};
};

// The row of an operator in the dialect's own domain; null if there is none.
const ProducerRow* find_producer(std::string_view dialect, std::string_view name, int version);

// The rows, each family from a file of its own.
std::span<const ProducerRow> arithmetic_producers();
std::span<const ProducerRow> conversion_producers();
std::span<const ProducerRow> comparison_producers();
std::span<const ProducerRow> reduction_producers();
std::span<const ProducerRow> index_producers();
std::span<const ProducerRow> movement_producers();
std::span<const ProducerRow> slice_producers();
std::span<const ProducerRow> selection_producers();
std::span<const ProducerRow> shape_producers();

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_PRODUCTION_H_

#ifndef WINDROW_RANGES_PRODUCTION_H_
#define WINDROW_RANGES_PRODUCTION_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

  // Type and shape; the range may not have been read yet. An omitted input: nothing is known.
  virtual const ValueFact& given(std::size_t input) = 0;
  // With the range of a constant, too.
  virtual const ValueFact& read(std::size_t input) = 0;
};

// One node for which a producer fills in what is known of the outputs: type, shape and range. The
// premises of all inputs whose ranges it reads are those of the ranges that it gives.
class Production {
 public:
  // `version`: of the operator as its dialect counts; 0: unknown. All must stay.
  Production(const ModelNode& node, std::string_view dialect, int version, ProductionInputs& inputs,
             Extents& extents)
      : node_(node), dialect_(dialect), version_(version), inputs_(inputs), extents_(extents) {
    outputs_.resize(node.outputs.size());
  }
  // New extents of outputs get the outputs' names from now on. Only for values that have one shape
  // in a run: those of the main graph.
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
  // An input on whose values the shape of the result depends: what holds of it under premises only
  // is not known, since shapes have none.
  const ValueFact& parameter(std::size_t input);
  // What all elements of an input of integers have in common.
  Interval integer(std::size_t input);

  // Attributes, of numbers also as text. Absent or of another type: `otherwise`.
  std::int64_t attribute(std::string_view name, std::int64_t otherwise) const;
  std::optional<double> number(std::string_view name) const;
  bool flag(std::string_view name, bool otherwise) const;
  std::string text(std::string_view name, std::string_view otherwise) const;
  bool has_attribute(std::string_view name) const { return node_.attributes.contains(name); }
  std::optional<std::vector<std::int64_t>> list(std::string_view name) const;
  // A list that is an attribute in old versions and an input in new ones; nothing if its numbers
  // are not known. Ask has_list() whether there is one.
  std::optional<std::vector<std::int64_t>> list(std::string_view name, std::size_t input);
  bool has_list(std::string_view name, std::size_t input) const {
    return has_attribute(name) || has(input);
  }

  // An output; one that the node omits is written for nobody.
  ValueFact& output(std::size_t position = 0);
  std::vector<ValueFact>& outputs() { return outputs_; }

  // An extent of an output that follows from nothing known, in [low, high].
  Dim new_dim(std::size_t output, std::size_t axis, std::int64_t low, std::int64_t high);
  // An extent of an output that is the value of an interval.
  Dim dim_of(const Interval& value) const;
  // The shape that an input says, element by element: of rank 1, with that many axes.
  SymbolicShape dims_in(std::size_t input);
  // Whether every index of the interval lies on an axis; it may count from the end if `with_wrap`.
  bool lies_within(const Interval& index, const Dim& extent, bool with_wrap);
  // Takes for granted, as a premise, that an extent is at least 1.
  void assume_not_empty(ExtentNumber extent);
  // The interval in an integer type that is not as wide: an extent of the model exceeds it in
  // theory only, and that it does not is a premise.
  Interval narrowed(Interval interval, DType to);

  const Premises& premises() const { return premises_; }

 private:
  void add_premises(const Premises& premises);

  const ModelNode& node_;
  std::string_view dialect_;
  int version_;
  ProductionInputs& inputs_;
  Extents& extents_;
  bool names_extents_ = false;
  std::vector<ValueFact> outputs_;
  ValueFact omitted_;
  Premises premises_;
  std::map<std::size_t, ValueFact> unknown_parameters_;
};

using Producer = void (*)(Production&);

// What follows for the outputs of an operator.
struct ProducerRow {
  std::string_view dialect;
  std::string_view name;
  int since;  // the first version of which it holds
  Producer produce;
  // Whether each element of the output depends on the elements of the inputs at its own place
  // alone, where inputs are broadcast.
  bool is_elementwise = false;
};

// The row for an operator of ai.onnx or OpenVINO; null if there is none.
const ProducerRow* find_producer(std::string_view dialect, std::string_view name, int version);

// The rows by family.
std::span<const ProducerRow> arithmetic_producers();
std::span<const ProducerRow> conversion_producers();
std::span<const ProducerRow> comparison_producers();
std::span<const ProducerRow> reduction_producers();
std::span<const ProducerRow> index_producers();
std::span<const ProducerRow> movement_producers();
std::span<const ProducerRow> slice_producers();
std::span<const ProducerRow> selection_producers();

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_PRODUCTION_H_

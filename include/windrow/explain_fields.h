#ifndef WINDROW_EXPLAIN_FIELDS_H_
#define WINDROW_EXPLAIN_FIELDS_H_

#include "windrow/explain.h"

// visit_fields(value, visit) calls visit(name, member) for every member of the results of
// windrow::explain() and windrow::compare(), in their order, for tools that show or store them. The
// names are those of the members, except for "operator"; a write has the members of its point.
namespace windrow {

template <class Visit>
void visit_fields(const ExplainedTensor& tensor, Visit&& visit) {
  visit("name", tensor.name);
  visit("dtype", tensor.dtype);
  visit("shape", tensor.shape);
  visit("has_values", tensor.has_values);
  visit("values", tensor.values);
}

template <class Visit>
void visit_fields(const TensorAxis& axis, Visit&& visit) {
  visit("tensor", axis.tensor);
  visit("axis", axis.axis);
}

template <class Visit>
void visit_fields(const ExplainedAxis& axis, Visit&& visit) {
  visit("name", axis.name);
  visit("extent", axis.extent);
  visit("origin", axis_origin_name(axis.origin));
  visit("walks", axis.walks);
  visit("sentence", axis.sentence);
}

template <class Visit>
void visit_fields(const ExplainedOutputAxis& axis, Visit&& visit) {
  visit("extent", axis.extent);
  visit("loops", axis.loops);
  visit("sentence", axis.sentence);
}

template <class Visit>
void visit_fields(const IndexRead& read, Visit&& visit) {
  visit("input", read.input);
  visit("position", read.position);
  visit("stored", read.stored);
  visit("counted", read.counted);
  visit("negative", read.negative);
  visit("legal", read.legal);
  visit("padding", read.padding);
}

template <class Visit>
void visit_fields(const CounterTerm& counter, Visit&& visit) {
  visit("loop", counter.loop);
  visit("coefficient", counter.coefficient);
}

template <class Visit>
void visit_fields(const ExplainedCoordinate& coordinate, Visit&& visit) {
  visit("extent", coordinate.extent);
  visit("base", coordinate.base);
  visit("counters", coordinate.counters);
  visit("indices", coordinate.indices);
  visit("sum", coordinate.sum);
  visit("placing", placing_name(coordinate.placing));
  visit("value", coordinate.value);
}

template <class Visit>
void visit_fields(const ExplainedPoint& point, Visit&& visit) {
  visit("number", point.number);
  visit("counters", point.counters);
  visit("direct", point.direct);
  visit("coordinates", point.coordinates);
  visit("cell", point.cell);
  visit("value", point.value);
  visit("code", point.code);
  visit("zero_point", point.zero_point);
  visit("scale", point.scale);
}

template <class Visit>
void visit_fields(const ExplainedWrite& write, Visit&& visit) {
  visit_fields(write.point, visit);
  visit("before", write.before);
  visit("after", write.after);
  visit("earlier", write.earlier);
  visit("later", write.later);
}

template <class Visit>
void visit_fields(const ExplainedCell& cell, Visit&& visit) {
  visit("cell", cell.cell);
  visit("writes", cell.writes);
  visit("initial", cell.initial);
  visit("result", cell.result);
}

template <class Visit>
void visit_fields(const Explanation& explanation, Visit&& visit) {
  visit("operator", explanation.operator_name);
  visit("attributes", explanation.attributes);
  visit("scatter", explanation.scatter);
  visit("inputs", explanation.inputs);
  visit("output", explanation.output);
  visit("indirect_input", explanation.indirect_input);
  visit("updates_input", explanation.updates_input);
  visit("weights_input", explanation.weights_input);
  visit("counted_data", explanation.counted_data);
  visit("equation", explanation.equation);
  visit("axes", explanation.axes);
  visit("output_axes", explanation.output_axes);
  visit("numpy", explanation.numpy);
  visit("folds", explanation.folds);
  visit("refuses_duplicates", explanation.refuses_duplicates);
  visit("initial", explanation.initial);
  visit("points", explanation.points);
  visit("searched", explanation.searched);
  visit("illegal", explanation.illegal);
  visit("failure", explanation.failure);
  visit("walks", explanation.walks);
  visit("writes", explanation.writes);
  visit("cells", explanation.cells);
}

template <class Visit>
void visit_fields(const Parting& parting, Visit&& visit) {
  visit("element", parting.element);
  visit("first", parting.first);
  visit("second", parting.second);
  visit("first_reason", parting.first_reason);
  visit("second_reason", parting.second_reason);
}

template <class Visit>
void visit_fields(const Comparison& comparison, Visit&& visit) {
  visit("first", comparison.first);
  visit("second", comparison.second);
  visit("shapes", comparison.shapes);
  visit("first_failure", comparison.first_failure);
  visit("second_failure", comparison.second_failure);
  visit("elements", comparison.elements);
  visit("compared", comparison.compared);
  visit("parting", comparison.parting);
  visit("partings", comparison.partings);
}

}  // namespace windrow

#endif  // WINDROW_EXPLAIN_FIELDS_H_

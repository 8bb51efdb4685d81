#include "windrow/explain.h"

namespace windrow {
namespace {

constexpr std::int64_t kMostCompared = std::int64_t{1} << 16;

// Explains the other call, without the chosen elements if its output does not have them.
Result<Explanation> explain_other(const TranslatedCall& call, const CallOptions& call_options,
                                  ExplainOptions options) {
  Result<Explanation> explanation =
      explain(call.id, call.attributes, call.inputs, call_options, options);
  if (explanation || options.elements.empty()) return explanation;
  options.elements.clear();
  return explain(call.id, call.attributes, call.inputs, call_options, options);
}

}  // namespace

Result<Comparison> compare_operators(const OperatorId& id, const Attributes& attributes,
                                     std::span<const TensorView> inputs, const OperatorId& other,
                                     const Attributes& chosen, const CallOptions& call_options,
                                     const ExplainOptions& options, std::int64_t most) {
  const Result<TranslatedCall> call = translate_call(id, attributes, inputs, other, chosen);
  if (!call) return call.error();
  ExplainOptions all;
  all.elements = options.elements;
  all.most_points = all.most_values = all.most_searched = kMostCompared;
  const Result<Explanation> first = explain(id, attributes, inputs, call_options, all);
  if (!first) return first.error();
  const Result<Explanation> second = explain_other(*call, call_options, all);
  if (!second) return second.error();
  return compare(*first, *second, most);
}

}  // namespace windrow

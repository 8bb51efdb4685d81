#ifndef WINDROW_PORTABILITY_JUDGES_H_
#define WINDROW_PORTABILITY_JUDGES_H_

#include <optional>
#include <string>
#include <vector>

#include "src/portability/targets.h"

// The functions of the rules, by what they examine. The condition of each is the sentence of its
// rules; a function is only called for the families in its rule's row.
namespace windrow::internal {

#define WINDROW_JUDGE(name) std::optional<Judgement> judge_##name(const NodeView& node)

// judge_index_range.cc: what indices address.
WINDROW_JUDGE(index_range);
WINDROW_JUDGE(short_index_range);
WINDROW_JUDGE(negative_index);
WINDROW_JUDGE(negative_in_old_gather);
WINDROW_JUDGE(negative_in_old_version);
WINDROW_JUDGE(negative_in_old_one_hot);
WINDROW_JUDGE(negative_on_dynamic_axis);
WINDROW_JUDGE(negative_after_slice);
WINDROW_JUDGE(wide_index);
WINDROW_JUDGE(cache_position);
WINDROW_JUDGE(foreign_index);

// judge_range_indices.cc: indices that a Range counts.
WINDROW_JUDGE(range_indices);

// judge_duplicates.cc: cells with several updates.
WINDROW_JUDGE(duplicates);
WINDROW_JUDGE(reduced_duplicates);
WINDROW_JUDGE(float_sums);

// judge_values.cc: elements of data and updates.
WINDROW_JUDGE(nan);
WINDROW_JUDGE(both_zeros);
WINDROW_JUDGE(wide_data);

// judge_types.cc: element types. The functions return nothing where a type is not known.
WINDROW_JUDGE(complex);
WINDROW_JUDGE(text);
WINDROW_JUDGE(tensorrt_type);
WINDROW_JUDGE(copied_type);
WINDROW_JUDGE(float64);
WINDROW_JUDGE(odd_bits);
WINDROW_JUDGE(text_slices);
WINDROW_JUDGE(index_type);
WINDROW_JUDGE(int64_indices);
WINDROW_JUDGE(float_indices);
WINDROW_JUDGE(half_reduction);
WINDROW_JUDGE(half_sums);
WINDROW_JUDGE(boolean_extremes);
WINDROW_JUDGE(text_reduction);
WINDROW_JUDGE(integer_mean);
WINDROW_JUDGE(integer_reduction);

// judge_shapes.cc: ranks and extents.
WINDROW_JUDGE(rank);
WINDROW_JUDGE(volume);
WINDROW_JUDGE(longer_indices);
WINDROW_JUDGE(longer_off_axis);
WINDROW_JUDGE(smaller_off_axis);
WINDROW_JUDGE(smaller_in_reduction);
WINDROW_JUDGE(empty_tuples);
WINDROW_JUDGE(tuple_length);
WINDROW_JUDGE(unequal_batch);
WINDROW_JUDGE(batch_of_one);
WINDROW_JUDGE(empty_input);
WINDROW_JUDGE(empty_input_that_is_moved);
WINDROW_JUDGE(empty_axis);
WINDROW_JUDGE(scalar_indices);
WINDROW_JUDGE(single_element);
WINDROW_JUDGE(cache_length);
WINDROW_JUDGE(many_updates);

// judge_forms.cc: operators, their versions and attributes.
WINDROW_JUDGE(needless_reduction);
WINDROW_JUDGE(reduction);
WINDROW_JUDGE(unknown_reduction);
WINDROW_JUDGE(reduction_of_opset_16);
WINDROW_JUDGE(reduction_of_opset_18);
WINDROW_JUDGE(own_reduction);
WINDROW_JUDGE(ignored_init_value);
WINDROW_JUDGE(boolean_sub);
WINDROW_JUDGE(axis_input);
WINDROW_JUDGE(narrow_axis);
WINDROW_JUDGE(fused_batch);
WINDROW_JUDGE(deprecated);
WINDROW_JUDGE(old_scatter);
WINDROW_JUDGE(operator);
WINDROW_JUDGE(cache_limits);
WINDROW_JUDGE(zero_depth);
WINDROW_JUDGE(new_one_hot);

// judge_segments.cc: bags, segments and slices of OpenVINO.
WINDROW_JUDGE(falling);
WINDROW_JUDGE(slices_of_a_run);
WINDROW_JUDGE(narrow_slices);

// judge_quantised.cc: the forms of look-ups in quantised tables.
WINDROW_JUDGE(bfloat16_scales);
WINDROW_JUDGE(quantised_form);
WINDROW_JUDGE(partial_block);
WINDROW_JUDGE(default_zero);

// judge_providers.cc: what execution providers of ONNX Runtime take.
WINDROW_JUDGE(batch_dims);
WINDROW_JUDGE(variable_indices);
WINDROW_JUDGE(coreml_gather_type);
WINDROW_JUDGE(coreml_gather_nd_type);
WINDROW_JUDGE(boolean_data);
WINDROW_JUDGE(gathered_rank);

#undef WINDROW_JUDGE

// The rows of the rules, a file for each part, and the functions and texts that the rows share.

// An effect that was observed in the installed release of a runtime such as "onnxruntime:cpu".
RuleEffect ran(const char* runtime, Severity severity, const char* effect);
// An effect that is documented in `source`. Versions as in RuleEffect.
RuleEffect read(const char* runtime, Severity severity, const char* effect, const char* source,
                const char* since = "", const char* until = "");

// rules_of_indices.cc, rules_of_updates.cc, rules_of_reductions.cc, rules_of_types.cc,
// rules_of_shapes.cc, rules_of_forms.cc
std::vector<RuleRow> rules_of_indices();
std::vector<RuleRow> rules_of_updates();
std::vector<RuleRow> rules_of_reductions();
std::vector<RuleRow> rules_of_types();
std::vector<RuleRow> rules_of_shapes();
std::vector<RuleRow> rules_of_forms();
// rules_of_indexing_operators.cc: operators that the library does not compute.
std::vector<RuleRow> rules_of_indexing_operators();
// rules_of_segments.cc: OpenVINO's bags, beams, segments and slices.
std::vector<RuleRow> rules_of_segments();
// rules_of_providers.cc: what execution providers of ONNX Runtime take.
std::vector<RuleRow> rules_of_providers();
// Rules about runs of hosts, in rules_of_forms.cc, which have no function and no effects.
std::vector<RuleRow> rules_of_runs();

// Effects that several rules have, and sources that several effects name.
inline constexpr const char* kError = "ends the run with an error";
inline constexpr const char* kRefuses = "refuses the model";
inline constexpr const char* kNoOperator = "refuses the model: it has no such operator";
inline constexpr const char* kNoComplexTypes = "refuses the model: it has no complex types";
inline constexpr const char* kOnnxruntimeOpsets =
    "https://onnxruntime.ai/docs/reference/compatibility.html";
inline constexpr const char* kOnnxruntime25251 =
    "https://github.com/microsoft/onnxruntime/issues/25251";
inline constexpr const char* kGatherLayer = "NvInfer.h 10.3, IGatherLayer";
inline constexpr const char* kScatterLayer = "NvInfer.h 10.3, IScatterLayer";
inline constexpr const char* kTensorrtOperators =
    "https://github.com/onnx/onnx-tensorrt/blob/main/docs/operators.md";
inline constexpr const char* kScatterPlugin =
    "https://github.com/NVIDIA/TensorRT/tree/main/plugin/scatterElementsPlugin";

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_JUDGES_H_

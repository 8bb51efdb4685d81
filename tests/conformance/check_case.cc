#include "tests/conformance/check_case.h"

#include <memory>

#include "src/threads/worker_pool.h"
#include "tests/support/kernel_sets.h"
#include "tests/support/strided_buffer.h"
#include "tests/support/writes_into_data.h"

namespace windrow::tests {
namespace {

// The expected error code of a record's error_kind.
bool code_fits(const std::string& kind, ErrorCode code) {
  if (kind == "index") return code == ErrorCode::kIndexOutOfRange;
  if (kind == "shape") return code == ErrorCode::kShape || code == ErrorCode::kInvalidArgument;
  if (kind == "type") return code == ErrorCode::kType;
  if (kind == "argument") return code == ErrorCode::kInvalidArgument;
  if (kind == "duplicate") return code == ErrorCode::kDuplicate;
  return kind.empty();
}

bool same_fault(const IndexFault& a, const IndexFault& b) {
  return a.input == b.input && a.position == b.position && a.value_text == b.value_text &&
         a.axis == b.axis && a.extent == b.extent && a.count == b.count;
}

// Whether an error of an operator is one line, which begins with its name, the label, and `text`.
std::string message_difference(const OperatorInfo& row, const Status& error,
                               const std::string& text) {
  const std::string name = row.dialect + "." + row.name + "-" + std::to_string(row.since_version);
  const std::string start = name + " [" + error.constraint() + "]: " + text;
  const bool fits = error.message().starts_with(start) && error.operator_name() == name &&
                    error.message().find('\n') == std::string::npos;
  return fits ? "" : "says: " + error.message() + "; expected: " + start;
}

// How an outcome deviates from the record; empty if it does not.
std::string compare_with_record(const CaseRecord& record, const OperatorInfo& row,
                                const Result<Tensor>& outcome) {
  if (!record.is_error)
    return outcome.ok() ? first_difference(record.output, *outcome, record.closeness)
                        : "fails: " + outcome.error().message();
  if (outcome.ok()) return "succeeds, an error is expected";
  const Status error = outcome.error();
  if (!code_fits(record.error_kind, error.code()))
    return "fails for another reason than " + record.error_kind + ": " + error.message();
  if (!record.constraint.empty() && record.constraint != error.constraint())
    return "breaks [" + error.constraint() + "], expected [" + record.constraint +
           "]: " + error.message();
  const IndexFault* fault = error.index_fault();
  if (record.fault && (fault == nullptr || !same_fault(*record.fault, *fault)))
    return "names another bad index than expected: " + error.message();
  if ((fault != nullptr) != (error.code() == ErrorCode::kIndexOutOfRange))
    return "has a fault without a bad index, or none with one: " + error.message();
  return message_difference(row, error, "");
}

// The record's operator at one version, and what the reference says of the call.
struct Expected {
  const CaseRecord& record;
  OperatorId id;
  OperatorInfo row;
  Result<Tensor> reference;
};

// The reference says some things in other words: the record's are those of compile() and call().
std::string compare_outcomes(const Expected& expected, const Result<Tensor>& outcome) {
  const Result<Tensor>& reference = expected.reference;
  if (reference.ok() != outcome.ok())
    return outcome.ok() ? "succeeds, the reference fails" : "fails, the reference does not";
  if (reference.ok()) return first_bit_difference(*reference, *outcome);
  std::string difference = error_difference(reference.error(), outcome.error());
  if (!difference.empty()) return difference;
  return message_difference(expected.row, outcome.error(), expected.record.message);
}

// The memory of one way to run a record.
struct Placement {
  const char* name;
  std::vector<std::unique_ptr<StridedBuffer>> buffers;  // null: absent

  std::vector<TensorView> views() const {
    std::vector<TensorView> views;
    for (const auto& buffer : buffers) views.push_back(buffer ? buffer->view() : TensorView());
    return views;
  }
};

Layout padded(int rank) {
  Layout layout = dense_layout(rank);
  layout.gap_bytes = 3;
  for (Layout::Axis& axis : layout.axes) axis.gap = 1;
  layout.base = 1;
  return layout;
}

Layout reversed(int rank) {
  Layout layout = dense_layout(rank);
  for (Layout::Axis& axis : layout.axes) axis.reversed = true;
  return layout;
}

Layout transposed(int rank) {
  Layout layout = dense_layout(rank);
  std::reverse(layout.axes.begin(), layout.axes.end());
  return layout;
}

Placement place(const char* name, const CaseRecord& record, Layout (*layout)(int)) {
  Placement placement{name, {}};
  for (const Tensor& input : record.inputs)
    placement.buffers.push_back(
        input.is_absent() ? nullptr
                          : std::make_unique<StridedBuffer>(input, layout(input.shape().rank())));
  return placement;
}

std::string describe_run(const std::string& kernels, const Threads* threads, const char* memory) {
  return kernels + (threads == nullptr ? ", serial, " : ", threaded, ") + memory + ": ";
}

// Runs the record on one placement, in place where `in_place` says so.
Result<Tensor> run_plan(const Plan& plan, Placement& placement, bool in_place,
                        const RunOptions& run) {
  const std::vector<TensorView> views = placement.views();
  if (!in_place) return plan.run(views, run);
  StridedBuffer& cache = *placement.buffers[0];
  Tensor before = Tensor::copy_of(cache.view()).value();
  const Status status = plan.run(views, cache.mutable_view(), run);
  if (!cache.guards_intact())
    return Status(ErrorCode::kInternal, "bytes outside the tensor were written");
  if (status.ok()) return Tensor::copy_of(cache.view());
  const std::string change = first_bit_difference(before, cache.view());
  if (change.empty()) return status;
  return Status(ErrorCode::kInternal, "memory changed in spite of an error: " + change);
}

// How a plan is made and run on a placement.
struct Way {
  bool in_place = false;
  bool compiled_for_dense = false;  // the run's strides are news to the plan
};

constexpr Way kWays[] = {{false, false}, {false, true}, {true, false}, {true, true}};

// What compile takes: with the values that the plan depends on.
std::vector<TensorSpec> make_specs(const OperatorId& id, const std::vector<TensorView>& views,
                                   bool for_dense) {
  std::vector<TensorSpec> specs = specs_of(id, views).value();
  if (for_dense)
    for (TensorSpec& spec : specs) spec.strides.reset();
  return specs;
}

std::string check_placement(const Expected& expected, const CallOptions& options,
                            Placement placement, Way way, Threads* threads) {
  const std::vector<TensorSpec> specs =
      make_specs(expected.id, placement.views(), way.compiled_for_dense);
  RunOptions run;
  run.threads = threads;
  const Result<Plan> plan = compile(expected.id, expected.record.attributes, specs, options);
  const Result<Tensor> outcome =
      plan.ok() ? run_plan(*plan, placement, way.in_place, run) : Result<Tensor>(plan.error());
  std::string difference = compare_outcomes(expected, outcome);
  if (difference.empty()) return difference;
  return describe_run(options.kernels, threads, placement.name) +
         (way.in_place ? "in place, " : "") +
         (way.compiled_for_dense ? "compiled for dense inputs: " : "") + difference;
}

std::string check_kernel_set(const Expected& expected, const CallOptions& options,
                             Threads* threads) {
  const CaseRecord& record = expected.record;
  RunOptions run;
  run.threads = threads;
  const Result<Tensor> outcome = call(expected.id, record.attributes, record.views(), options, run);
  std::string difference = compare_outcomes(expected, outcome);
  if (!difference.empty()) return describe_run(options.kernels, threads, "call") + difference;
  struct {
    const char* name;
    Layout (*layout)(int);
  } const placements[] = {{"dense", dense_layout},
                          {"padded", padded},
                          {"reversed", reversed},
                          {"transposed", transposed}};
  for (const auto& [name, layout] : placements) {
    for (const Way way : kWays) {
      if (way.in_place && !writes_into_data(expected.row)) continue;
      difference = check_placement(expected, options, place(name, record, layout), way, threads);
      if (!difference.empty()) return difference;
    }
  }
  return {};
}

}  // namespace

std::string check_case(const CaseRecord& record, std::optional<int> version) {
  static const std::unique_ptr<Threads> two = internal::make_worker_pool(2);
  const OperatorId id{record.dialect, record.op, version};
  const Result<OperatorInfo> info = find_operator(id);
  const Expected expected{record, id, info.ok() ? *info : OperatorInfo(),
                          call_reference(id, record.attributes, record.views(), record.options)};
  std::string difference = compare_with_record(record, expected.row, expected.reference);
  if (!difference.empty()) return "reference: " + difference;
  for (const std::string& set : supported_kernel_sets()) {
    const struct {
      std::string kernels;
      Threads* threads;
    } runs[] = {{set, nullptr}, {set + kEveryLever, two.get()}, {set + kNoLever, two.get()}};
    for (const auto& [kernels, threads] : runs) {
      CallOptions options = record.options;
      options.kernels = kernels;
      difference = check_kernel_set(expected, options, threads);
      if (!difference.empty()) return difference;
    }
  }
  return {};
}

}  // namespace windrow::tests

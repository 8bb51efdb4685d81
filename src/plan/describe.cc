#include <charconv>
#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "src/plan/lower.h"
#include "windrow/plan_description.h"

namespace windrow::internal {
namespace {

std::vector<std::int64_t> extents_of(const LoopNest& nest) {
  std::vector<std::int64_t> extents;
  for (const NestLoop& loop : nest) extents.push_back(loop.extent);
  return extents;
}

NegativeIndex negative_of(const AddressTerm& term, const AddressAxis& axis) {
  if (term.wraps) return NegativeIndex::kFromEnd;
  const bool refused = axis.policy != OutOfRange::kError && term.legal && term.legal->low >= 0;
  return refused ? NegativeIndex::kError : NegativeIndex::kOutOfRange;
}

DescribedAxis describe_axis(const AddressAxis& axis) {
  DescribedAxis result{axis.extent, axis.policy, {}, axis.fused};
  for (const AddressTerm& term : axis.terms)
    result.indices.push_back({term.given, negative_of(term, axis), term.padding});
  return result;
}

void describe_writes(const LoweredPlan& plan, PlanDescription& description) {
  if (!plan.scatter) {
    description.streams = plan.stream;
  } else if (find_way<Pieces>(plan.ways) == nullptr &&
             plan.stream_start_from != std::numeric_limits<std::int64_t>::max()) {
    description.stream_from = plan.stream_start_from;
    description.stream_ascending_from = plan.stream_sorted_start_from;
  }
}

// The bytes of the index tensors that the points read, each counted once.
double index_bytes(const LoweredPlan& plan) {
  double bytes = 0;
  for (const AddressAxis& axis : plan.axes) {
    for (const AddressTerm& term : axis.terms) {
      auto elements = static_cast<double>(term.element_bytes);
      for (const NestLoop& loop : plan.addressed)
        if (loop.strides[term.track] != 0) elements *= static_cast<double>(loop.extent);
      bytes += elements;
    }
  }
  return bytes;
}

}  // namespace

std::string kernel_name(const LoweredPlan& plan) {
  if (plan.kernel == Kernel::kCount) return "strings";
  return std::string(kKernelRows[static_cast<std::size_t>(plan.kernel)].name);
}

void describe(const LoweredPlan& plan, PlanDescription& description) {
  description.empty = plan.points == 0;
  if (description.empty) return;
  description.shared_loops = extents_of(plan.shared);
  description.loops = extents_of(plan.addressed);
  description.loops_as_one = plan.flat ? static_cast<std::int64_t>(plan.flat->loops) : 0;
  description.row_bytes = plan.row_bytes;
  for (const AddressAxis& axis : plan.axes) description.index_axes.push_back(describe_axis(axis));
  description.offset_bits = plan.wide_offsets ? 64 : 32;
  description.offset_unit = plan.unit;
  description.kernel = kernel_name(plan);
  description.prefetch_rows = plan.ahead;
  description.prefetches_direct = plan.fetch_direct;
  describe_writes(plan, description);
  description.moved_bytes = static_cast<std::int64_t>(static_cast<double>(plan.shared_points) *
                                                      static_cast<double>(plan.points) *
                                                      static_cast<double>(plan.row_bytes));
  description.index_bytes = static_cast<std::int64_t>(index_bytes(plan));
}

}  // namespace windrow::internal

namespace windrow {
namespace {

std::string nest_text(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

std::string bytes_text(std::int64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string loops_line(const PlanDescription& plan) {
  std::string text = "loops: ";
  if (plan.loops.empty()) return text + "none, one row\n";
  text += nest_text(plan.loops) + ", around a row";
  if (plan.loops_as_one > 0)
    text += "; the innermost " + std::to_string(plan.loops_as_one) + " run as one";
  else if (plan.tile)
    text += "; the innermost in tiles of " + std::to_string(*plan.tile) + ", which take " +
            bytes_text(*plan.tile_bytes) + " of scratch memory";
  return text + "\n";
}

std::string_view negative_text(NegativeIndex negative) {
  if (negative == NegativeIndex::kFromEnd) return ", negative ones count from the end";
  return negative == NegativeIndex::kError ? ", negative ones are errors" : "";
}

std::string indices_line(const DescribedAxis& axis) {
  std::string text = "indices: ";
  for (const DescribedIndex& index : axis.indices)
    text += (&index == axis.indices.data() ? "" : " plus ") + std::string(dtype_name(index.dtype)) +
            std::string(negative_text(index.negative)) +
            (index.padding ? ", " + std::to_string(*index.padding) + " is padding" : "");
  return text + ", for an axis of extent " + std::to_string(axis.extent) +
         "; out of range: " + std::string(out_of_range_name(axis.out_of_range)) + "; checked " +
         (axis.one_pass ? "in one pass" : "one by one") + "\n";
}

std::string kernel_line(const PlanDescription& plan) {
  return "kernel: " + plan.kernel +
         (plan.straight ? ", or straight from the indices, without offsets" : "") +
         (plan.gather_instructions ? ", with gather instructions if the kernel set has them" : "") +
         "\n";
}

std::string prefetch_line(const PlanDescription& plan) {
  return "prefetch: " +
         (plan.prefetch_rows > 0 ? std::to_string(plan.prefetch_rows) + " rows ahead" : "none") +
         (plan.prefetches_direct ? ", the direct side too" : "") + "\n";
}

std::string stores_line(const PlanDescription& plan) {
  if (plan.starts_with.empty())
    return std::string("stores: ") + (plan.streams ? "non-temporal" : "ordinary") + "\n";
  const std::string text = "copy of the data: ";
  if (plan.piece_bytes)
    return text + "in pieces, each just before its updates; " + bytes_text(*plan.piece_bytes) +
           " belong to each point of the first loop\n";
  if (!plan.stream_from) return text + "ordinary stores\n";
  return text + "non-temporal stores for outputs of " + bytes_text(*plan.stream_from) +
         " or more, of " + bytes_text(*plan.stream_ascending_from) +
         " or more if the cells ascend\n";
}

std::string threads_line(const PlanDescription& plan) {
  if (plan.thread_share.empty()) return "threads: 1\n";
  const std::string count =
      plan.most_threads ? "at most " + std::to_string(*plan.most_threads) : "all";
  return "threads: " + count + ", " + plan.thread_share + "\n";
}

std::string start_lines(const PlanDescription& plan) {
  std::string text;
  if (plan.starts_with == "data")
    text += "start: a copy of the data, which is not made in place\n";
  else if (!plan.starts_with.empty())
    text += "start: one value everywhere\n";
  if (plan.writes_neutral)
    text += "start: then the neutral value in every cell that an update reaches\n";
  return text;
}

std::string microseconds_text(double microseconds) {
  char digits[400];  // of any double
  const auto end = std::to_chars(std::begin(digits), std::end(digits), microseconds,
                                 std::chars_format::fixed, 2);
  return std::string(std::begin(digits), end.ptr) + " us";
}

std::string estimate_line(const PlanDescription& plan) {
  std::string text;
  for (const DescribedEstimate& estimate : plan.estimates)
    text +=
        (text.empty() ? "estimate: " : "; ") + microseconds_text(estimate.microseconds) +
        (estimate.copied_first.empty() ? " as it is" : " with a copy of " + estimate.copied_first);
  return text.empty() ? text : text + "\n";
}

std::string movement_lines(const PlanDescription& plan) {
  if (plan.empty) return "no elements: the indices are checked, nothing is moved\n";
  std::string text;
  if (!plan.shared_loops.empty())
    text +=
        "shared loops: " + nest_text(plan.shared_loops) + ", which use the same offsets again\n";
  text += loops_line(plan) + "row: " + bytes_text(plan.row_bytes) + ", moved as one\n";
  for (const DescribedAxis& axis : plan.index_axes) text += indices_line(axis);
  if (plan.offset_bits > 0)
    text += "offsets: " + std::to_string(plan.offset_bits) + " bits, in units of " +
            bytes_text(plan.offset_unit) + "\n";
  text += kernel_line(plan) + prefetch_line(plan) + stores_line(plan);
  if (plan.constant_row_bytes)
    text += "equal indices: a row of one index is moved as " +
            bytes_text(*plan.constant_row_bytes) + ", by the kernel " + plan.constant_row_kernel +
            "\n";
  if (plan.one_block) text += "size: small, so that it runs at once on the calling thread\n";
  text += "moves: " + bytes_text(plan.moved_bytes) + " by " + bytes_text(plan.index_bytes) +
          " of indices\n";
  return text + threads_line(plan);
}

}  // namespace

std::string to_string(const PlanDescription& plan) {
  std::string text = plan.operator_name + ": " + std::string(dtype_name(plan.dtype)) +
                     to_string(plan.shape) + "\n" + plan.equation + "\n";
  if (plan.unpacks) text += "packing: elements are unpacked to bytes, and packed again\n";
  if (!plan.copied_first.empty())
    text += "first: a copy of " + plan.copied_first + " without gaps, " +
            bytes_text(plan.copied_first_bytes) + " of scratch memory\n";
  text += estimate_line(plan) + start_lines(plan) + movement_lines(plan);
  if (plan.divides) text += "end: each cell is divided by the number of its summands\n";
  return text + "kernel set: " + plan.kernel_set + "\n";
}

}  // namespace windrow

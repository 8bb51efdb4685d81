#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/plan_description.h"

namespace windrow {
namespace {

std::string nest_text(const std::vector<std::int64_t>& extents) {
  std::string text;
  for (const std::int64_t extent : extents)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

std::string tile_text(const PlanDescription& plan) {
  if (plan.innermost_as_one) return " (the innermost two as one)";
  if (!plan.tile) return "";
  return " (innermost in tiles of " + std::to_string(*plan.tile) + ", packed into " +
         std::to_string(*plan.tile_bytes) + " bytes of scratch)";
}

std::string axis_line(const DescribedAxis& axis) {
  std::string text = "index axis: extent " + std::to_string(axis.extent) +
                     ", out of range: " + std::string(out_of_range_name(axis.out_of_range)) + ", ";
  for (const DescribedIndex& index : axis.indices)
    text += std::string(dtype_name(index.dtype)) +
            (index.counts_from_end ? " counting from the end" : "");
  return text + (axis.one_pass ? ", one pass" : ", general pass") + "\n";
}

std::string kernel_line(const PlanDescription& plan) {
  return "kernel: " + plan.kernel + (plan.straight ? ", or straight from the indices" : "") +
         (plan.gather_instructions ? " with gather instructions, if the kernel set has them" : "") +
         "\n";
}

std::string prefetch_line(const PlanDescription& plan) {
  return "prefetch: " +
         (plan.prefetch_rows > 0 ? std::to_string(plan.prefetch_rows) + " rows ahead" : "none") +
         (plan.prefetches_updates ? ", updates too" : "") + "\n";
}

std::string writes_line(const PlanDescription& plan) {
  if (plan.starts_with.empty())
    return std::string("writes: ") + (plan.streams ? "past the caches" : "through the caches") +
           "\n";
  const std::string text = "a copied output: ";
  if (plan.piece_bytes)
    return text + "in pieces, each just before its updates; " + std::to_string(*plan.piece_bytes) +
           " bytes belong to each point of the first loop\n";
  if (!plan.stream_from) return text + "through the caches\n";
  return text + "past the caches from " + std::to_string(*plan.stream_from) +
         " bytes on, if the cells ascend from " + std::to_string(*plan.stream_ascending_from) +
         "\n";
}

std::string threads_line(const PlanDescription& plan) {
  if (plan.thread_share.empty()) return "threads: 1\n";
  const std::string count =
      plan.most_threads ? "at most " + std::to_string(*plan.most_threads) : "all";
  return "threads: " + count + ", " + plan.thread_share + "\n";
}

std::string start_line(std::string_view starts_with) {
  if (starts_with.empty()) return "";
  return starts_with == "data" ? "starts with a copy of the data unless it runs in place\n"
                               : "starts with one value everywhere\n";
}

std::string movement_lines(const PlanDescription& plan) {
  if (plan.empty) return "no elements: the indices are checked, nothing is moved\n";
  std::string text;
  if (!plan.shared_loops.empty())
    text += "loops that share offsets: " + nest_text(plan.shared_loops) + "\n";
  text += "loops: " + nest_text(plan.loops) + tile_text(plan) + "\n";
  text += "row: " + std::to_string(plan.row_bytes) + " bytes\n";
  for (const DescribedAxis& axis : plan.index_axes) text += axis_line(axis);
  text += "offsets: " + std::to_string(plan.offset_bits) + " bits in units of " +
          std::to_string(plan.offset_unit) + " bytes\n";
  text += kernel_line(plan) + prefetch_line(plan) + writes_line(plan);
  if (plan.constant_row_bytes)
    text += "index rows that hold one index: as rows of " +
            std::to_string(*plan.constant_row_bytes) + " bytes, by " + plan.constant_row_kernel +
            "\n";
  if (plan.one_block) text += "small: one block on the calling thread\n";
  text += "moves: " + std::to_string(plan.moved_bytes) + " bytes by " +
          std::to_string(plan.index_bytes) + " bytes of indices\n";
  return text + threads_line(plan);
}

}  // namespace

std::string to_string(const PlanDescription& plan) {
  std::string text = plan.operator_name + ": " + std::string(dtype_name(plan.dtype)) +
                     to_string(plan.shape) + "\n" + plan.equation + "\n";
  if (plan.unpacks) text += "packed elements are unpacked to bytes, and packed again\n";
  text += start_line(plan.starts_with);
  if (plan.writes_neutral) text += "then writes the neutral value to the cells it reaches\n";
  text += movement_lines(plan);
  if (plan.divides) text += "then counts the updates of each cell and divides\n";
  return text + "kernel set: " + plan.kernel_set + "\n";
}

}  // namespace windrow

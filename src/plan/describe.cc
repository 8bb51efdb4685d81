#include <cstdint>
#include <limits>
#include <string>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {
namespace {

std::string describe_nest(const LoopNest& nest) {
  std::string text;
  for (const NestLoop& loop : nest)
    text += (text.empty() ? "" : " x ") + std::to_string(loop.extent);
  return text;
}

std::string describe_axis(const AddressAxis& axis) {
  std::string text = "index axis: extent " + std::to_string(axis.extent) +
                     ", out of range: " + std::string(out_of_range_name(axis.policy)) + ", ";
  for (const AddressTerm& term : axis.terms)
    text += std::string(dtype_name(term.dtype)) + (term.wraps ? " counting from the end" : "");
  return text + (axis.fused ? ", one pass" : ", general pass") + "\n";
}

std::string describe_kernel(const LoweredPlan& plan) {
  if (plan.kernel == BlockKernel::kCount) return "strings";
  return std::string(block_kernel_rows()[static_cast<std::size_t>(plan.kernel)].name);
}

std::string describe_tile(const LoweredPlan& plan) {
  if (plan.flat && (plan.takes_flat || !plan.takes_straight)) return " (the innermost two as one)";
  if (plan.tile == 0) return "";
  const std::string lanes = " (innermost in tiles of " + std::to_string(plan.tile);
  const std::int64_t bytes = plan.axes.front().extent * plan.tile * plan.row_bytes;
  return lanes + ", packed into " + std::to_string(bytes) + " bytes of scratch)";
}

std::string describe_writes(const LoweredPlan& plan) {
  if (!plan.scatter)
    return std::string("writes: ") + (plan.stream ? "past the caches" : "through the caches") +
           "\n";
  const std::string text = "a copied output: ";
  if (plan.piece_bytes > 0)
    return text + "in pieces, each just before its updates; " + std::to_string(plan.piece_bytes) +
           " bytes belong to each point of the first loop\n";
  if (plan.stream_start_from == std::numeric_limits<std::int64_t>::max())
    return text + "through the caches\n";
  return text + "past the caches from " + std::to_string(plan.stream_start_from) +
         " bytes on, if the cells ascend from " + std::to_string(plan.stream_sorted_start_from) +
         "\n";
}

// The bytes of the index tensors that the points read, each once.
double index_bytes(const LoweredPlan& plan) {
  double bytes = 0;
  for (const AddressAxis& axis : plan.axes) {
    for (const AddressTerm& term : axis.terms) {
      auto elements = static_cast<double>(term.element_bytes);
      for (const NestLoop& loop : plan.addressed)
        if (loop.strides[term.stream] != 0) elements *= static_cast<double>(loop.extent);
      bytes += elements;
    }
  }
  return bytes;
}

std::string count_text(double count) { return std::to_string(static_cast<std::int64_t>(count)); }

}  // namespace

std::string describe(const LoweredPlan& plan) {
  if (plan.points == 0) return "no elements: the indices are checked, nothing is moved\n";
  std::string text;
  if (!plan.shared.empty())
    text += "loops that share offsets: " + describe_nest(plan.shared) + "\n";
  text += "loops: " + describe_nest(plan.addressed) + describe_tile(plan) +
          "\nrow: " + std::to_string(plan.row_bytes) + " bytes\n";
  for (const AddressAxis& axis : plan.axes) text += describe_axis(axis);
  text += "offsets: " + std::string(plan.wide_offsets ? "64" : "32") + " bits in units of " +
          std::to_string(plan.unit) + " bytes\n";
  text += "kernel: " + describe_kernel(plan) +
          (plan.takes_straight ? ", or straight from the indices" : "") +
          (plan.gathers ? " with gather instructions, if the kernel set has them" : "") + "\n";
  text += "prefetch: " +
          (plan.ahead > 0 ? std::to_string(plan.ahead) + " rows ahead" : std::string("none")) +
          (plan.fetch_updates ? ", updates too" : "") + "\n";
  text += describe_writes(plan);
  if (plan.constant_rows != nullptr)
    text += "index rows that hold one index: as rows of " +
            std::to_string(plan.constant_rows->row_bytes) + " bytes, by " +
            describe_kernel(*plan.constant_rows) + "\n";
  if (plan.small) text += "small: one block on the calling thread\n";
  text += "moves: " +
          count_text(static_cast<double>(plan.shared_points) * static_cast<double>(plan.points) *
                     static_cast<double>(plan.row_bytes)) +
          " bytes by " + count_text(index_bytes(plan)) + " bytes of indices\n";
  return text;
}

}  // namespace windrow::internal

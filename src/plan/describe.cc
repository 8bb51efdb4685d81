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

}  // namespace

std::string describe(const LoweredPlan& plan) {
  if (plan.points == 0) return "no elements: the indices are checked, nothing is moved\n";
  std::string text;
  if (!plan.shared.empty())
    text += "loops that share offsets: " + describe_nest(plan.shared) + "\n";
  text += "loops: " + describe_nest(plan.addressed);
  if (plan.tile > 0) text += " (innermost in tiles of " + std::to_string(plan.tile) + ")";
  text += "\nrow: " + std::to_string(plan.row_bytes) + " bytes\n";
  for (const AddressAxis& axis : plan.axes) text += describe_axis(axis);
  text += "offsets: " + std::string(plan.wide_offsets ? "64" : "32") + " bits in units of " +
          std::to_string(plan.unit) + " bytes\n";
  text += "kernel: " +
          (plan.kernel == BlockKernel::kCount
               ? std::string("strings")
               : std::string(block_kernel_rows()[static_cast<std::size_t>(plan.kernel)].name)) +
          (plan.ahead > 0 ? ", fetching " + std::to_string(plan.ahead) + " rows ahead" : "") + "\n";
  const double moved = static_cast<double>(plan.shared_points) * static_cast<double>(plan.points) *
                       static_cast<double>(plan.row_bytes);
  text += "moves: " + std::to_string(static_cast<std::int64_t>(moved)) + " bytes\n";
  return text;
}

}  // namespace windrow::internal

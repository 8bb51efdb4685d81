#include "src/plan/lower.h"

#include <limits>
#include <utility>

#include "src/access/evaluate.h"
#include "src/base/integers.h"
#include "src/plan/choose_ways.h"
#include "src/plan/loops.h"
#include "src/plan/offsets.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// The strides of a spec; row-major if it has none.
Strides spec_strides(const TensorSpec& spec) {
  return spec.strides ? *spec.strides : row_major_strides(spec.shape, dtype_bits(spec.dtype) / 8);
}

std::size_t track_count(const AccessMap& map) {
  std::size_t count = kFirstAddressTrack;
  for (const AxisMap& axis : map.axes)
    if (!axis.terms.empty()) count += axis.terms.size() + (axis.loops.empty() ? 0 : 1);
  return count;
}

// The nest of the access map, unchanged: one loop per direct axis, with the tracks of the
// addresses still 0.
LoopNest raw_nest(const AccessMap& map, const Layout& layout) {
  LoopNest nest(static_cast<std::size_t>(map.loops.rank()));
  for (int d = 0; d < map.loops.rank(); ++d) {
    NestLoop& loop = nest[static_cast<std::size_t>(d)];
    loop.extent = map.loops[d];
    loop.strides.assign(track_count(map), 0);
    loop.strides[kDirectTrack] = layout.direct[d];
  }
  for (std::size_t a = 0; a < map.axes.size(); ++a) {
    const AxisMap& axis = map.axes[a];
    if (!axis.terms.empty()) continue;
    for (const LoopTerm& term : axis.loops) {
      NestLoop& loop = nest[static_cast<std::size_t>(term.loop)];
      loop.strides[kIndirectTrack] += term.coefficient * layout.indirect[static_cast<int>(a)];
      if (axis.loops.size() == 1 && term.coefficient != 0) loop.injective = true;
    }
  }
  return nest;
}

AddressTerm lower_term(const IndexTerm& term, const Layout& layout, std::size_t track,
                       LoopNest& nest) {
  const TensorSpec& spec = layout.inputs[static_cast<std::size_t>(term.input)];
  const Strides strides = spec_strides(spec);
  AddressTerm lowered;
  lowered.input = term.input;
  lowered.given = lowered.dtype = spec.dtype;
  lowered.element_bytes = dtype_bits(spec.dtype) / 8;
  lowered.track = track;
  lowered.wraps = term.normalise == Normalise::kNegativeWraps;
  for (std::size_t c = 0; c < term.coordinates.size(); ++c) {
    const IndexCoordinate& coordinate = term.coordinates[c];
    const std::int64_t stride = strides[static_cast<int>(c)];
    if (coordinate.loop >= 0) {
      nest[static_cast<std::size_t>(coordinate.loop)].strides[lowered.track] += stride;
    } else {
      lowered.first_byte += coordinate.fixed * stride;
    }
  }
  lowered.legal = term.legal;
  lowered.padding = padding_of(term, spec.dtype);
  return lowered;
}

// Whether the kernels tell padding from all other indices. They compare int64 values, of which the
// largest, and on circular axes a congruent one, stands for uint64 values above it.
bool tells_padding(const AddressAxis& axis, const AddressTerm& term) {
  return term.dtype != DType::kUint64 || (axis.policy != OutOfRange::kModulo &&
                                          *term.padding < std::numeric_limits<std::int64_t>::max());
}

// Whether the offset kernels' own check covers the whole rule of the axis.
bool is_fused(const AddressAxis& axis) {
  if (axis.terms.size() != 1 || axis.step_track != 0 || axis.base != 0) return false;
  const AddressTerm& term = axis.terms.front();
  if (term.padding && !tells_padding(axis, term)) return false;
  if (axis.policy != OutOfRange::kError) return !term.legal;
  return term.legal && term.legal->low == (term.wraps ? -axis.extent : 0) &&
         term.legal->high == axis.extent - 1 && !term.legal->has_gap();
}

// Reads unsigned indices as signed ones that do not wrap, for which there are more kernels, where
// each that the signed type cannot hold is outside: it is negative there, and outside as well.
void read_as_signed(AddressAxis& axis) {
  AddressTerm& term = axis.terms.front();
  const bool wide = term.dtype == DType::kUint64;
  if (!axis.fused || (!wide && term.dtype != DType::kUint32) ||
      axis.policy == OutOfRange::kModulo || axis.policy == OutOfRange::kClamp)
    return;
  const std::int64_t most =
      wide ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int32_t>::max();
  if (axis.extent > most || (term.padding && (*term.padding < 0 || *term.padding >= most))) return;
  term.dtype = wide ? DType::kInt64 : DType::kInt32;
  term.wraps = false;
}

// Lowers an axis; its tracks are numbered from `next_track` on.
AddressAxis lower_axis(const AxisMap& axis, const Layout& layout, std::size_t& next_track,
                       LoopNest& nest) {
  AddressAxis lowered;
  lowered.extent = axis.extent;
  lowered.base = axis.base;
  lowered.policy = axis.policy;
  for (const IndexTerm& term : axis.terms)
    lowered.terms.push_back(lower_term(term, layout, next_track++, nest));
  if (!axis.loops.empty()) {
    lowered.step_track = next_track++;
    for (const LoopTerm& term : axis.loops)
      nest[static_cast<std::size_t>(term.loop)].strides[lowered.step_track] += term.coefficient;
  }
  lowered.fused = is_fused(lowered);
  if (!lowered.terms.empty()) read_as_signed(lowered);
  return lowered;
}

Fold fold_of(Combine combine) {
  switch (combine) {
    case Combine::kAdd:
    case Combine::kMean:
      return Fold::kAdd;
    case Combine::kSub:
      return Fold::kSub;
    case Combine::kMul:
      return Fold::kMul;
    case Combine::kMin:
      return Fold::kMin;
    case Combine::kMax:
      return Fold::kMax;
    case Combine::kAssign:
      break;
  }
  return Fold::kNone;
}

// From the first cell that an index may choose to the last one; at most 2^63-1.
std::int64_t table_bytes(const LoweredPlan& plan, const Strides& axis_strides) {
  std::int64_t bytes = 0;
  for (std::size_t a = 0; a < plan.axes.size(); ++a)
    bytes = saturating_add(bytes,
                           saturating_span(axis_strides[static_cast<int>(a)], plan.axes[a].extent));
  return bytes;
}

Result<LoweredPlan> lower_map(const AccessMap& map, const Layout& layout, const Tuning& tuning,
                              LoweredPlan plan) {
  plan.element_bytes = dtype_bits(plan.dtype) / 8;
  plan.forced_tasks = static_cast<int>(tuning.tasks.value_or(0));
  LoopNest nest = raw_nest(map, layout);
  Strides axis_strides;
  std::size_t next_track = kFirstAddressTrack;
  for (std::size_t a = 0; a < map.axes.size(); ++a) {
    const AxisMap& axis = map.axes[a];
    const std::int64_t stride = layout.indirect[static_cast<int>(a)];
    if (axis.terms.empty()) {
      plan.indirect_first += axis.base * stride;
    } else {
      plan.axes.push_back(lower_axis(axis, layout, next_track, nest));
      axis_strides.push_back(stride);
    }
  }
  const auto points = element_count(map.loops);
  if (!points) return Status(ErrorCode::kShape, "the call has more than 2^63-1 elements");
  if (*points == 0) {  // nothing to run, but the indices are still checked
    plan.points = 0;
    choose_ways(tuning, plan);
    return plan;
  }
  nest = merge_loops(nest);
  plan.row_bytes = take_row(nest, plan.element_bytes) * plan.element_bytes;
  turn_short_loops(nest, table_bytes(plan, axis_strides), plan);
  share_offsets(nest, plan);
  if (nest.empty()) {
    NestLoop once;
    once.strides.assign(next_track, 0);
    nest.push_back(std::move(once));
  }
  plan.addressed = std::move(nest);
  plan.shared_points = point_count(plan.shared);
  plan.points = point_count(plan.addressed);
  if (!choose_offsets(axis_strides, plan))
    return Status(ErrorCode::kShape, "an address of the call exceeds 2^63-1 bytes");
  if (Status status = choose_kernel(plan); !status) return status;
  choose_ways(tuning, plan);
  return plan;
}

}  // namespace

Result<LoweredPlan> lower(const Operation& operation, const Layout& layout, const Tuning& tuning) {
  LoweredPlan plan;
  plan.scatter = operation.scatter;
  plan.dtype = operation.dtype;
  plan.fold = operation.scatter ? fold_of(operation.combine) : Fold::kNone;
  auto lowered = lower_map(operation.map, layout, tuning, std::move(plan));
  if (lowered && operation.bags && lowered->ahead > 0 && !tuning.prefetch)
    lowered->ahead = bag_rows_ahead(lowered->row_bytes);
  return lowered;
}

Result<LoweredPlan> lower_copy(DType dtype, const Shape& shape, const Strides& to,
                               const Strides& from, const Tuning& tuning) {
  AccessMap map;
  map.loops = shape;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    AxisMap one;
    one.extent = shape[axis];
    one.loops.push_back({axis, 1});
    map.axes.push_back(std::move(one));
  }
  LoweredPlan plan;
  plan.dtype = dtype;
  return lower_map(map, Layout{to, from, {}}, tuning, std::move(plan));
}

}  // namespace windrow::internal

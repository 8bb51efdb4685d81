#ifndef WINDROW_RANGES_DEPARTURES_H_
#define WINDROW_RANGES_DEPARTURES_H_

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "src/ranges/production.h"

namespace windrow::internal {

// An operator that a runtime computes otherwise than the specification says. Proofs about the
// runtime give up what the departure can break, or keep it by the premise that the case does not
// occur.
struct Departure {
  std::string_view profile;                   // the name of the runtime's ArithmeticProfile
  std::array<std::string_view, 4> operators;  // "*": every operator
  // Changes the outputs that the operator's producer filled in.
  void (*weaken)(Production&);
  std::string_view what;
  // How it is known: observed in a run on that date with that version.
  bool ran = true;
  std::string_view source;
  std::string_view seen;
};

std::span<const Departure> departures();

// Whether the rank of an operator's result may depend on an extent of that input.
bool may_decide_rank(std::string_view op_type, std::string_view dialect, std::size_t input);

// Weakens the outputs of a node by the departures of the runtimes that the proof is about. Runtimes
// that were not run may have all of them.
void weaken_by_departures(Production& p);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_DEPARTURES_H_

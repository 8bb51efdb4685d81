#include "src/models/place_values.h"

#include <algorithm>
#include <map>

#include "src/operators/known_run.h"

namespace windrow::internal {
namespace {

using Kind = ValuePlace::Kind;

// Walks the steps and gives each result a buffer as long as something still reads it.
class Placer {
 public:
  Placer(const Program& program, std::span<const RanStep> steps,
         std::span<const MutableTensorView> results)
      : program_(program), steps_(steps), results_(results) {
    places_.values.resize(program.value_count());
    places_.results.resize(steps.size());
  }

  ValuePlaces place() {
    for (std::size_t i = 0; i < program_.given().size(); ++i)
      places_.values[program_.given()[i].value] = {Kind::kGiven, i};
    for (std::size_t i = 0; i < program_.constants().size(); ++i)
      places_.values[program_.constants()[i].first] = {Kind::kConstant, i};
    find_outputs();
    for (std::size_t i = 0; i < steps_.size(); ++i) place_result(i);
    return std::move(places_);
  }

 private:
  // Goes backwards, since the result that overwrites an input decides where that input must be.
  void find_outputs() {
    output_of_.assign(program_.value_count(), kNone);
    for (std::size_t i = program_.outputs().size(); i-- > 0;) output_of_[program_.outputs()[i]] = i;
    for (std::size_t i = steps_.size(); i-- > 0;) {
      const ValueNumber result = program_.steps()[i].output;
      if (steps_[i].in_place && result != kNoValue) output_of_[overwritten(i)] = output_of_[result];
    }
  }

  ValueNumber overwritten(std::size_t step) const {
    return program_.inputs(step)[*in_place_input(*steps_[step].plan)];
  }

  void place_result(std::size_t step) {
    const ValueNumber result = program_.steps()[step].output;
    const bool is_read = result != kNoValue && program_.last_use(result) != Program::kNever;
    ValuePlace place;
    if (steps_[step].in_place) {
      place = places_.values[overwritten(step)];
    } else if (is_read && output_of_[result] != kNone) {
      place = {Kind::kOutput, output_of_[result]};
    } else {
      place = {Kind::kBuffer, take_buffer(results_[step])};
    }
    places_.results[step] = place;
    if (is_read) places_.values[result] = place;
    for (const ValueNumber input : program_.inputs(step))
      if (input != kNoValue && program_.last_use(input) == step) give_back(input, place);
    if (!is_read && place.kind == Kind::kBuffer) free(place.number);
  }

  std::size_t take_buffer(const MutableTensorView& result) {
    if (result.dtype == DType::kString) {
      places_.buffers.push_back({0, result.shape, true});
      return places_.buffers.size() - 1;
    }
    const auto bytes =
        static_cast<std::size_t>(dense_byte_count(result.dtype, result.shape).value_or(0));
    // Takes the smallest free buffer that is large enough, else the largest, which grows.
    auto found = free_.lower_bound(bytes);
    if (found == free_.end() && !free_.empty()) found = std::prev(free_.end());
    if (found == free_.end()) {
      places_.buffers.push_back({bytes, {}, false});
      return places_.buffers.size() - 1;
    }
    const std::size_t number = found->second;
    free_.erase(found);
    std::size_t& capacity = places_.buffers[number].bytes;
    capacity = std::max(capacity, bytes);
    return number;
  }

  // Frees a value's buffer after the last step that reads the value, once, however often the step
  // reads it. `kept` is where the step's result is.
  void give_back(ValueNumber value, const ValuePlace& kept) {
    ValuePlace& place = places_.values[value];
    const bool is_kept = place.kind == kept.kind && place.number == kept.number;
    if (place.kind == Kind::kBuffer && !is_kept && !is_freed_[value]) free(place.number);
    is_freed_[value] = true;
  }

  void free(std::size_t number) {
    const BufferKind& buffer = places_.buffers[number];
    if (!buffer.is_strings) free_.emplace(buffer.bytes, number);
  }

  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  const Program& program_;
  std::span<const RanStep> steps_;
  std::span<const MutableTensorView> results_;
  std::vector<std::size_t> output_of_;  // by value: the first output that it is
  std::vector<bool> is_freed_ = std::vector<bool>(program_.value_count());
  std::multimap<std::size_t, std::size_t> free_;  // by bytes
  ValuePlaces places_;
};

}  // namespace

std::vector<MutableTensorView> result_views(const Program& program,
                                            std::span<const TensorView> given,
                                            std::span<const RanStep> steps) {
  // Only conversions take their shape from their input.
  std::vector<const Shape*> shapes(program.value_count());
  for (std::size_t i = 0; i < given.size(); ++i) {
    const GivenInput& input = program.given()[i];
    if (!given[i].is_absent()) {
      shapes[input.value] = &given[i].shape;
    } else if (input.otherwise != nullptr) {
      shapes[input.value] = &input.otherwise->shape();
    }
  }
  std::vector<MutableTensorView> results;
  results.reserve(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = program.steps()[i];
    if (steps[i].plan) {
      results.emplace_back(steps[i].plan->result().dtype, steps[i].plan->result().shape, nullptr);
    } else {
      results.emplace_back(step.converted_to, *shapes[program.inputs(i).front()], nullptr);
    }
    if (step.output != kNoValue) shapes[step.output] = &results.back().shape;
  }
  return results;
}

ValuePlaces place_values(const Program& program, std::span<const RanStep> steps,
                         std::span<const MutableTensorView> results) {
  return Placer(program, steps, results).place();
}

}  // namespace windrow::internal

#include "src/pooling/walk_beams.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <vector>

#include "src/access/evaluate.h"
#include "src/base/float_types.h"
#include "src/execute/partition.h"
#include "src/execute/scan_indices.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

using Element = std::array<std::byte, 8>;

// One run's tensors. Their elements are copied before they are looked at.
class BeamTensors {
 public:
  BeamTensors(const Operation& operation, std::span<const TensorView> inputs)
      : axis_(operation.map.axes[2]),
        term_(axis_.terms.front()),
        steps_(inputs[static_cast<std::size_t>(operation.data_input)]),
        parents_(inputs[static_cast<std::size_t>(term_.input)]),
        lengths_(inputs[static_cast<std::size_t>(operation.beams->lengths_input)]),
        bytes_(static_cast<std::size_t>(dtype_bits(steps_.dtype) / 8)) {
    const TensorView& end = inputs[static_cast<std::size_t>(operation.beams->end_input)];
    std::memcpy(end_.data(), end.data, bytes_);
  }

  std::int64_t time() const { return steps_.shape[0]; }
  std::int64_t batches() const { return steps_.shape[1]; }
  std::int64_t beams() const { return steps_.shape[2]; }
  std::size_t element_bytes() const { return bytes_; }
  const Element& end() const { return end_; }

  // The number of steps of a batch entry's beams, in [0, time()].
  std::int64_t length(std::int64_t batch) const {
    const Element length = copy(lengths_, batch * lengths_.strides[0]);
    return std::clamp<std::int64_t>(read_index(lengths_.dtype, length.data()), 0, time());
  }

  Element step(std::int64_t time, std::int64_t batch, std::int64_t beam) const {
    return copy(steps_, place(steps_, time, batch, beam));
  }
  Element parent(std::int64_t time, std::int64_t batch, std::int64_t beam) const {
    return copy(parents_, place(parents_, time, batch, beam));
  }

  // The beam that a parent names; nothing if it is illegal.
  std::optional<std::int64_t> beam_of(const Element& parent) const {
    if (!term_.legal->contains(read_index(parents_.dtype, parent.data()))) return std::nullopt;
    return count_index(term_, axis_, parents_.dtype, parent.data());
  }

  // Whether an element is the end token, as numbers.
  bool is_end(const Element& element) const {
    switch (steps_.dtype) {
      case DType::kFloat16:
        return are_equal<std::uint16_t>(element, &float16_to_float);
      case DType::kBFloat16:
        return are_equal<std::uint16_t>(element, &bfloat16_to_float);
      case DType::kFloat32:
        return are_equal<float>(element, [](float value) { return value; });
      case DType::kFloat64:
        return are_equal<double>(element, [](double value) { return value; });
      default:
        return std::memcmp(element.data(), end_.data(), bytes_) == 0;
    }
  }

 private:
  static std::int64_t place(const TensorView& view, std::int64_t time, std::int64_t batch,
                            std::int64_t beam) {
    return time * view.strides[0] + batch * view.strides[1] + beam * view.strides[2];
  }

  Element copy(const TensorView& view, std::int64_t offset) const {
    Element element{};
    std::memcpy(element.data(), static_cast<const std::byte*>(view.data) + offset, bytes_);
    return element;
  }

  template <class Code, class ToValue>
  bool are_equal(const Element& element, const ToValue& to_value) const {
    Code code;
    Code end;
    std::memcpy(&code, element.data(), sizeof code);
    std::memcpy(&end, end_.data(), sizeof end);
    return to_value(code) == to_value(end);
  }

  const AxisMap& axis_;
  const IndexTerm& term_;
  const TensorView& steps_;
  const TensorView& parents_;
  const TensorView& lengths_;
  std::size_t bytes_;
  Element end_{};
};

// One column of the output.
class Column {
 public:
  Column(const BeamTensors& tensors, const MutableTensorView& out, std::int64_t batch,
         std::int64_t beam)
      : tensors_(tensors), out_(out), batch_(batch), beam_(beam) {}

  // Returns false if a parent is illegal.
  bool write() const {
    const std::int64_t length = tensors_.length(batch_);
    std::int64_t beam = beam_;
    std::int64_t end = length;  // the steps from here on become end tokens
    for (std::int64_t time = length - 1; time >= 0; --time) {
      const Element step = tensors_.step(time, batch_, beam);
      std::memcpy(place(time), step.data(), tensors_.element_bytes());
      if (tensors_.is_end(step)) end = time + 1;
      if (time == 0) break;
      const auto parent = tensors_.beam_of(tensors_.parent(time, batch_, beam));
      if (!parent) return false;
      beam = *parent;
    }
    for (std::int64_t time = end; time < tensors_.time(); ++time)
      std::memcpy(place(time), tensors_.end().data(), tensors_.element_bytes());
    return true;
  }

 private:
  std::byte* place(std::int64_t time) const {
    return static_cast<std::byte*>(out_.data) + time * out_.strides[0] + batch_ * out_.strides[1] +
           beam_ * out_.strides[2];
  }

  const BeamTensors& tensors_;
  const MutableTensorView& out_;
  std::int64_t batch_;
  std::int64_t beam_;
};

// The illegal parents of one batch entry that walks read, as positions [time, batch, beam].
void find_illegal(const BeamTensors& tensors, std::int64_t batch,
                  std::vector<IllegalIndex>& found) {
  std::vector<char> walked(static_cast<std::size_t>(tensors.beams()), 1);
  for (std::int64_t time = tensors.length(batch) - 1; time > 0; --time) {
    std::vector<char> next(walked.size(), 0);
    for (std::int64_t beam = 0; beam < tensors.beams(); ++beam) {
      if (walked[static_cast<std::size_t>(beam)] == 0) continue;
      const Element parent = tensors.parent(time, batch, beam);
      if (const auto named = tensors.beam_of(parent))
        next[static_cast<std::size_t>(*named)] = 1;
      else
        found.push_back({{time, batch, beam}, parent});
    }
    walked = std::move(next);
  }
}

}  // namespace

RunOutcome walk_beams(const Operation& operation, std::span<const TensorView> inputs,
                      const MutableTensorView& out, Threads* threads, Interruption* interruption) {
  const BeamTensors tensors(operation, inputs);
  Outcome outcome(interruption);
  const std::int64_t columns = tensors.batches() * tensors.beams();
  const std::int64_t bytes = tensors.time() * static_cast<std::int64_t>(tensors.element_bytes());
  const std::int64_t elements = element_count(operation.result_shape).value_or(0);
  const int tasks = useful_tasks(elements, least_task_indices(), threads);
  parallel_for(tasks, threads, [&](int task) {
    const Range range = task_range(columns, tasks, task);
    for (std::int64_t column = range.low; column < range.high; ++column) {
      if (!Column(tensors, out, column / tensors.beams(), column % tensors.beams()).write())
        outcome.stop(RunOutcome::kBadIndex);
      if (outcome.stopped_after(bytes)) return;
    }
  });
  return outcome.get();
}

void describe_beams(const Operation& operation, PlanDescription& description) {
  const std::int64_t elements = element_count(operation.result_shape).value_or(0);
  const std::int64_t bytes = dtype_bits(operation.dtype) / 8;
  description.empty = elements == 0;
  if (description.empty) return;
  for (const std::int64_t extent : operation.map.loops) description.loops.push_back(extent);
  description.row_bytes = bytes;
  description.kernel = "walk_beams";
  description.moved_bytes = description.index_bytes = elements * bytes;
  description.thread_share = "a range of the beams each";
}

Status describe_illegal_parents(const Operation& operation, std::span<const TensorView> inputs,
                                Interruption* interruption, std::int64_t listed) {
  const BeamTensors tensors(operation, inputs);
  std::vector<IllegalIndex> found;
  for (std::int64_t batch = 0; batch < tensors.batches(); ++batch) {
    find_illegal(tensors, batch, found);
    if (is_interrupted(interruption, tensors.time() * tensors.beams() * 8)) return {};
  }
  return describe_illegal(operation, inputs, 2, operation.map.axes[2].terms.front(), found, listed);
}

}  // namespace windrow::internal

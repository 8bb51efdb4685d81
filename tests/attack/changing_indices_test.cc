// Indices that another thread or process changes while a call reads them: no access outside the
// tensors, no crash and no hang, whatever the moment. The moments are the instructions that read an
// index, so chance only decides which of very many moments are tried.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/attack/attacked_calls.h"
#include "tests/attack/watched_memory.h"
#include "tests/random/rng.h"
#include "tests/support/elements.h"
#include "tests/support/kernel_sets.h"
#include "tests/support/strided_buffer.h"
#include "windrow/threads.h"

namespace windrow::tests {
namespace {

// The most moments of a call that are tried for each kernel set and kind of change.
constexpr std::int64_t kMoments = 6;

using Bytes = std::vector<std::byte>;

// Tasks one after the other on the calling thread.
class SerialThreads : public Threads {
 public:
  explicit SerialThreads(int count) : count_(count) {}
  int count() const noexcept override { return count_; }
  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    for (int i = 0; i < tasks; ++i) task(context, i);
  }

 private:
  int count_;
};

template <class T>
void put(std::int64_t value, std::byte* at) {
  const T element = static_cast<T>(value);
  std::memcpy(at, &element, sizeof element);
}

void put_index(DType dtype, std::int64_t value, std::byte* at) {
  switch (dtype) {
    case DType::kUint8:
      return put<std::uint8_t>(value, at);
    case DType::kInt32:
      return put<std::int32_t>(value, at);
    default:
      return put<std::int64_t>(value, at);
  }
}

// The index tensors of a call: what they begin as and what they become.
class Indices {
 public:
  explicit Indices(const AttackedCall& call)
      : call_(call),
        count_(element_count(call.indices).value()),
        width_(static_cast<std::size_t>(dtype_bits(call.index_dtype)) / 8) {}

  Bytes beginning(Rng& rng) const {
    const std::int64_t lanes = call_.indices.back();
    return make([&](std::int64_t i) -> std::int64_t {
      switch (call_.begin) {
        case Begin::kAscending:
          return i * call_.extent / count_;
        case Begin::kConstantRows:
          return i / lanes * 7 % call_.extent;
        case Begin::kDistinct:
          return count_ - 1 - i;
        case Begin::kRandom:
          break;
      }
      const bool from_end = is_signed() && call_.options.negative != NegativeIndex::kError;
      return rng.between(from_end ? -call_.extent : 0, call_.extent - 1);
    });
  }
  Bytes all(std::int64_t value) const {
    return make([&](std::int64_t) { return value; });
  }
  // Legal ones beside those that are as far outside as the type allows.
  Bytes wild(Rng& rng) const {
    const std::int64_t far[] = {call_.extent,
                                -call_.extent - 1,
                                std::int64_t{1} << 32,
                                (std::int64_t{1} << 32) + 1,
                                std::numeric_limits<std::int64_t>::max(),
                                std::numeric_limits<std::int64_t>::min(),
                                -1,
                                0};
    return make([&](std::int64_t) { return rng.pick(far); });
  }
  std::size_t bytes() const { return static_cast<std::size_t>(count_) * width_; }

 private:
  bool is_signed() const {
    return call_.index_dtype == DType::kInt32 || call_.index_dtype == DType::kInt64;
  }
  template <class Value>
  Bytes make(Value value) const {
    Bytes bytes(this->bytes());
    for (std::int64_t i = 0; i < count_; ++i)
      put_index(call_.index_dtype, value(i), bytes.data() + static_cast<std::size_t>(i) * width_);
    return bytes;
  }

  const AttackedCall& call_;
  std::int64_t count_;
  std::size_t width_;
};

std::vector<Tensor> fixed_tensors(const std::vector<FixedInput>& inputs) {
  std::vector<Tensor> tensors;
  for (const FixedInput& input : inputs) {
    if (input.dtype == DType::kAbsent) {
      tensors.emplace_back();
      continue;
    }
    tensors.push_back(Tensor::zeros(input.dtype, input.shape).value());
    auto* const bytes = static_cast<std::byte*>(tensors.back().data());
    const std::int64_t width = dtype_bits(input.dtype) / 8;
    for (std::int64_t i = 0; i < element_count(input.shape).value(); ++i)
      put_index(input.dtype, input.value, bytes + i * width);
  }
  return tensors;
}

// A call with memory of its own, ready to be run many times.
class Attack {
 public:
  Attack(const AttackedCall& call, const std::string& kernel_set)
      : call_(call), threads_(call.tasks), indices_(call), memory_(indices_.bytes()) {
    CallOptions options = call.options;
    options.kernels = kernel_set + call.levers;
    const Tensor data = Tensor::zeros(call.dtype, call.data).value();
    const Tensor updates = Tensor::zeros(call.dtype, call.updates).value();
    std::vector<TensorSpec> specs;
    for (const TensorView& input : inputs_of(data, updates)) specs.push_back(input.spec());
    // A plan may be compiled for the value of one of these.
    for (std::size_t i = 0; i < behind_.size(); ++i)
      specs[specs.size() - behind_.size() + i].value =
          std::make_shared<const Tensor>(behind_[i].clone().value());
    auto plan = compile(call.id, call.attributes, specs, options);
    if (!plan) throw std::runtime_error(call.name + ": " + plan.error().message());
    plan_ = *std::move(plan);
  }

  // Every moment that is tried, for one kind of change. All kinds have the same beginning.
  void run(const WatchedMemory::Changes& changes, const Bytes& beginning, Rng& rng) {
    if (reads_ == 0) reads_ = run_once({}, beginning);
    ASSERT_GT(reads_, 0) << call_.name;
    const std::int64_t step = std::max<std::int64_t>(reads_ / kMoments, 1);
    for (std::int64_t first = rng.between(0, step - 1); first < reads_; first += step) {
      WatchedMemory::Changes now = changes;
      now.first = first;
      run_once(now, beginning);
    }
  }

  const Indices& indices() const { return indices_; }

 private:
  bool has_updates() const { return call_.updates.rank() > 0; }
  bool has_indices_last() const { return call_.id.name == "TensorScatter"; }
  TensorView indices_view() const {
    return TensorView(call_.index_dtype, call_.indices, memory_.data());
  }

  // The operator's inputs, in its order.
  std::vector<TensorView> inputs_of(const TensorView& data, const TensorView& updates) const {
    std::vector<TensorView> inputs = {data};
    inputs.insert(inputs.end(), between_.begin(), between_.end());
    if (has_updates() && has_indices_last()) inputs.push_back(updates);
    inputs.push_back(indices_view());
    if (has_updates() && !has_indices_last()) inputs.push_back(updates);
    inputs.insert(inputs.end(), behind_.begin(), behind_.end());
    return inputs;
  }

  // Tensors of their own for every run, so that what lies around them is watched, too.
  std::int64_t run_once(const WatchedMemory::Changes& changes, const Bytes& beginning) {
    Tensor data = Tensor::zeros(call_.dtype, call_.data).value();
    const TensorSpec& result = plan_->result();
    StridedBuffer out(result.dtype, result.shape, dense_layout(result.shape.rank()));
    const Tensor updates = Tensor::zeros(call_.dtype, call_.updates).value();
    const std::vector<TensorView> inputs = inputs_of(data, updates);
    memory_.fill(beginning);
    Status status;
    const std::int64_t reads = memory_.run(changes, [&] {
      status = plan_->run(inputs, call_.in_place ? data.mutable_view() : out.mutable_view(),
                          {.threads = &threads_});
    });
    EXPECT_TRUE(out.guards_intact()) << call_.name << ", read " << changes.first;
    EXPECT_NE(status.code(), ErrorCode::kInternal) << status.message();
    return reads;
  }

  const AttackedCall& call_;
  SerialThreads threads_;
  std::vector<Tensor> between_ = fixed_tensors(call_.between);
  std::vector<Tensor> behind_ = fixed_tensors(call_.behind);
  Indices indices_;
  WatchedMemory memory_;
  std::optional<Plan> plan_;
  std::int64_t reads_ = 0;  // of a run without changes
};

class ChangingIndices : public testing::TestWithParam<AttackedCall> {};

TEST_P(ChangingIndices, NeverReachOutsideOfTheTensors) {
  const AttackedCall& call = GetParam();
  for (const std::string& set : supported_kernel_sets()) {
    SCOPED_TRACE(set);
    Rng rng(std::hash<std::string>()(call.name + set));
    Attack attack(call, set);
    const Indices& indices = attack.indices();
    const Bytes beginning = indices.beginning(rng);
    const Bytes wild = indices.wild(rng);
    const Bytes first = indices.all(0);
    const Bytes last = indices.all(call.extent - 1);
    attack.run({.contents = last}, beginning, rng);
    attack.run({.contents = wild}, beginning, rng);
    attack.run({.every = 1, .contents = wild, .others = beginning}, beginning, rng);
    attack.run({.every = 3, .contents = first, .others = last}, beginning, rng);
  }
}

INSTANTIATE_TEST_SUITE_P(Calls, ChangingIndices, testing::ValuesIn(attacked_calls()),
                         [](const testing::TestParamInfo<AttackedCall>& info) {
                           std::string name = info.param.name;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace windrow::tests

#ifndef WINDROW_OPERATORS_TEST_SUPPORT_H_
#define WINDROW_OPERATORS_TEST_SUPPORT_H_

#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "windrow/tensor.h"
#include "windrow/threads.h"

// Shared code of the tests of compile and run.
namespace windrow::internal {

// Runs tasks one after another, the last one first.
class ReverseThreads : public Threads {
 public:
  explicit ReverseThreads(int count) : count_(count) {}
  int count() const noexcept override { return count_; }
  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    ++calls_;
    for (int i = tasks; i-- > 0;) task(context, i);
  }
  int calls() const { return calls_; }

 private:
  int count_;
  int calls_ = 0;
};

// Starts a thread for every task.
class EagerThreads : public Threads {
 public:
  explicit EagerThreads(int count) : count_(count) {}
  int count() const noexcept override { return count_; }
  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(tasks));
    for (int i = 0; i < tasks; ++i) threads.emplace_back(task, context, i);
    for (std::thread& thread : threads) thread.join();
  }

 private:
  int count_;
};

// 0, 1, 2, ... as elements of type T.
template <class T>
Tensor counted(const Shape& shape) {
  std::vector<T> values(static_cast<std::size_t>(element_count(shape).value()));
  std::iota(values.begin(), values.end(), T{0});
  return Tensor::from<T>(shape, values);
}

// Whether two dense tensors of numbers have equal types, shapes and bits.
inline bool same_bits(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_count())) == 0;
}

// Memory for numbers in another layout: bytes between the elements, every axis reversed or not, and
// a base off the natural alignment.
class Laid {
 public:
  Laid(DType dtype, const Shape& shape, std::int64_t gap, bool reversed, std::int64_t base) {
    Strides strides = Strides::filled(shape.rank(), 0);
    std::int64_t step = dtype_bits(dtype) / 8 + gap;
    std::int64_t first = base;
    for (int axis = shape.rank(); axis-- > 0;) {
      strides[axis] = reversed ? -step : step;
      if (reversed) first += step * (shape[axis] - 1);
      step = step * shape[axis] + gap;
    }
    memory_.resize(static_cast<std::size_t>(base + step));
    view_ = MutableTensorView(dtype, shape, strides, memory_.data() + first);
  }
  // A copy of a dense tensor.
  Laid(const Tensor& source, std::int64_t gap, bool reversed, std::int64_t base)
      : Laid(source.dtype(), source.shape(), gap, reversed, base) {
    const auto bytes = static_cast<std::size_t>(dtype_bits(source.dtype()) / 8);
    const auto* from = static_cast<const std::byte*>(source.data());
    for (std::int64_t i = 0; i < source.element_count(); ++i) {
      std::int64_t rest = i;
      std::int64_t offset = 0;
      for (int axis = view_.shape.rank(); axis-- > 0;) {
        offset += rest % view_.shape[axis] * view_.strides[axis];
        rest /= view_.shape[axis];
      }
      std::memcpy(static_cast<std::byte*>(view_.data) + offset,
                  from + bytes * static_cast<std::size_t>(i), bytes);
    }
  }
  Laid(const Laid&) = delete;
  Laid& operator=(const Laid&) = delete;

  TensorView view() const { return view_; }
  const MutableTensorView& mutable_view() { return view_; }

 private:
  std::vector<std::byte> memory_;
  MutableTensorView view_;
};

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_TEST_SUPPORT_H_

#ifndef WINDROW_PLUGINS_JAX_SUBNORMAL_NUMBERS_H_
#define WINDROW_PLUGINS_JAX_SUBNORMAL_NUMBERS_H_

#include <cfenv>

namespace windrow::jax {

// As long as the object lives, this thread's floating-point unit computes with subnormal numbers,
// as the operators' folds do everywhere else. XLA's threads treat them as zero.
class SubnormalNumbers {
 public:
  SubnormalNumbers() noexcept {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~SubnormalNumbers() { std::fesetenv(&before_); }
  SubnormalNumbers(const SubnormalNumbers&) = delete;
  SubnormalNumbers& operator=(const SubnormalNumbers&) = delete;

 private:
  std::fenv_t before_;
};

}  // namespace windrow::jax

#endif  // WINDROW_PLUGINS_JAX_SUBNORMAL_NUMBERS_H_

#ifndef WINDROW_TESTS_RANDOM_RNG_H_
#define WINDROW_TESTS_RANDOM_RNG_H_

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace windrow::tests {

// Random numbers that are the same on every platform for one seed. What draws with them must draw
// in an order that the language fixes: compilers evaluate two arguments of one call, or two
// operands, in any order.
class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}

  std::uint64_t bits() { return engine_(); }
  // A number in [low, high], uniform enough for tests. Precondition: low <= high.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t span = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    const std::uint64_t step = span == ~std::uint64_t{0} ? bits() : bits() % (span + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + step);
  }
  int small(int low, int high) { return static_cast<int>(between(low, high)); }
  bool chance(int percent) { return between(0, 99) < percent; }
  template <class Container>
  const auto& pick(const Container& choices) {
    return choices[static_cast<std::size_t>(
        between(0, static_cast<std::int64_t>(std::size(choices)) - 1))];
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1],
                values[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RNG_H_

#include <windrow/distributed.h>

#include <algorithm>
#include <iostream>

// An exchange of a program's own, of one rank.
class Alone final : public windrow::Exchange {
 public:
  int rank() const noexcept override { return 0; }
  int ranks() const noexcept override { return 1; }
  windrow::Status exchange_numbers(std::span<const std::int64_t> to,
                                   std::span<std::int64_t> from) override {
    std::copy(to.begin(), to.end(), from.begin());
    return {};
  }
  windrow::Status exchange_bytes(std::span<const std::span<const std::byte>>,
                                 std::span<const std::span<std::byte>>) override {
    return {};
  }
};

int main() {
  try {
    Alone exchange;
    windrow::Tensor rows = windrow::Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
    auto table = windrow::ShardedTable::create(exchange, std::move(rows)).value();
    const auto last = table.take(windrow::Tensor::of<std::int64_t>({1}, {-1})).value();
    std::cout << windrow::to_string(table.shape()) << ' ' << last.values<float>()[0] << '\n';
    if (windrow::make_mpi_exchange()) return 1;  // MPI is not initialised, or not there
  } catch (const windrow::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

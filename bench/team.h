#ifndef WINDROW_BENCH_TEAM_H_
#define WINDROW_BENCH_TEAM_H_

#include <barrier>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace windrow::bench {

struct Range {
  std::size_t begin;
  std::size_t end;
};

// The calling thread and others, which wait between the jobs. A job is cut into a range per thread.
class Team {
 public:
  // Does a range of a job and returns what it adds to the job's sum.
  using Visit = std::uint64_t (*)(const void* job, Range range);

  explicit Team(std::size_t threads) : barrier_(static_cast<std::ptrdiff_t>(threads)) {
    sums_.resize(threads);
    others_.reserve(threads - 1);
    for (std::size_t number = 1; number < threads; ++number)
      others_.emplace_back([this, number] { work(number); });
  }

  ~Team() {
    visit_ = nullptr;
    barrier_.arrive_and_wait();
    for (std::thread& other : others_) other.join();
  }

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // The sum over [0, count).
  std::uint64_t run(const void* job, std::size_t count, Visit visit) {
    job_ = job;
    count_ = count;
    visit_ = visit;
    barrier_.arrive_and_wait();
    take_part(0);
    barrier_.arrive_and_wait();
    std::uint64_t sum = 0;
    for (const Sum& part : sums_) sum += part.value;
    return sum;
  }

 private:
  struct alignas(64) Sum {
    std::uint64_t value = 0;
  };

  void take_part(std::size_t number) {
    const std::size_t threads = sums_.size();
    const Range range{count_ * number / threads, count_ * (number + 1) / threads};
    sums_[number].value = visit_(job_, range);
  }

  void work(std::size_t number) {
    for (;;) {
      barrier_.arrive_and_wait();
      if (visit_ == nullptr) return;
      take_part(number);
      barrier_.arrive_and_wait();
    }
  }

  std::barrier<> barrier_;
  std::vector<Sum> sums_;
  std::vector<std::thread> others_;
  const void* job_ = nullptr;
  std::size_t count_ = 0;
  Visit visit_ = nullptr;
};

}  // namespace windrow::bench

#endif  // WINDROW_BENCH_TEAM_H_

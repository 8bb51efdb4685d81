#ifndef WINDROW_DISTRIBUTED_THREAD_RANKS_FIXTURE_H_
#define WINDROW_DISTRIBUTED_THREAD_RANKS_FIXTURE_H_

#include <condition_variable>
#include <cstring>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "windrow/distributed.h"

namespace windrow::internal {

// Threads of this process as ranks: the twin of MPI for tests. It counts what travels.
class ThreadRanks {
 public:
  explicit ThreadRanks(int ranks)
      : numbers_(static_cast<std::size_t>(ranks)), to_(numbers_.size()), ranks_(ranks) {}

  // Calls body(exchange) on a thread per rank and returns when all have returned. A rank that
  // returns while others wait for it is an error (kIo) of theirs.
  void run(const std::function<void(Exchange&)>& body) {
    std::vector<std::thread> threads;
    for (int rank = 0; rank < ranks_; ++rank)
      threads.emplace_back([this, rank, &body] {
        Rank exchange(*this, rank);
        body(exchange);
        leave();
      });
    for (std::thread& thread : threads) thread.join();
  }

  // Bytes of exchange_bytes() that went from one rank to another.
  std::int64_t bytes() const { return bytes_; }
  // From now on the exchange_bytes() of that number, counted from 0 on, fails on rank `rank`.
  void fail_at(int rank, int number) {
    failing_rank_ = rank;
    failing_number_ = number;
  }

 private:
  class Rank final : public Exchange {
   public:
    Rank(ThreadRanks& all, int rank) : all_(all), rank_(rank) {}
    int rank() const noexcept override { return rank_; }
    int ranks() const noexcept override { return all_.ranks_; }

    Status exchange_numbers(std::span<const std::int64_t> to,
                            std::span<std::int64_t> from) override {
      all_.numbers_[own()] = to;
      if (!all_.meet()) return lost();
      const std::size_t each = to.size() / all_.numbers_.size();
      for (std::size_t r = 0; r < all_.numbers_.size(); ++r)
        std::memcpy(from.data() + r * each, all_.numbers_[r].data() + own() * each,
                    each * sizeof(std::int64_t));
      return all_.meet() ? Status() : lost();
    }

    Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                          std::span<const std::span<std::byte>> from) override {
      if (rank_ == all_.failing_rank_ && exchanges_++ == all_.failing_number_)
        return Status(ErrorCode::kIo, "the exchange of this rank fails");
      all_.to_[own()] = to;
      if (!all_.meet()) return lost();
      for (std::size_t r = 0; r < from.size(); ++r) {
        if (r == own()) continue;
        const std::span<const std::byte> sent = all_.to_[r][own()];
        if (sent.size() != from[r].size()) return Status(ErrorCode::kInternal, "other lengths");
        if (!sent.empty()) std::memcpy(from[r].data(), sent.data(), sent.size());
        const std::lock_guard lock(all_.mutex_);
        all_.bytes_ += static_cast<std::int64_t>(sent.size());
      }
      return all_.meet() ? Status() : lost();
    }

   private:
    std::size_t own() const { return static_cast<std::size_t>(rank_); }
    static Status lost() { return Status(ErrorCode::kIo, "a rank has left"); }
    ThreadRanks& all_;
    int rank_;
    int exchanges_ = 0;
  };

  // Waits until all ranks are here; false if one of them has left.
  bool meet() {
    std::unique_lock lock(mutex_);
    const int round = round_;
    if (++here_ == ranks_) {
      here_ = 0;
      round_ += 1;
      met_.notify_all();
      return true;
    }
    met_.wait(lock, [&] { return round_ != round || left_ > 0; });
    return round_ != round;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    left_ += 1;
    met_.notify_all();
  }

  std::vector<std::span<const std::int64_t>> numbers_;
  std::vector<std::span<const std::span<const std::byte>>> to_;
  std::mutex mutex_;
  std::condition_variable met_;
  int here_ = 0;
  int ranks_;
  int round_ = 0;
  int left_ = 0;
  int failing_rank_ = -1;
  int failing_number_ = 0;
  std::int64_t bytes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_THREAD_RANKS_FIXTURE_H_

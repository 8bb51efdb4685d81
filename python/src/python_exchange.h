#ifndef WINDROW_PYTHON_PYTHON_EXCHANGE_H_
#define WINDROW_PYTHON_PYTHON_EXCHANGE_H_

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "python/src/call_options.h"
#include "python/src/signals.h"
#include "windrow/distributed.h"

namespace windrow::python {

// An exchange by a windrow.distributed.Exchange. Python gets copies of what is sent and returns
// arrays of its own, so that no object of Python keeps memory of the library, whatever it raises.
class PythonExchange final : public Exchange {
 public:
  // Reads rank and number of ranks. Throws windrow::Error (kInvalidArgument) or a Python error.
  explicit PythonExchange(nanobind::object exchange);

  int rank() const noexcept override { return rank_; }
  int ranks() const noexcept override { return ranks_; }
  // They are called inside run(). What Python raises is kept for run() and is also the Status.
  Status exchange_numbers(std::span<const std::int64_t> to, std::span<std::int64_t> from) override;
  Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                        std::span<const std::span<std::byte>> from) override;
  Status exchange_both(std::span<const std::span<const std::byte>> to,
                       std::span<const std::span<std::byte>> from,
                       std::span<const std::int64_t> numbers_to,
                       std::span<std::int64_t> numbers_from) override;

  // Returns what `call` returns, a Status or Result, which runs without the GIL and may use this
  // exchange. Throws what Python raised meanwhile, and windrow::Error (kInvalidArgument) if another
  // run() is under way, in another thread or around this one.
  template <class Call>
  auto run(const Call& call) {
    check_idle();
    const Busy busy(*this);
    std::optional<decltype(call())> result;
    {
      GilRelease released;
      released_ = &released;
      result.emplace(call());
    }
    if (raised_) throw *std::exchange(raised_, std::nullopt);
    return *std::move(result);
  }

  // Throws windrow::Error (kInvalidArgument) while a run() is under way.
  void check_idle() const;

 private:
  struct Busy {
    explicit Busy(PythonExchange& all) : all_(all) {}
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() { all_.released_ = nullptr; }
    PythonExchange& all_;
  };

  // Calls `body` with the GIL held; what it throws becomes the error.
  template <class Body>
  Status in_python(const Body& body);
  // The error for what Python raised, which is kept.
  Status keep(nanobind::python_error& error);

  nanobind::object exchange_;
  int rank_ = 0;
  int ranks_ = 1;
  GilRelease* released_ = nullptr;  // of the run() that is under way
  std::optional<nanobind::python_error> raised_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_PYTHON_EXCHANGE_H_

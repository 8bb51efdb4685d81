#include "python/src/python_exchange.h"

#include <nanobind/stl/string.h>

#include <cstring>
#include <exception>
#include <limits>
#include <string>

#include "python/src/fields.h"
#include "python/src/numpy_array.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

int number_of(nb::handle exchange, const char* name, std::int64_t least) {
  const nb::object number = exchange.attr(name);
  const std::int64_t value = integer_of(number.ptr(), std::string("the exchange's ") + name);
  if (value < least || value > std::numeric_limits<int>::max())
    throw wrong_argument(std::string("the exchange's ") + name + " is " + std::to_string(value) +
                         ", must be at least " + std::to_string(least) + " and below 2^31");
  return static_cast<int>(value);
}

// The memory of an array that Python returned. Throws windrow::Error unless it is row-major and of
// this type and shape.
const std::byte* returned_memory(const nb::object& array, DType dtype, const Shape& shape,
                                 const char* function) {
  TensorView view;
  if (!is_numpy_array(array.ptr()) || !view_numpy(array.ptr(), "the result", view) ||
      view.dtype != dtype || !(view.shape == shape) || !view.is_dense())
    throw wrong_argument(std::string(function) +
                         "() of the exchange must return a row-major NumPy array of type " +
                         std::string(dtype_name(dtype)) + " and shape " + to_string(shape));
  return static_cast<const std::byte*>(view.data);
}

// Lengths of parts, without that of this rank, which is never sent.
template <class Parts>
nb::tuple lengths_of(const Parts& parts, int own) {
  nb::list lengths = new_list();
  for (std::size_t r = 0; r < parts.size(); ++r)
    lengths.append(r == static_cast<std::size_t>(own) ? 0 : parts[r].size());
  return nb::tuple(lengths);
}

template <class Parts>
std::int64_t total_of(const Parts& parts, int own) {
  std::size_t total = 0;
  for (std::size_t r = 0; r < parts.size(); ++r)
    if (r != static_cast<std::size_t>(own)) total += parts[r].size();
  return static_cast<std::int64_t>(total);
}

// The numbers in an array of Python's, a row for each rank.
nb::object copied_numbers(std::span<const std::int64_t> numbers, int ranks) {
  NewArray sent =
      new_numpy_array(DType::kInt64, {ranks, static_cast<std::int64_t>(numbers.size()) / ranks});
  std::memcpy(sent.memory, numbers.data(), numbers.size_bytes());
  return std::move(sent.array);
}

void unpack_numbers(const nb::object& got, const char* function, int ranks,
                    std::span<std::int64_t> from) {
  const Shape shape = {ranks, static_cast<std::int64_t>(from.size()) / ranks};
  std::memcpy(from.data(), returned_memory(got, DType::kInt64, shape, function), from.size_bytes());
}

// The bytes for all other ranks, one after another, in an array of Python's.
nb::object packed_bytes(std::span<const std::span<const std::byte>> to, int own) {
  NewArray sent = new_numpy_array(DType::kUint8, {total_of(to, own)});
  {
    const GilRelease released;
    auto* at = static_cast<std::byte*>(sent.memory);
    for (std::size_t r = 0; r < to.size(); ++r) {
      if (r == static_cast<std::size_t>(own) || to[r].empty()) continue;
      std::memcpy(at, to[r].data(), to[r].size());
      at += to[r].size();
    }
  }
  return std::move(sent.array);
}

void unpack_bytes(const nb::object& got, const char* function, int own,
                  std::span<const std::span<std::byte>> from) {
  const std::byte* at = returned_memory(got, DType::kUint8, {total_of(from, own)}, function);
  const GilRelease released;
  for (std::size_t r = 0; r < from.size(); ++r) {
    if (r == static_cast<std::size_t>(own) || from[r].empty()) continue;
    std::memcpy(from[r].data(), at, from[r].size());
    at += from[r].size();
  }
}

std::string text_of_error(const nb::python_error& error) {
  try {
    return nb::cast<std::string>(nb::str(error.type().attr("__name__"))) + ": " +
           nb::cast<std::string>(nb::str(error.value()));
  } catch (nb::python_error&) {
    return "an exception without a text";
  }
}

}  // namespace

PythonExchange::PythonExchange(nb::object exchange) : exchange_(std::move(exchange)) {
  ranks_ = number_of(exchange_, "ranks", 1);
  rank_ = number_of(exchange_, "rank", 0);
  if (rank_ >= ranks_)
    throw wrong_argument("the exchange's rank is " + std::to_string(rank_) + ", must be below " +
                         std::to_string(ranks_) + ", the number of ranks");
}

void PythonExchange::check_idle() const {
  if (released_ == nullptr) return;
  throw wrong_argument(
      "a distributed table: another call of this table is under way, in another thread or around "
      "this one");
}

Status PythonExchange::keep(nb::python_error& error) {
  Status status(ErrorCode::kIo, "the exchange of rank " + std::to_string(rank_) + " raised " +
                                    text_of_error(error));
  raised_.emplace(std::move(error));
  return status;
}

template <class Body>
Status PythonExchange::in_python(const Body& body) {
  Status status;
  released_->hold([&] {
    try {
      body();
    } catch (nb::python_error& error) {
      status = keep(error);
    } catch (const Error& error) {
      status = error.status();
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      status = Status(ErrorCode::kInternal, std::string("unexpected: ") + error.what());
    }
  });
  return status;
}

Status PythonExchange::exchange_numbers(std::span<const std::int64_t> to,
                                        std::span<std::int64_t> from) {
  return in_python([&] {
    const nb::object sent = copied_numbers(to, ranks_);
    unpack_numbers(exchange_.attr("exchange_numbers")(sent), "exchange_numbers", ranks_, from);
  });
}

Status PythonExchange::exchange_bytes(std::span<const std::span<const std::byte>> to,
                                      std::span<const std::span<std::byte>> from) {
  return in_python([&] {
    const nb::object sent = packed_bytes(to, rank_);
    unpack_bytes(
        exchange_.attr("exchange_bytes")(sent, lengths_of(to, rank_), lengths_of(from, rank_)),
        "exchange_bytes", rank_, from);
  });
}

Status PythonExchange::exchange_both(std::span<const std::span<const std::byte>> to,
                                     std::span<const std::span<std::byte>> from,
                                     std::span<const std::int64_t> numbers_to,
                                     std::span<std::int64_t> numbers_from) {
  return in_python([&] {
    const nb::object sent = packed_bytes(to, rank_);
    const nb::object numbers = copied_numbers(numbers_to, ranks_);
    const nb::object got = exchange_.attr("exchange_both")(sent, lengths_of(to, rank_),
                                                           lengths_of(from, rank_), numbers);
    if (!nb::isinstance<nb::tuple>(got) || nb::len(got) != 2)
      throw wrong_argument("exchange_both() of the exchange must return a tuple of two arrays");
    unpack_bytes(got[0], "exchange_both", rank_, from);
    unpack_numbers(got[1], "exchange_both", ranks_, numbers_from);
  });
}

}  // namespace windrow::python

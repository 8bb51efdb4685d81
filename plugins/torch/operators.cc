#include "plugins/torch/operators.h"

#include <torch/csrc/stable/library.h>
#include <torch/csrc/stable/ops.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/torch/indices.h"
#include "plugins/torch/run.h"
#include "plugins/torch/view.h"

namespace windrow::torch_plugin {
namespace {

using Shape = std::vector<int64_t>;

Reduction parse_reduction(const std::string& name, bool may_be_none) {
  if (name == "sum") return Reduction::kSum;
  if (name == "prod") return Reduction::kProd;
  if (name == "mean" && !may_be_none) return Reduction::kMean;
  if (name == "amax") return Reduction::kMax;
  if (name == "amin") return Reduction::kMin;
  if (name == "none" && may_be_none) return Reduction::kNone;
  fail("reduce = '" + name + "' is none of 'sum', 'prod', " + (may_be_none ? "" : "'mean', ") +
       "'amax', 'amin'" + (may_be_none ? ", 'none'" : ""));
}

Reduction parse_mode(const std::string& name) {
  if (name == "sum") return Reduction::kSum;
  if (name == "mean") return Reduction::kMean;
  if (name == "max") return Reduction::kMax;
  fail("mode = '" + name + "' is none of 'sum', 'mean', 'max'");
}

bool is_complex(windrow_dtype dtype) {
  return dtype == WINDROW_COMPLEX64 || dtype == WINDROW_COMPLEX128;
}

bool has_infinity(windrow_dtype dtype) {
  return dtype == WINDROW_FLOAT16 || dtype == WINDROW_BFLOAT16 || dtype == WINDROW_FLOAT32 ||
         dtype == WINDROW_FLOAT64;
}

// A view with the rank that torch sees, including 0.
View exact_view(const Tensor& tensor) {
  View view(tensor);
  view.rank = static_cast<int32_t>(tensor.dim());
  return view;
}

std::optional<View> optional_view(const std::optional<Tensor>& tensor) {
  if (!tensor) return std::nullopt;
  return exact_view(*tensor);
}

// The number of bags of legal ids and offsets; those that are not are refused by the operator.
int64_t bag_count(const View& ids, const std::optional<View>& offsets, bool has_end) {
  const View& bags = ids.rank != 2 && offsets ? *offsets : ids;
  const int64_t extent = bags.rank == 0 ? 0 : bags.shape[0];
  return std::max<int64_t>(extent - (has_end ? 1 : 0), 0);
}

// self[.., index.., ..]: the axes of index in place of axis `dim`.
Tensor take_slices(const Tensor& self, const View& data, int64_t dim, Index index) {
  index.view.rank = static_cast<int32_t>(index.meaning.rank);
  Shape shape(data.shape, data.shape + dim);
  shape.insert(shape.end(), index.view.shape, index.view.shape + index.view.rank);
  shape.insert(shape.end(), data.shape + dim + 1, data.shape + data.rank);
  Tensor result = make_output(self, shape);
  const View* inputs[] = {&data, &index.view};
  run({.op = Operator::kTake, .dim = dim, .index = index.meaning}, inputs, exact_view(result));
  return result;
}

void add_rows(const View& data, int64_t dim, const Tensor& index, const Tensor& source,
              const Reading& reading, const View& output) {
  const Index rows(index, reading);
  check_vector(rows);
  const View updates(source);
  const View* inputs[] = {&data, &rows.view, &updates};
  run({.op = Operator::kIndexAdd, .dim = wrap_dim(dim, data), .index = rows.meaning}, inputs,
      output);
}

// The product of complex numbers, which OpenVINO's operator does not have but ONNX's has.
void multiply_complex(const View& data, const Index& places, const View& updates, int64_t dim,
                      bool include_self, const View& output) {
  const auto run_once = [&](const View& from, const View& factors, Reduction how) {
    const View* inputs[] = {&from, &places.view, &factors};
    run({.op = Operator::kOnnxScatterElements,
         .dim = dim,
         .reduction = how,
         .index = places.meaning},
        inputs, output);
  };
  if (include_self) return run_once(data, updates, Reduction::kProd);
  static constexpr float kOneOfFloats[] = {1, 0};
  static constexpr double kOneOfDoubles[] = {1, 0};
  const void* one = updates.dtype == WINDROW_COMPLEX64 ? static_cast<const void*>(kOneOfFloats)
                                                       : static_cast<const void*>(kOneOfDoubles);
  View ones = updates;
  ones.data = const_cast<void*>(one);  // only read, because it is an input
  std::fill_n(ones.strides, ones.rank, 0);
  run_once(data, ones, Reduction::kNone);
  run_once(output, updates, Reduction::kProd);
}

// Takes one element for each of `places`. Throws if src does not have the shape of index.
View element_source(const Tensor& src, const Tensor& index, const Index& places) {
  View updates(src);
  const bool none = places.view.empty();
  const auto shape = none ? shape_of(index) : places.view.extents();
  if (!std::ranges::equal(shape, updates.extents())) {
    fail("src has the shape " + shape_text(updates.extents()) + " and index " + shape_text(shape) +
         "; they must have the same");
  }
  if (!none) return updates;
  View fitted = places.view;
  fitted.dtype = updates.dtype;
  return fitted;
}

// Scatters along an axis from `data` into `output`, which is data itself for in-place runs.
void scatter_elements(const View& data, int64_t dim, const Tensor& index, const Tensor& src,
                      Reduction reduction, bool include_self, const Reading& reading,
                      const View& output) {
  View cells = data;
  View result = output;
  const int64_t axis = wrap_dim(dim, data);
  Index places = element_index(index, data, axis, reading);
  View updates = element_source(src, index, places);
  if (is_complex(data.dtype) && data.dtype == updates.dtype) {
    if (reduction == Reduction::kProd) {
      multiply_complex(cells, places, updates, axis, include_self, result);
      return;
    }
    if (reduction != Reduction::kMax && reduction != Reduction::kMin) {
      for (View* view : {&cells, &updates, &result}) view->split_complex();
      places.view.append_axis(2, 0);
      places.meaning.copies = 2;
    }
  }
  const auto run_once = [&](const View& from, Reduction how, bool with_self) {
    const View* inputs[] = {&from, &places.view, &updates};
    run({.op = Operator::kScatterElements,
         .dim = axis,
         .reduction = how,
         .include_self = with_self,
         .index = places.meaning},
        inputs, result);
  };
  if (!include_self && has_infinity(cells.dtype) &&
      (reduction == Reduction::kMax || reduction == Reduction::kMin)) {
    // Windrow's folds without self start with the largest finite number, torch's with infinity. Any
    // update is as good a start as infinity.
    run_once(cells, Reduction::kNone, true);
    run_once(result, reduction, true);
  } else {
    run_once(cells, reduction, include_self);
  }
}

void scatter_tuples(const View& data, const Tensor& index, const Tensor& src,
                    const std::string& reduce, const Reading& reading, const View& output) {
  const Index tuples(index, reading);
  const View updates = exact_view(src);
  const View* inputs[] = {&data, &tuples.view, &updates};
  run({.op = Operator::kScatterNd,
       .reduction = parse_reduction(reduce, true),
       .index = tuples.meaning},
      inputs, output);
}

}  // namespace

Tensor index_select(const Tensor& self, int64_t dim, const Tensor& index,
                    const std::string& out_of_range, const std::string& negative,
                    std::optional<int64_t> padding_index) {
  const View data(self);
  Index rows(index, {out_of_range, negative, padding_index});
  check_vector(rows);
  dim = wrap_dim(dim, data);
  Shape shape(data.shape, data.shape + data.rank);
  shape[static_cast<std::size_t>(dim)] = rows.view.shape[0];
  if (self.dim() == 0 && rows.view.shape[0] == 1) shape.clear();
  Tensor result = make_output(self, shape);
  const View* inputs[] = {&data, &rows.view};
  run({.op = Operator::kTake, .dim = dim, .index = rows.meaning}, inputs, View(result));
  return result;
}

Tensor take(const Tensor& self, const Tensor& index, std::optional<int64_t> dim,
            const std::string& out_of_range, const std::string& negative,
            std::optional<int64_t> padding_index) {
  const Index places(index, {out_of_range, negative, padding_index});
  if (!dim) {
    const Tensor flat = torch::stable::flatten(self, 0, -1);
    return take_slices(flat, View(flat), 0, places);
  }
  const View data(self);
  return take_slices(self, data, wrap_dim(*dim, data), places);
}

Tensor gather(const Tensor& self, int64_t dim, const Tensor& index, const std::string& out_of_range,
              const std::string& negative, std::optional<int64_t> padding_index) {
  View data(self);
  dim = wrap_dim(dim, data);
  const Index places = element_index(index, data, dim, {out_of_range, negative, padding_index});
  if (places.view.empty()) return make_output(self, shape_of(index));
  for (int32_t axis = 0; axis < data.rank; ++axis) {
    if (axis != dim) data.shape[axis] = places.view.shape[axis];
  }
  Tensor result = make_output(self, shape_of(index));
  const View* inputs[] = {&data, &places.view};
  run({.op = Operator::kTakeAlongAxis, .dim = dim, .index = places.meaning}, inputs, View(result));
  return result;
}

Tensor embedding(const Tensor& weight, const Tensor& indices, int64_t, bool,
                 const std::string& out_of_range, const std::string& negative,
                 std::optional<int64_t> padding_index) {
  const View table(weight);
  if (weight.dim() != 2) {
    fail("weight has the shape " + shape_text(shape_of(weight)) + "; it must have two axes");
  }
  return take_slices(weight, table, 0,
                     Index(indices, {out_of_range, negative, padding_index}, "indices"));
}

Tensor embedding_bag(const Tensor& weight, const Tensor& indices,
                     const std::optional<Tensor>& offsets, const std::string& mode,
                     const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
                     bool, const std::string& accumulate, const std::string& out_of_range,
                     const std::string& negative, std::optional<int64_t> padding_index) {
  const View table = exact_view(weight);
  Index ids(indices, {out_of_range, negative, padding_index}, "indices");
  ids.view.rank = static_cast<int32_t>(ids.meaning.rank);
  const std::optional<View> starts = optional_view(offsets);
  const std::optional<View> factors = optional_view(per_sample_weights);
  if (starts) check_index_type(*starts, "offsets");
  if (!accumulate.empty() && accumulate != "float32") {
    fail("accumulate = '" + accumulate + "' is none of '', 'float32'");
  }
  Shape shape = {bag_count(ids.view, starts, include_last_offset)};
  if (table.rank > 1) shape.insert(shape.end(), table.shape + 1, table.shape + table.rank);
  Tensor result = make_output(weight, shape);
  const View* inputs[] = {&table, &ids.view, starts ? &*starts : nullptr,
                          factors ? &*factors : nullptr};
  run({.op = Operator::kEmbeddingBag,
       .reduction = parse_mode(mode),
       .has_end = include_last_offset,
       .in_float32 = !accumulate.empty(),
       .index = ids.meaning},
      inputs, View(result));
  return result;
}

Tensor gather_nd(const Tensor& self, const Tensor& index, const std::string& out_of_range,
                 const std::string& negative, std::optional<int64_t> padding_index) {
  const View data(self);
  const Index tuples(index, {out_of_range, negative, padding_index});
  const int64_t length = tuples.view.shape[tuples.view.rank - 1];
  if (length < 1 || length > data.rank) {
    fail("index has the shape " + shape_text(tuples.view.extents()) + " and self " +
         shape_text(data.extents()) + "; the last axis of index holds 1 to " +
         std::to_string(data.rank) + " coordinates");
  }
  Shape shape(tuples.view.shape, tuples.view.shape + tuples.view.rank - 1);
  shape.insert(shape.end(), data.shape + length, data.shape + data.rank);
  Tensor result = make_output(self, shape);
  const View* inputs[] = {&data, &tuples.view};
  run({.op = Operator::kGatherNd, .index = tuples.meaning}, inputs, exact_view(result));
  return result;
}

Tensor index_add(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                 const std::string& out_of_range, const std::string& negative,
                 std::optional<int64_t> padding_index) {
  Tensor result = make_output(self, shape_of(self));
  add_rows(View(self), dim, index, source, {out_of_range, negative, padding_index}, View(result));
  return result;
}

void index_add_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& source,
                        const std::string& out_of_range, const std::string& negative,
                        std::optional<int64_t> padding_index) {
  const View data(self);
  add_rows(data, dim, index, source, {out_of_range, negative, padding_index}, data);
}

Tensor scatter(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
               const std::string& out_of_range, const std::string& negative,
               std::optional<int64_t> padding_index) {
  Tensor result = make_output(self, shape_of(self));
  scatter_elements(View(self), dim, index, src, Reduction::kNone, true,
                   {out_of_range, negative, padding_index}, View(result));
  return result;
}

void scatter_in_place(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& out_of_range, const std::string& negative,
                      std::optional<int64_t> padding_index) {
  const View data(self);
  scatter_elements(data, dim, index, src, Reduction::kNone, true,
                   {out_of_range, negative, padding_index}, data);
}

Tensor scatter_reduce(const Tensor& self, int64_t dim, const Tensor& index, const Tensor& src,
                      const std::string& reduce, bool include_self, const std::string& out_of_range,
                      const std::string& negative, std::optional<int64_t> padding_index) {
  const Reduction reduction = parse_reduction(reduce, false);
  Tensor result = make_output(self, shape_of(self));
  scatter_elements(View(self), dim, index, src, reduction, include_self,
                   {out_of_range, negative, padding_index}, View(result));
  return result;
}

void scatter_reduce_in_place(const Tensor& self, int64_t dim, const Tensor& index,
                             const Tensor& src, const std::string& reduce, bool include_self,
                             const std::string& out_of_range, const std::string& negative,
                             std::optional<int64_t> padding_index) {
  const View data(self);
  scatter_elements(data, dim, index, src, parse_reduction(reduce, false), include_self,
                   {out_of_range, negative, padding_index}, data);
}

Tensor scatter_nd(const Tensor& self, const Tensor& index, const Tensor& src,
                  const std::string& reduce, const std::string& out_of_range,
                  const std::string& negative, std::optional<int64_t> padding_index) {
  Tensor result = make_output(self, shape_of(self));
  scatter_tuples(View(self), index, src, reduce, {out_of_range, negative, padding_index},
                 View(result));
  return result;
}

void scatter_nd_in_place(const Tensor& self, const Tensor& index, const Tensor& src,
                         const std::string& reduce, const std::string& out_of_range,
                         const std::string& negative, std::optional<int64_t> padding_index) {
  const View data(self);
  scatter_tuples(data, index, src, reduce, {out_of_range, negative, padding_index}, data);
}

// The operators as torch sees them: torch.ops.windrow.*. Functions for shapes without data, and
// gradients, are registered in Python (windrow.torch).

namespace {

template <std::size_t kSize>
struct Name {
  char text[kSize];
  consteval Name(const char (&given)[kSize]) { std::copy_n(given, kSize, text); }
};

// Calls `kFunction`, and puts the operator's name in front of its errors.
template <Name kName, auto kFunction>
struct Named;

template <Name kName, typename Result, typename... Arguments, Result (*kFunction)(Arguments...)>
struct Named<kName, kFunction> {
  static Result call(Arguments... arguments) {
    try {
      return kFunction(arguments...);
    } catch (const std::exception& error) {
      throw std::runtime_error("windrow::" + std::string(kName.text) + ": " + error.what());
    }
  }
};

template <Name kName, auto kFunction>
void implement(torch::stable::detail::StableLibrary& library) {
  using Kernel = Named<kName, kFunction>;
  library.impl(kName.text, TORCH_BOX(&Kernel::call));
}

// The options of every operator, behind the others that only have names.
constexpr std::string_view kFromEnd = "from_end";
constexpr std::string_view kOutOfRange = "out_of_range";

// Defines an operator. `arguments`: before the options; `negative`: what it takes negative indices
// for unless it is told.
void define(torch::stable::detail::StableLibrary& library, const std::string& arguments,
            std::string_view negative, const char* result) {
  library.def((arguments + "str out_of_range=\"error\", str negative=\"" + std::string(negative) +
               "\", int? padding_index=None) -> " + result)
                  .c_str());
}

STABLE_TORCH_LIBRARY(windrow, library) {
  define(library, "index_select(Tensor self, int dim, Tensor index, *, ", kOutOfRange, "Tensor");
  define(library, "take(Tensor self, Tensor index, *, int? dim=None, ", kFromEnd, "Tensor");
  define(library, "gather(Tensor self, int dim, Tensor index, *, ", kOutOfRange, "Tensor");
  define(library,
         "embedding(Tensor weight, Tensor indices, int padding_idx=-1, "
         "bool scale_grad_by_freq=False, *, ",
         kOutOfRange, "Tensor");
  define(library,
         "embedding_bag(Tensor weight, Tensor indices, Tensor? offsets=None, str mode=\"mean\", "
         "Tensor? per_sample_weights=None, bool include_last_offset=False, "
         "bool scale_grad_by_freq=False, *, str accumulate=\"\", ",
         kOutOfRange, "Tensor");
  define(library, "gather_nd(Tensor self, Tensor index, *, ", kFromEnd, "Tensor");
  define(library, "index_add(Tensor self, int dim, Tensor index, Tensor source, *, ", kOutOfRange,
         "Tensor");
  define(library, "index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, ",
         kOutOfRange, "()");
  define(library, "scatter(Tensor self, int dim, Tensor index, Tensor src, *, ", kOutOfRange,
         "Tensor");
  define(library, "scatter_(Tensor(a!) self, int dim, Tensor index, Tensor src, *, ", kOutOfRange,
         "()");
  define(library,
         "scatter_reduce(Tensor self, int dim, Tensor index, Tensor src, str reduce, *, "
         "bool include_self=True, ",
         kOutOfRange, "Tensor");
  define(library,
         "scatter_reduce_(Tensor(a!) self, int dim, Tensor index, Tensor src, str reduce, *, "
         "bool include_self=True, ",
         kOutOfRange, "()");
  define(library, "scatter_nd(Tensor self, Tensor index, Tensor src, str reduce=\"none\", *, ",
         kFromEnd, "Tensor");
  define(library, "scatter_nd_(Tensor(a!) self, Tensor index, Tensor src, str reduce=\"none\", *, ",
         kFromEnd, "()");
}

STABLE_TORCH_LIBRARY_IMPL(windrow, CPU, library) {
  implement<"index_select", index_select>(library);
  implement<"take", take>(library);
  implement<"gather", gather>(library);
  implement<"embedding", embedding>(library);
  implement<"embedding_bag", embedding_bag>(library);
  implement<"gather_nd", gather_nd>(library);
  implement<"index_add", index_add>(library);
  implement<"index_add_", index_add_in_place>(library);
  implement<"scatter", scatter>(library);
  implement<"scatter_", scatter_in_place>(library);
  implement<"scatter_reduce", scatter_reduce>(library);
  implement<"scatter_reduce_", scatter_reduce_in_place>(library);
  implement<"scatter_nd", scatter_nd>(library);
  implement<"scatter_nd_", scatter_nd_in_place>(library);
}

}  // namespace
}  // namespace windrow::torch_plugin

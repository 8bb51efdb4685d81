#ifndef WINDROW_C_H_
#define WINDROW_C_H_

/* The C interface: C99 or newer, and any language that can call C. In the core library. One long
 * file, because other languages bind a single header.
 *
 * Everywhere:
 * - No function throws, prints or ends the process.
 * - Functions that can fail return a windrow_code. If it is not WINDROW_OK and `error` is not null,
 * *error is set to an error that the caller frees with windrow_error_free(); its text is UTF-8. On
 * WINDROW_OK *error is set to null. Other outputs are set only on WINDROW_OK.
 * - Text given to the library is zero-terminated and only used during the call. Text returned by
 * the library is zero-terminated and valid as long as the handle it comes from, or for ever if
 * there is none.
 * - Handles are constant after creation: several threads may use one at the same time. Nothing may
 * use a handle during the call that frees it or later.
 * - A null handle is an error of the functions that return a code. The functions that free accept
 * it; those that ask about it return 0 or null, and of a null error WINDROW_OK and "".
 * - Structs with a member `size` grow in later versions. Set all of it to zero first, then
 *   size = sizeof(the struct): members set to zero mean the default.
 */

/* NOLINTBEGIN(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming): C.
 */
#include <stddef.h>
#include <stdint.h>

#include "windrow/export.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Numbers; none of them ever changes its meaning ---- */

/* What went wrong. */
typedef int32_t windrow_code;
enum {
  WINDROW_OK = 0,
  WINDROW_INVALID_ARGUMENT = 1,   /* an attribute, option or call that no input could make valid */
  WINDROW_SHAPE = 2,              /* ranks or extents that do not fit */
  WINDROW_TYPE = 3,               /* an element type that the operator version does not take */
  WINDROW_INDEX_OUT_OF_RANGE = 4, /* an index outside its legal range, and the policy is error */
  WINDROW_DUPLICATE = 5,          /* two updates of one cell under WINDROW_DUPLICATES_ERROR */
  WINDROW_UNSUPPORTED = 6, /* an operator, version, kernel set or feature that is not available */
  WINDROW_OUT_OF_MEMORY = 7,
  WINDROW_FORMAT = 8, /* malformed bytes */
  WINDROW_IO = 9,     /* a file that cannot be read or written */
  WINDROW_INTERNAL = 10,
  WINDROW_INTERRUPTED = 11 /* windrow_run_options.interrupted ended the run */
};

/* The element type of a tensor. Types of 4 and 2 bits are packed: two or four to a byte, the first
 * one in the lowest bits. A complex element is two floats, the real part first. */
typedef int32_t windrow_dtype;
enum {
  WINDROW_ABSENT = 0, /* an omitted optional input */
  WINDROW_BOOL = 1,   /* one byte; not 0 is true */
  WINDROW_INT4 = 2,
  WINDROW_INT8 = 3,
  WINDROW_INT16 = 4,
  WINDROW_INT32 = 5,
  WINDROW_INT64 = 6,
  WINDROW_UINT4 = 7,
  WINDROW_UINT8 = 8,
  WINDROW_UINT16 = 9,
  WINDROW_UINT32 = 10,
  WINDROW_UINT64 = 11,
  WINDROW_FLOAT16 = 12,
  WINDROW_BFLOAT16 = 13,
  WINDROW_FLOAT32 = 14,
  WINDROW_FLOAT64 = 15,
  WINDROW_COMPLEX64 = 16,
  WINDROW_COMPLEX128 = 17,
  WINDROW_STRING = 18, /* windrow_string */
  WINDROW_FLOAT8_E4M3FN = 19,
  WINDROW_FLOAT8_E4M3FNUZ = 20,
  WINDROW_FLOAT8_E5M2 = 21,
  WINDROW_FLOAT8_E5M2FNUZ = 22,
  WINDROW_FLOAT8_E8M0FNU = 23,
  WINDROW_FLOAT4_E2M1FN = 24,
  WINDROW_UINT1 = 25, /* eight to a byte, the first one in the highest bit */
  WINDROW_NF4 = 26,
  WINDROW_UINT2 = 27
};

/* What a coordinate outside [0, extent) means. */
enum {
  WINDROW_OUT_OF_RANGE_DEFAULT = 0, /* as the operator's version says */
  WINDROW_OUT_OF_RANGE_ERROR = 1,   /* the call fails and names the first bad index */
  WINDROW_OUT_OF_RANGE_ZERO = 2,    /* gathers: the element is zero (false, empty string) */
  WINDROW_OUT_OF_RANGE_SKIP = 3,    /* scatters: the update is dropped */
  WINDROW_OUT_OF_RANGE_CLAMP = 4,   /* the nearest valid coordinate */
  WINDROW_OUT_OF_RANGE_MODULO = 5   /* the coordinate modulo the extent, never negative */
};

/* What a negative index means. */
enum {
  WINDROW_NEGATIVE_DEFAULT = 0,      /* as the operator's version says */
  WINDROW_NEGATIVE_FROM_END = 1,     /* it counts from the end: -1 is the last element */
  WINDROW_NEGATIVE_OUT_OF_RANGE = 2, /* it is out of range, whatever its size */
  WINDROW_NEGATIVE_ERROR = 3         /* the call fails, whatever an index out of range means */
};

/* What a scatter does if it writes to one cell more than once. */
enum {
  WINDROW_DUPLICATES_ALLOW = 0, /* the last update wins; reductions fold all, in row-major order */
  WINDROW_DUPLICATES_ERROR = 1  /* the call fails and names both positions */
};

/* Which member of a windrow_attribute holds its value. */
enum {
  WINDROW_ATTRIBUTE_INT = 1,
  WINDROW_ATTRIBUTE_FLOAT = 2,
  WINDROW_ATTRIBUTE_STRING = 3,
  WINDROW_ATTRIBUTE_INTS = 4
};

/* ---- Plain data ---- */

/* One element of a string tensor: `size` bytes at `data`, any bytes, no zero byte at the end.
 * `data` may be null if `size` is 0. */
typedef struct windrow_string {
  const char* data;
  size_t size;
} windrow_string;

/* A tensor in memory that belongs to the caller. */
typedef struct windrow_tensor {
  windrow_dtype dtype;
  int32_t rank;         /* 0 to 32 */
  const int64_t* shape; /* `rank` extents in elements, outermost first; may be null for rank 0 */
  const int64_t* byte_strides; /* `rank` distances in bytes; null: row-major without gaps. Inputs:
                                  any, negative and zero too. Outputs: no two elements share a byte.
                                  packed types: null */
  void* data; /* the element whose position is all zeros, at any alignment (strings:
                 aligned); may be null if there are no elements. Inputs are only read */
} windrow_tensor;

/* An attribute of an operator, by the dialect's own name. */
typedef struct windrow_attribute {
  const char* name;
  int32_t kind;      /* WINDROW_ATTRIBUTE_...: which of the next members is read */
  int64_t int_value; /* truth values too: 0 and 1 */
  double float_value;
  const char* string_value;
  const int64_t* ints; /* `ints_count` numbers; may be null if that is 0 */
  size_t ints_count;
} windrow_attribute;

/* What a caller may choose when an operator is compiled. */
typedef struct windrow_call_options {
  size_t size;
  int32_t out_of_range; /* WINDROW_OUT_OF_RANGE_... */
  int32_t strict;     /* not 0: refuse what the specification calls undefined or is silent about */
  int32_t duplicates; /* WINDROW_DUPLICATES_... */
  /* "plain", "avx2", "avx512", "neon" or "sve", and after commas the other choices of a plan, as in
     C++; null: the best set that the machine supports */
  const char* kernels;
  int32_t negative; /* WINDROW_NEGATIVE_... */
  /* Not 0: an index that equals `padding_index`, before any counting from the end, gives zeros in a
     gather and has no update in a scatter. For calls with one indexed axis */
  int32_t has_padding_index;
  int64_t padding_index;
} windrow_call_options;

/* The caller's threads. Results do not depend on them. */
typedef struct windrow_threads {
  int32_t count; /* the number of tasks that can run at the same time; at least 1 */
  /* Calls task(context, i) once for every i in [0, tasks), on any threads and in any order, and
   * returns when all have returned. Tasks never wait for one another. Called only by the threads
   * that run a plan with this struct. */
  void (*parallel)(void* user, int tasks, void (*task)(void* context, int index), void* context);
  void* user; /* passed to `parallel` */
} windrow_threads;

/* glibc maps every allocation of at least this number of bytes anew from the system, so that the
 * pages of a new tensor have never been touched. */
#define WINDROW_FRESH_BYTES (INT64_C(32) << 20)

/* What a caller may choose when a plan runs. */
typedef struct windrow_run_options {
  size_t size;
  const windrow_threads* threads; /* null: the calling thread alone */
  void* scratch; /* at least windrow_plan_scratch_bytes() bytes, 64-byte aligned, for
                    this run alone; null: allocated by the call if it needs any */
  size_t scratch_bytes;
  int32_t fresh_output; /* not 0: the output's memory has never been touched, as in a large new
                           allocation; a large result is then written faster, and is the same */
  /* If not null: returns whether the run must end early, with WINDROW_INTERRUPTED. Called
   * repeatedly during the run, only on the thread that runs the plan. */
  int32_t (*interrupted)(void* user);
  void* interrupted_user; /* passed to `interrupted` */
} windrow_run_options;

/* ---- Errors ---- */

typedef struct windrow_error windrow_error;

/* The first bad index of a call, in row-major order of its index tensor. */
typedef struct windrow_index_fault {
  const char* input;       /* the operator's own name of the index tensor */
  const int64_t* position; /* its place in the index tensor: `position_rank` coordinates */
  int32_t position_rank;
  int64_t value;  /* the index; 2^63-1 for a uint64 above that, which the message has */
  int64_t axis;   /* the axis of the indexed tensor */
  int64_t extent; /* that axis's extent, in elements */
  int64_t count;  /* number of indices out of range, each element counted once */
} windrow_index_fault;

WINDROW_EXPORT windrow_code windrow_error_code(const windrow_error* error);
/* One line, complete by itself. */
WINDROW_EXPORT const char* windrow_error_message(const windrow_error* error);
/* "onnx.Gather-13", or "" if the error is not about an operator. */
WINDROW_EXPORT const char* windrow_error_operator(const windrow_error* error);
/* The label of the rule that was broken, "ONNX-Gather-C2", or "". */
WINDROW_EXPORT const char* windrow_error_constraint(const windrow_error* error);
/* Fills *fault, unless `fault` is null, with pointers that are valid as long as the error, and
 * returns 1. Returns 0 and leaves *fault unchanged if the error is not about an index. */
WINDROW_EXPORT int windrow_error_index_fault(const windrow_error* error,
                                             windrow_index_fault* fault);
WINDROW_EXPORT void windrow_error_free(windrow_error* error);

/* ---- Plans ---- */

/* An operator compiled for fixed types, shapes and strides. */
typedef struct windrow_plan windrow_plan;

/* Compiles an operator: dialect "onnx", op "GatherND", version as the dialect counts (ONNX: an
 * opset; OpenVINO: the operator's own; 0: the newest). `inputs` are the operator's own in its
 * order, omitted ones with dtype WINDROW_ABSENT; their data is not read, except that of an axis
 * input (OpenVINO), whose value the plan is compiled for, and the last of the segment_ids of
 * OpenVINO's SegmentMax, from which a num_segments that is left out follows. `options` may be null.
 * The plan is freed with windrow_plan_free(). Errors: WINDROW_UNSUPPORTED, WINDROW_INVALID_ARGUMENT
 * (attributes, options), WINDROW_TYPE, WINDROW_SHAPE, WINDROW_OUT_OF_MEMORY. Rules by operator:
 * docs/operators/, by the error's constraint. */
WINDROW_EXPORT windrow_code windrow_compile(const char* dialect, const char* op, int version,
                                            const windrow_attribute* attributes,
                                            size_t attribute_count, const windrow_tensor* inputs,
                                            size_t input_count, const windrow_call_options* options,
                                            windrow_plan** plan, windrow_error** error);

/* Runs the plan. Types and shapes of the inputs must be those of the compilation; other strides are
 * allowed and cost time. `output` has the type and shape of windrow_plan_result() and overlaps no
 * input, except that a scatter runs in place when the output is exactly its data (same memory, same
 * strides). `options` may be null. One plan may run in several threads at the same time. Errors:
 * WINDROW_INDEX_OUT_OF_RANGE, WINDROW_DUPLICATE, WINDROW_TYPE, WINDROW_SHAPE,
 * WINDROW_INVALID_ARGUMENT (also a plan whose result is strings: see windrow_plan_run_strings),
 * WINDROW_OUT_OF_MEMORY, WINDROW_INTERRUPTED. After an error a scatter in place has changed
 * nothing, unless it was interrupted: then any part of its updates may have been made. The contents
 * of any other output are unspecified. */
WINDROW_EXPORT windrow_code windrow_plan_run(const windrow_plan* plan, const windrow_tensor* inputs,
                                             size_t input_count, const windrow_tensor* output,
                                             const windrow_run_options* options,
                                             windrow_error** error);

/* The memory of the strings that one run has produced. */
typedef struct windrow_strings windrow_strings;

/* windrow_plan_run() for plans whose result is strings. The elements of `output` are set to text
 * that lives until windrow_strings_free(*strings). The output may be the memory of an input. After
 * an error the output is unchanged. Errors: as windrow_plan_run(), and WINDROW_INVALID_ARGUMENT if
 * the result is not strings. */
WINDROW_EXPORT windrow_code
windrow_plan_run_strings(const windrow_plan* plan, const windrow_tensor* inputs, size_t input_count,
                         const windrow_tensor* output, const windrow_run_options* options,
                         windrow_strings** strings, windrow_error** error);
WINDROW_EXPORT void windrow_strings_free(windrow_strings* strings);

/* Fills *result with the result's type, rank and shape (valid as long as the plan); strides and
 * data are null. If `plan` is null, all of *result is zero. */
WINDROW_EXPORT void windrow_plan_result(const windrow_plan* plan, windrow_tensor* result);
/* Bytes of scratch that a run with `threads` threads uses; 0 for small plans. */
WINDROW_EXPORT size_t windrow_plan_scratch_bytes(const windrow_plan* plan, int threads);
/* "onnx.Gather-13" */
WINDROW_EXPORT const char* windrow_plan_operator(const windrow_plan* plan);
/* "plain", "avx2", "avx512", "neon" or "sve" */
WINDROW_EXPORT const char* windrow_plan_kernel_set(const windrow_plan* plan);
/* Warnings, for example that the operator's version is deprecated; null at or beyond the count. */
WINDROW_EXPORT size_t windrow_plan_note_count(const windrow_plan* plan);
WINDROW_EXPORT const char* windrow_plan_note(const windrow_plan* plan, size_t index);
/* A readable description in several lines: the operator, the loops, the kernel. Writes what fits
 * into `buffer` of `size` bytes, zero-terminated (nothing if `buffer` is null or size is 0), and
 * returns the length of the whole text without the zero byte; 0 if memory runs out. */
WINDROW_EXPORT size_t windrow_plan_describe(const windrow_plan* plan, char* buffer, size_t size);
WINDROW_EXPORT void windrow_plan_free(windrow_plan* plan);

/* ---- The pool of results ---- */

/* Memory of large results that belong to the library, or to arrays of the Python package in the
 * same process, is kept when they are freed, for the next ones; windrow/result_pool.h says how.
 * Outputs that a caller allocates have no part in it. */

/* Sets the largest number of bytes that the pool keeps, and frees what exceeds it; 0 turns the pool
 * off. Returns the bound before: 256 MiB, or what the environment variable WINDROW_RESULT_POOL said
 * when the library was loaded. */
WINDROW_EXPORT size_t windrow_set_result_pool(size_t bytes);
/* The number of bytes that the pool keeps now. */
WINDROW_EXPORT size_t windrow_result_pool_held(void);
/* Frees everything that the pool keeps, and returns its bytes. The bound stays. */
WINDROW_EXPORT size_t windrow_release_result_pool(void);

/* ---- Tables of the library ---- */

/* The library's version, "0.1.0". */
WINDROW_EXPORT const char* windrow_version(void);

/* NumPy's (or ml_dtypes') name: "float32", "bfloat16", "int4"; null for a number that is
 * not a type. */
WINDROW_EXPORT const char* windrow_dtype_name(windrow_dtype dtype);
/* The type of that name; WINDROW_ABSENT if there is none or `name` is null. */
WINDROW_EXPORT windrow_dtype windrow_dtype_parse(const char* name);
/* Bits that one element takes in memory; 0 for WINDROW_ABSENT and for numbers that are not a type.
 */
WINDROW_EXPORT int windrow_dtype_bits(windrow_dtype dtype);

/* One version of one operator. */
typedef struct windrow_operator {
  const char* dialect; /* "onnx" */
  const char* domain;  /* "" (ai.onnx) or "ai.onnx.ml" */
  const char* name;    /* "GatherND" */
  int32_t since_version;
  int32_t until_version; /* the last version to which it applies */
  int32_t deprecated;    /* 0 or 1 */
  int32_t scatter;       /* 0 or 1 */
} windrow_operator;

/* The number of rows, grouped by operator, versions ascending. 0 if memory runs out. */
WINDROW_EXPORT size_t windrow_operator_count(void);
/* Fills *row and returns 1; returns 0 at or beyond the count, or if `row` is null. */
WINDROW_EXPORT int windrow_operator_at(size_t index, windrow_operator* row);

/* The number of kernel sets, slowest first. 0 if memory runs out. */
WINDROW_EXPORT size_t windrow_kernel_set_count(void);
/* The name ("plain", "avx2", "avx512", "neon", "sve"); null at or beyond the count. If `supported`
 * is not null, it is set to whether this machine supports the set. */
WINDROW_EXPORT const char* windrow_kernel_set_at(size_t index, int* supported);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming) */

#endif /* WINDROW_C_H_ */

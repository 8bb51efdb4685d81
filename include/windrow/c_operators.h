#ifndef WINDROW_C_OPERATORS_H_
#define WINDROW_C_OPERATORS_H_

/* The operators' inputs and attributes, for programs that make calls from other systems' graphs. In
 * the core library; the conventions are those of windrow/c.h. A row is a number below
 * windrow_operator_count(). */

#include "windrow/c.h"

/* NOLINTBEGIN(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming): C.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* One input of an operator. */
typedef struct windrow_operator_input {
  const char* name;            /* the specification's own */
  const windrow_dtype* dtypes; /* its legal types: `dtype_count` numbers */
  size_t dtype_count;
  int32_t optional;         /* 0 or 1 */
  int32_t result_type;      /* 1: the result has the type of this input */
  int32_t value_at_compile; /* 1: windrow_compile reads its elements, and a run must give the
                               same ones */
  int32_t counted_input;    /* if this one may be omitted because it is the number of groups that
                               ids count: the input of ids, whose last element windrow_compile
                               then reads, and a run must give the same one; -1: there is none */
} windrow_operator_input;

/* One attribute of an operator. */
typedef struct windrow_operator_attribute {
  windrow_attribute value; /* the name, the kind and the default (of no use if required) */
  int32_t required;        /* 0 or 1 */
} windrow_operator_attribute;

/* The rank of an optional input that the call omits. */
#define WINDROW_OMITTED_INPUT (-2)

/* What is known of a tensor's shape; an unknown extent is -1. */
typedef struct windrow_partial_shape {
  int32_t rank;           /* -1: unknown; WINDROW_OMITTED_INPUT: the call leaves it out */
  const int64_t* extents; /* `rank` extents; may be null if that is below 1 */
} windrow_partial_shape;

/* Fills *input, whose pointers stay valid for ever, and returns 1. Returns 0 if there is no such
 * row or the row has no such input. */
WINDROW_EXPORT int windrow_operator_input_at(size_t row, size_t index,
                                             windrow_operator_input* input);
/* Same as windrow_operator_input_at() for the attributes. */
WINDROW_EXPORT int windrow_operator_attribute_at(size_t row, size_t index,
                                                 windrow_operator_attribute* attribute);

/* Sets *rank (-1: unknown) and the first *rank of `extents`, which has room for 32, to what is
 * known of the result's shape. Optional inputs at or beyond `input_count`, and those of rank
 * WINDROW_OMITTED_INPUT, are omitted; of required ones beyond it nothing is known. `values` has
 * `input_count` pointers to the values of the inputs with value_at_compile, each with as many
 * numbers as the shape has elements (one if that is not known), null where a value is unknown;
 * `values` itself is null if all are. Of a num_segments that is omitted, the value is the number of
 * segments that follows from the ids. Errors: WINDROW_INVALID_ARGUMENT (attributes, a required
 * input that is omitted, a rank below -2), WINDROW_UNSUPPORTED (no such row), and WINDROW_SHAPE
 * where the shapes break a rule whatever the unknown extents are. */
WINDROW_EXPORT windrow_code windrow_infer_shape(size_t row, const windrow_attribute* attributes,
                                                size_t attribute_count,
                                                const windrow_partial_shape* inputs,
                                                const int64_t* const* values, size_t input_count,
                                                int32_t* rank, int64_t* extents,
                                                windrow_error** error);

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-deprecated-headers, modernize-use-using, readability-identifier-naming) */

#endif /* WINDROW_C_OPERATORS_H_ */

/* The C interface as a C99 compiler sees it: every function once. Prints what fails; exits 1 then.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windrow/c.h>
#include <windrow/c_operators.h>
#include <windrow/c_threads.h>

static int failures = 0;

static void check(int holds, const char* what, int line) {
  if (holds) return;
  fprintf(stderr, "line %d: %s does not hold\n", line, what);
  ++failures;
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static void run_serially(void* user, int tasks, void (*task)(void* context, int index),
                         void* context) {
  int index;
  *(int*)user += tasks;
  for (index = 0; index < tasks; ++index) task(context, index);
}

/* Gathers columns of [[1, 2, 3], [4, 5, 6]]. */
static void gather(void) {
  const int64_t data_shape[] = {2, 3};
  const int64_t indices_shape[] = {2};
  const int64_t output_shape[] = {2, 2};
  float data[] = {1, 2, 3, 4, 5, 6};
  int32_t indices[] = {2, -3};
  float output[4] = {0};
  const windrow_tensor inputs[] = {{WINDROW_FLOAT32, 2, data_shape, NULL, data},
                                   {WINDROW_INT32, 1, indices_shape, NULL, indices}};
  const windrow_tensor out = {WINDROW_FLOAT32, 2, output_shape, NULL, output};
  windrow_attribute axis = {0};
  windrow_call_options options = {0};
  windrow_run_options run = {0};
  windrow_threads threads = {2, run_serially, NULL};
  windrow_plan* plan = NULL;
  windrow_error* error = NULL;
  windrow_index_fault fault;
  windrow_tensor result;
  char text[16];
  int tasks = 0;

  axis.name = "axis";
  axis.kind = WINDROW_ATTRIBUTE_INT;
  axis.int_value = 1;
  options.size = sizeof options;
  options.out_of_range = WINDROW_OUT_OF_RANGE_ERROR;
  CHECK(windrow_compile("onnx", "Gather", 13, &axis, 1, inputs, 2, &options, &plan, &error) ==
        WINDROW_OK);
  if (plan == NULL) {
    fprintf(stderr, "%s\n", windrow_error_message(error));
    windrow_error_free(error);
    return;
  }
  CHECK(error == NULL);
  windrow_plan_result(plan, &result);
  CHECK(result.dtype == WINDROW_FLOAT32 && result.rank == 2);
  CHECK(result.shape[0] == 2 && result.shape[1] == 2);
  CHECK(strcmp(windrow_plan_operator(plan), "onnx.Gather-13") == 0);
  CHECK(windrow_plan_kernel_set(plan)[0] != '\0');
  CHECK(windrow_plan_note_count(plan) == 0);
  CHECK(windrow_plan_note(plan, 0) == NULL);
  CHECK(windrow_plan_scratch_bytes(plan, 1) == 0);
  CHECK(windrow_plan_describe(plan, text, sizeof text) >= strlen(text));
  CHECK(strlen(text) == sizeof text - 1);

  threads.user = &tasks;
  run.size = sizeof run;
  run.threads = &threads;
  CHECK(windrow_plan_run(plan, inputs, 2, &out, &run, &error) == WINDROW_OK);
  CHECK(output[0] == 3 && output[1] == 1 && output[2] == 6 && output[3] == 4);

  indices[1] = 3;
  CHECK(windrow_plan_run(plan, inputs, 2, &out, NULL, &error) == WINDROW_INDEX_OUT_OF_RANGE);
  CHECK(windrow_error_code(error) == WINDROW_INDEX_OUT_OF_RANGE);
  CHECK(strstr(windrow_error_message(error), "indices[1] is 3") != NULL);
  CHECK(strcmp(windrow_error_operator(error), "onnx.Gather-13") == 0);
  CHECK(strncmp(windrow_error_constraint(error), "ONNX-Gather-", 12) == 0);
  CHECK(windrow_error_index_fault(error, &fault) == 1);
  CHECK(strcmp(fault.input, "indices") == 0);
  CHECK(fault.position_rank == 1 && fault.position[0] == 1);
  CHECK(fault.value == 3 && fault.axis == 1 && fault.extent == 3 && fault.count == 1);
  windrow_error_free(error);
  windrow_plan_free(plan);
}

/* Appends updates to the strings of a tensor, in place. */
static void scatter_strings(void) {
  const int64_t shape[] = {2};
  const int64_t one[] = {1};
  const int64_t tuple[] = {1, 1};
  windrow_string data[] = {{"gather", 6}, {"scat", 4}};
  windrow_string updates[] = {{"ter", 3}};
  int64_t indices[] = {1};
  const windrow_tensor inputs[] = {{WINDROW_STRING, 1, shape, NULL, data},
                                   {WINDROW_INT64, 2, tuple, NULL, indices},
                                   {WINDROW_STRING, 1, one, NULL, updates}};
  windrow_attribute reduction = {0};
  windrow_plan* plan = NULL;
  windrow_strings* strings = NULL;

  reduction.name = "reduction";
  reduction.kind = WINDROW_ATTRIBUTE_STRING;
  reduction.string_value = "add";
  CHECK(windrow_compile("onnx", "ScatterND", 0, &reduction, 1, inputs, 3, NULL, &plan, NULL) ==
        WINDROW_OK);
  if (plan == NULL) return;
  CHECK(windrow_plan_run(plan, inputs, 3, &inputs[0], NULL, NULL) == WINDROW_INVALID_ARGUMENT);
  CHECK(windrow_plan_run_strings(plan, inputs, 3, &inputs[0], NULL, &strings, NULL) == WINDROW_OK);
  CHECK(data[0].size == 6 && memcmp(data[0].data, "gather", 6) == 0);
  CHECK(data[1].size == 7 && memcmp(data[1].data, "scatter", 7) == 0);
  windrow_strings_free(strings);
  windrow_plan_free(plan);
}

static void result_pool(void) {
  const size_t before = windrow_set_result_pool(12345);
  CHECK(windrow_set_result_pool(before) == 12345);
  windrow_release_result_pool();
  CHECK(windrow_result_pool_held() == 0);
}

static void tables(void) {
  windrow_operator row;
  size_t i;
  int gathers = 0;
  int supported = 0;
  CHECK(windrow_version()[0] != '\0');
  CHECK(strcmp(windrow_dtype_name(WINDROW_BFLOAT16), "bfloat16") == 0);
  CHECK(windrow_dtype_parse("int64") == WINDROW_INT64);
  CHECK(windrow_dtype_bits(WINDROW_UINT4) == 4);
  for (i = 0; windrow_operator_at(i, &row); ++i)
    if (strcmp(row.name, "Gather") == 0) ++gathers;
  CHECK(i == windrow_operator_count());
  CHECK(gathers == 10);
  CHECK(windrow_kernel_set_count() > 0);
  CHECK(strcmp(windrow_kernel_set_at(0, &supported), "plain") == 0 && supported == 1);
}

/* What a row says of itself, and the shape of its result: Gather of [?, 3] by [4]. */
static void operators(void) {
  const int64_t data[] = {-1, 3};
  const int64_t indices[] = {4};
  const windrow_partial_shape shapes[] = {{2, data}, {1, indices}};
  windrow_operator row;
  windrow_operator_input input;
  windrow_operator_attribute attribute;
  int64_t extents[32];
  int32_t rank = 0;
  size_t i = 0;
  while (windrow_operator_at(i, &row) && strcmp(row.name, "Gather") != 0) ++i;
  CHECK(windrow_operator_input_at(i, 1, &input) == 1 && strcmp(input.name, "indices") == 0);
  CHECK(windrow_operator_attribute_at(i, 0, &attribute) == 1);
  CHECK(strcmp(attribute.value.name, "axis") == 0 && attribute.value.int_value == 0);
  CHECK(windrow_infer_shape(i, NULL, 0, shapes, NULL, 2, &rank, extents, NULL) == WINDROW_OK);
  CHECK(rank == 2 && extents[0] == 4 && extents[1] == 3);
}

/* SegmentMax whose last id says how many segments there are. */
static void segments(void) {
  const int64_t extent[] = {3};
  float data[] = {1, 2, 5};
  int64_t ids[] = {0, 0, 2};
  float output[3] = {7, 7, 7};
  windrow_tensor inputs[] = {{WINDROW_FLOAT32, 1, extent, NULL, data},
                             {WINDROW_INT64, 1, extent, NULL, ids}};
  const windrow_tensor out = {WINDROW_FLOAT32, 1, extent, NULL, output};
  windrow_attribute mode = {0};
  windrow_plan* plan = NULL;
  windrow_tensor result;

  mode.name = "fill_mode";
  mode.kind = WINDROW_ATTRIBUTE_STRING;
  mode.string_value = "ZERO";
  CHECK(windrow_compile("openvino", "SegmentMax", 16, &mode, 1, inputs, 2, NULL, &plan, NULL) ==
        WINDROW_OK);
  if (plan == NULL) return;
  windrow_plan_result(plan, &result);
  CHECK(result.rank == 1 && result.shape[0] == 3);
  CHECK(windrow_plan_run(plan, inputs, 2, &out, NULL, NULL) == WINDROW_OK);
  CHECK(output[0] == 2 && output[1] == 0 && output[2] == 5);
  ids[2] = 1;
  CHECK(windrow_plan_run(plan, inputs, 2, &out, NULL, NULL) == WINDROW_INVALID_ARGUMENT);
  windrow_plan_free(plan);
  inputs[1].data = NULL;
  plan = NULL;
  CHECK(windrow_compile("openvino", "SegmentMax", 16, &mode, 1, inputs, 2, NULL, &plan, NULL) ==
        WINDROW_SHAPE);
}

static void thread_pool(void) {
  windrow_thread_pool* pool = windrow_thread_pool_make(2);
  CHECK(pool != NULL && windrow_thread_pool_threads(pool)->count == 2);
  windrow_thread_pool_free(pool);
}

int main(void) {
  gather();
  scatter_strings();
  result_pool();
  tables();
  operators();
  segments();
  thread_pool();
  windrow_error_free(NULL);
  windrow_plan_free(NULL);
  windrow_strings_free(NULL);
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Gathers rows of a table, adds rows to it, and shows what an index error looks like, in C99. */
#include <stdio.h>
#include <windrow/c.h>

static const int64_t kTableShape[] = {3, 2};
static const int64_t kRowsShape[] = {2};
static const int64_t kTuplesShape[] = {2, 1};
static const int64_t kPartShape[] = {2, 2};

static int print_error(windrow_error* error) {
  windrow_index_fault fault;
  printf("%s\n", windrow_error_message(error));
  if (windrow_error_index_fault(error, &fault))
    printf("%s[%d] is %d, the extent is %d\n", fault.input, (int)fault.position[0],
           (int)fault.value, (int)fault.extent);
  windrow_error_free(error);
  return 1;
}

static void print_floats(const char* what, const float* values, int count) {
  int i;
  printf("%s:", what);
  for (i = 0; i < count; ++i) printf(" %g", values[i]);
  printf("\n");
}

/* Compiled once, run with good rows and with a bad one. */
static int gather_rows(float* table) {
  int64_t rows[] = {2, 0};
  float part[4];
  const windrow_tensor inputs[] = {{WINDROW_FLOAT32, 2, kTableShape, NULL, table},
                                   {WINDROW_INT64, 1, kRowsShape, NULL, rows}};
  const windrow_tensor output = {WINDROW_FLOAT32, 2, kPartShape, NULL, part};
  windrow_plan* plan = NULL;
  windrow_error* error = NULL;
  if (windrow_compile("onnx", "Gather", 0, NULL, 0, inputs, 2, NULL, &plan, &error))
    return print_error(error);
  if (windrow_plan_run(plan, inputs, 2, &output, NULL, &error) == WINDROW_OK)
    print_floats("rows 2 and 0", part, 4);
  rows[1] = 9;
  if (error == NULL) windrow_plan_run(plan, inputs, 2, &output, NULL, &error);
  if (error != NULL) print_error(error);
  windrow_plan_free(plan);
  return 0;
}

/* Adds two updates to one row, in place: the output is the table itself. */
static int add_rows(float* table) {
  int64_t rows[] = {1, 1};
  float updates[] = {100, 200, 1000, 2000};
  const windrow_tensor inputs[] = {{WINDROW_FLOAT32, 2, kTableShape, NULL, table},
                                   {WINDROW_INT64, 2, kTuplesShape, NULL, rows},
                                   {WINDROW_FLOAT32, 2, kPartShape, NULL, updates}};
  windrow_attribute reduction = {0};
  windrow_plan* plan = NULL;
  windrow_error* error = NULL;
  reduction.name = "reduction";
  reduction.kind = WINDROW_ATTRIBUTE_STRING;
  reduction.string_value = "add";
  if (windrow_compile("onnx", "ScatterND", 0, &reduction, 1, inputs, 3, NULL, &plan, &error))
    return print_error(error);
  if (windrow_plan_run(plan, inputs, 3, &inputs[0], NULL, &error) == WINDROW_OK)
    print_floats("the table", table, 6);
  windrow_plan_free(plan);
  return error == NULL ? 0 : print_error(error);
}

int main(void) {
  float table[] = {1, 2, 3, 4, 5, 6};
  return gather_rows(table) || add_rows(table);
}

// clang-format off
// Output:
// rows 2 and 0: 5 6 1 2
// onnx.Gather-13 [ONNX-Gather-C3]: indices[1] is 9, out of range for axis 0 of data with extent 3 (legal: -3 to 2); 1 of 2 indices is out of range
// indices[1] is 9, the extent is 3
// the table: 1 2 1103 2204 5 6

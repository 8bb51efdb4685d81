#include <stdint.h>
#include <stdio.h>
#include <windrow/c.h>

/* A gather of two rows, then an index error. */

static int64_t kTableShape[] = {3, 2};
static int64_t kRowsShape[] = {2};
static int64_t kResultShape[] = {2, 2};

static windrow_code gather(int64_t* rows, float* result, windrow_error** error) {
  static float table[] = {1, 2, 3, 4, 5, 6};
  const windrow_tensor inputs[] = {
      {WINDROW_FLOAT32, 2, kTableShape, NULL, table},
      {WINDROW_INT64, 1, kRowsShape, NULL, rows},
  };
  const windrow_tensor output = {WINDROW_FLOAT32, 2, kResultShape, NULL, result};
  windrow_plan* plan = NULL;
  windrow_code code = windrow_compile("onnx", "Gather", 0, NULL, 0, inputs, 2, NULL, &plan, error);
  if (code != WINDROW_OK) return code;
  code = windrow_plan_run(plan, inputs, 2, &output, NULL, error);
  windrow_plan_free(plan);
  return code;
}

int main(void) {
  int64_t good[] = {2, 0};
  int64_t bad[] = {0, 9};
  float result[4];
  windrow_error* error = NULL;
  if (gather(good, result, &error) != WINDROW_OK) {
    puts(windrow_error_message(error));
    windrow_error_free(error);
    return 1;
  }
  printf("%g %g %g %g\n", result[0], result[1], result[2], result[3]);
  if (gather(bad, result, &error) != WINDROW_INDEX_OUT_OF_RANGE) return 1;
  puts(windrow_error_message(error));
  windrow_error_free(error);
  return 0;
}

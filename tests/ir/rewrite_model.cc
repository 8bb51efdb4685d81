#include <iostream>

#include "windrow/models.h"

// rewrite_model FROM TO: reads a model and writes it again, for the tests in tests/cli.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const windrow::Result<windrow::Model> model = windrow::load_model(argv[1]);
  const windrow::Status status = model ? windrow::save_model(*model, argv[2]) : model.error();
  if (!status) std::cerr << status.message() << '\n';
  return status ? 0 : 1;
}

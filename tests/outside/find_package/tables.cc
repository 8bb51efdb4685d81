#include <windrow/table.h>
#include <windrow/windrow.h>

#include <iostream>
#include <vector>

namespace {

// The rows of ids of the table at path, by both kinds of takes. Throws windrow::Error.
windrow::Tensor read(const char* path, const windrow::Tensor& ids) {
  const windrow::Table table = windrow::Table::open(path).value();
  windrow::Tensor rows = table.take(ids).value();

  // Any gather of a dialect, compiled once:
  const windrow::Plan plan =
      windrow::compile(windrow::onnx::Gather{}, {table.spec(), ids.spec()}).value();
  rows = table.run(plan, std::vector<windrow::TensorView>{{}, ids}).value();
  return rows;
}

// Adds updates to the rows of ids. Throws windrow::Error.
void write(const char* path, const windrow::Tensor& ids, const windrow::Tensor& updates) {
  // Rows are written by a table that was opened for it.
  windrow::TableOptions options;
  options.writable = true;
  windrow::Table table = windrow::Table::open(path, options).value();
  if (const windrow::Status status = table.add(ids, updates); !status) throw windrow::Error(status);
}

}  // namespace

// Adds 1 to the last row of the table at argv[1], which stays on disk, and takes it.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const auto ids = windrow::Tensor::of<std::int64_t>({1}, {-1});
    write(argv[1], ids, windrow::Tensor::of<float>({1, 2}, {1, 1}));
    const windrow::Tensor last = read(argv[1], ids);
    std::cout << windrow::to_string(last.shape());
    for (const float value : last.values<float>()) std::cout << ' ' << value;
    std::cout << '\n';
  } catch (const windrow::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

#include <windrow/table.h>

#include <iostream>

// Takes the last row of the table at argv[1], which stays on disk.
int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const windrow::Table table = windrow::Table::open(argv[1]).value();
    const windrow::Tensor last = table.take(windrow::Tensor::of<std::int64_t>({1}, {-1})).value();
    std::cout << windrow::to_string(last.shape()) << '\n';
  } catch (const windrow::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

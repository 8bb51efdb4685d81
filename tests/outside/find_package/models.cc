#include <windrow/models.h>
#include <windrow/windrow.h>

#include <cstdint>
#include <iostream>
#include <memory>

// Runs the model at argv[1] on a thread pool; its inputs x, indices come from the files argv[2],
// argv[3].
int main(int argc, char** argv) {
  if (argc != 4) return 2;
  try {
    const windrow::Model model = windrow::load_model(argv[1]).value();
    const windrow::Tensor data = windrow::load_tensor(argv[2]).value();
    const windrow::Tensor indices = windrow::load_tensor(argv[3]).value();
    const std::unique_ptr<windrow::Threads> threads = windrow::make_threads(2);
    const windrow::ModelRunOptions options{
        .call = {}, .run = {.threads = threads.get()}, .on_note = {}};
    const windrow::NamedTensors outputs =
        model.run({{"data", data}, {"indices", indices}}, options).value();
    for (const auto& [name, tensor] : outputs)
      std::cout << name << ' ' << windrow::to_string(tensor.shape()) << '\n';
  } catch (const windrow::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
  return 0;
}

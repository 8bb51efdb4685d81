#ifndef WINDROW_MODELS_H_
#define WINDROW_MODELS_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/constant.h"
#include "windrow/export.h"
#include "windrow/inference.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Models and tensor files. In the library windrow::models.
namespace windrow {

struct Graph;

// A graph that a node runs, and the attribute that holds it: "body", or "branches[1]" of several.
struct NodeBody {
  std::string attribute;
  std::shared_ptr<const Graph> graph;  // not null
};

// One node of a graph. An empty input name is an omitted optional input.
struct ModelNode {
  std::string name;  // the file's, or "<op_type>_<position>" if that is empty
  std::string domain;
  std::string op_type;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  Attributes attributes;
  // If not empty: the part of this node that the library cannot represent, so that the node cannot
  // run.
  std::string unsupported;
  // The operator's own version, where the dialect gives one to every node (OpenVINO; TensorRT: the
  // major release). Absent: the opset import of the domain gives it.
  std::optional<int> version = std::nullopt;
  std::string origin = {};  // its place in the file, for messages: "layer 7"; may be empty
  std::vector<NodeBody> bodies = {};  // of If, Loop, Scan and TensorIterator
  // Everything else that the file says of the node, in the format's own encoding; it is written
  // back.
  std::string kept = {};
};

// A constant that the library cannot represent: a sparse one, or one of a type that it lacks.
struct OpaqueConstant {
  std::string why;         // why it cannot
  std::string other_type;  // as ValueInfo::other_type
  friend bool operator==(const OpaqueConstant&, const OpaqueConstant&) = default;
};

// A graph: the main graph of a model, a body of a node, or the graph of a function.
struct Graph {
  std::string name;               // of a function: the operator that it defines
  std::vector<ValueInfo> inputs;  // except those that are initializers
  // Those that are initializers: a run may give another value.
  std::vector<ValueInfo> default_inputs;
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> values;                           // declared types of inner values
  std::map<std::string, Constant, std::less<>> constants;  // initializers
  std::map<std::string, OpaqueConstant, std::less<>> opaque_constants;
  // In topological order; the file's own order if that is topological. Nodes of a body may read
  // values of the graphs around it that are defined before the node of the body; in OpenVINO they
  // may not.
  std::vector<ModelNode> nodes;
  std::string kept = {};  // as ModelNode::kept
};

// An operator that a model defines by nodes.
struct ModelFunction {
  std::string domain;
  std::map<std::string, int, std::less<>> opset_imports;  // of its nodes
  std::vector<std::string> attributes;  // their names; nodes of the function's graph refer to them
  Graph graph;
};

// Tensors by name, as given to a model.
using NamedViews = std::map<std::string, TensorView, std::less<>>;
using NamedTensors =
    std::vector<std::pair<std::string, Tensor>>;  // in the graph's order of outputs

struct PrepareOptions;  // in windrow/prepared_model.h
class PreparedModel;

struct ModelRunOptions {
  CallOptions call = {};
  RunOptions run = {};
  std::function<void(const std::string&)> on_note =
      {};  // each distinct warning of a node's plan once
  bool reference =
      false;  // run the nodes by the slow witness (call_reference); there are no notes then
};

// The axes of a node's data (of OneHot: of its output) that its indices address.
struct IndexedAxes {
  std::optional<std::vector<std::int64_t>> axes;  // ascending, not negative; absent: unknown
  std::optional<std::int64_t> rank;               // of the data; absent: unknown
  std::int64_t batch_dims = 0;
  friend bool operator==(const IndexedAxes&, const IndexedAxes&) = default;
};

// "axis 1 of 3", "axes 1..2 of 4 (batch_dims 1)", "no axis of 3"; "? of 3" and "?" where the axes
// or the rank are unknown.
WINDROW_EXPORT std::string to_string(const IndexedAxes& indexed);

// One gather or scatter node as inspect shows it.
struct NodeReport {
  std::string node;
  std::string path;                // as in NodePlace
  std::string operator_name;       // "onnx.Gather-13"
  std::vector<ValueInfo> inputs;   // inferred
  std::vector<ValueInfo> outputs;  // inferred
  IndexedAxes axis;
  std::string policy;  // "error", "zero", ...
  std::vector<std::string> notes;
  std::shared_ptr<const PlanDescription> plan;  // null: there is none
  // The reason, for example that a shape is symbolic; empty if there is a plan.
  std::string no_plan;
};

// A node and its place in a model.
struct NodePlace {
  // Unique in the model: "main/loop_3.body/Gather_7", "function mine.Twice/Softmax_0". If nodes
  // share a name, all but the first are followed by their position in the graph: "Gather_7#12". A
  // name longer than 200 bytes is cut to 200 bytes, followed by the position.
  std::string path;
  const ModelNode& node;
  const Graph& graph;  // the graph that holds it
};

// A graph of nodes in a dialect ("onnx", "openvino" or "tensorrt"), read from a file or built by
// hand. Gather and scatter nodes run by the library's operators. Constant, Identity, OpenVINO's
// Convert and TensorRT's Cast nodes run as well; all others are listed by unsupported().
class WINDROW_EXPORT Model : public Graph {
 public:
  std::string dialect = "onnx";
  // Domain ("" = ai.onnx) -> version; of ONNX models only.
  std::map<std::string, int, std::less<>> opset_imports;
  std::vector<ModelFunction> functions;  // of ONNX models only
  // Everything else that the file says of the model, as Graph::kept.
  std::string kept_model = {};
  // Additional names of values, each with the value's own name. They may be used wherever the name
  // of an input or of a node's output is asked for.
  std::map<std::string, std::string, std::less<>> aliases;

  // The value that `name` stands for: `name` itself, unless it is an alias.
  const std::string& value_name(const std::string& name) const;

  // Runs the model. Errors: names of inputs not given, an unknown name, a shape or type that does
  // not fit the declared one, an unsupported operator, or a node's own error (with the node's name
  // before it).
  Result<NamedTensors> run(const NamedViews& inputs, const ModelRunOptions& options = {}) const;

  // Makes the model ready for many runs; later changes of the model do not affect the result.
  // Errors: those of run() that do not depend on the inputs.
  Result<PreparedModel> prepare(const PrepareOptions& options) const;
  Result<PreparedModel> prepare() const;

  // A model that consists of a single node: the node called `name`, the node that computes the
  // value of that name, or the node of that path (NodePlace), which may leave out "main/". The
  // node's inputs become the model's, except those that are constants. Errors: kInvalidArgument,
  // with the names of the model's nodes, if it has no such node.
  Result<Model> only_node(const std::string& name) const;

  // Calls `visit` with every node of the main graph, of bodies (after the node that has them) and
  // of functions.
  void visit_nodes(const std::function<void(const NodePlace&)>& visit) const;

  // One entry per operator that cannot be run here: "Conv (domain ai.onnx), nodes conv1, conv2".
  std::vector<std::string> unsupported() const;

  // Types and shapes of the values of every graph, as far as inference can find them, and what they
  // are based on. A node whose inputs break its operator's rules is a finding, not an error.
  // Errors: kFormat (a value that is not defined, or defined twice), and those of reading a small
  // constant.
  Result<Inference> infer(const InferOptions& options = {}) const;

  // One report per gather or scatter node, in bodies and functions too.
  Result<std::vector<NodeReport>> inspect(const CallOptions& options = {},
                                          const InferOptions& infer_options = {}) const;

  // The same for models with very many nodes: calls `visit` with one report after another, in the
  // order of visit_nodes(), and keeps none of them. Returns an Inference without graphs. Errors
  // occur before the first call.
  Result<Inference> inspect(const CallOptions& options, const InferOptions& infer_options,
                            const std::function<void(const NodeReport&)>& visit) const;
};

// Reads a model: OpenVINO IR if the name ends in .xml (its constants are in the file of the same
// name with the ending .bin beside it), else ONNX (binary protobuf, with its external data).
// Errors: kIo, kFormat, kUnsupported, kOutOfMemory. The error of a file of another format (ONNX
// Runtime's .ort, TensorFlow Lite, PyTorch, ...) names that format. Relative paths of external data
// are resolved in the model's folder and may not leave it. Constants stay in their files until they
// are first asked for. The first 16 files stay open, so that deleting one later does not harm the
// model. Files are read, not mapped: if a file is truncated or written to later, the call that asks
// for its constants fails. Constants made of the same bytes share memory, and all constants of a
// file together take at most four times its size (kFormat).
WINDROW_EXPORT Result<Model> load_model(const std::filesystem::path& path);

// Reads an ONNX model from its bytes (binary protobuf), which are not needed afterwards. `folder`
// holds the model's external data; without it, external data is an error (kInvalidArgument). Other
// errors as for load_model().
WINDROW_EXPORT Result<Model> parse_model(std::string_view bytes,
                                         const std::filesystem::path& folder = {});

// An ONNX model of the same nodes, for shape inference by other software: binary protobuf without
// the file's declarations of inner values, outputs and inputs of bodies, and without the elements
// of constants of at least 1 KiB (they become external data in a file that does not exist). Every
// node is named by its path. Errors: kUnsupported (another dialect, a type that ONNX does not have,
// more than 50 MB), kOutOfMemory.
WINDROW_EXPORT Result<std::string> onnx_skeleton(const Model& model);

// Writes a model: as OpenVINO IR (.xml and .bin) if the name ends in .xml, else as ONNX. Files are
// written under temporary names, then renamed, both files of a model together. The model must be of
// the format's dialect (kUnsupported). `external_data`, for ONNX only: if not empty, the name of a
// file beside the model that takes all initializers of at least 1 KiB.
WINDROW_EXPORT Status save_model(const Model& model, const std::filesystem::path& path,
                                 const std::string& external_data = {});

// Reads a tensor file by its ending: .npy (NumPy format 1 to 3, any fixed-size type, <U and |S
// strings), .pb (ONNX TensorProto), or an archive of one tensor (windrow/tensor_archive.h). Errors:
// kIo, kFormat, kUnsupported (other ending, pickled objects, big-endian), kInvalidArgument (an
// archive of several tensors; the error names them). `expected` is the type of bits for which .npy
// has no name (bfloat16, 8-bit floats, 4-bit types).
WINDROW_EXPORT Result<Tensor> load_tensor(const std::filesystem::path& path,
                                          DType expected = DType::kAbsent);

// A tensor in a file and its name, if the format has one (all but .npy).
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
WINDROW_EXPORT Result<NamedTensor> load_named_tensor(const std::filesystem::path& path);

// Writes the file under a temporary name, then renames it. A file that it replaces passes its mode
// on. `name` is stored if the format has names; a tensor without a name is "arr_0" in an archive.
// Errors: kIo (also if a folder, device or pipe has that name), kUnsupported (other ending, a type
// or text that the format cannot hold), kInvalidArgument (no tensor). After an error, or if the
// process ends, the file of that name is unchanged.
WINDROW_EXPORT Status save_tensor(const TensorView& tensor, const std::filesystem::path& path,
                                  const std::string& name = {});

// Several files, mostly of tensors, that receive their names together: all or none.
class WINDROW_EXPORT TensorFiles {
 public:
  // `aside` is an existing folder that holds the files until commit(); it must be on the same file
  // system as their own folders. If it is empty, each file is hidden in its own folder.
  explicit TensorFiles(std::filesystem::path aside = {});
  TensorFiles(TensorFiles&&) noexcept;
  TensorFiles& operator=(TensorFiles&&) noexcept;
  ~TensorFiles();  // deletes the files that are not committed

  // Writes one tensor aside. Arguments and errors as for save_tensor(); paths must differ.
  Status add(const TensorView& tensor, const std::filesystem::path& path,
             const std::string& name = {});
  // Writes an archive aside. Arguments and errors as for save_tensors().
  Status add_archive(const NamedTensors& tensors, const std::filesystem::path& path);
  // Writes the bytes of a file of another kind aside. Errors: kIo.
  Status add_text(std::string_view text, const std::filesystem::path& path);
  // Writes the files of a model aside. Arguments and errors as for save_model().
  Status add_model(const Model& model, const std::filesystem::path& path);
  // Renames all added files to their own names. Errors: kIo; replaced files are then restored, and
  // none of the new ones remains.
  Status commit();

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace windrow

#endif  // WINDROW_MODELS_H_

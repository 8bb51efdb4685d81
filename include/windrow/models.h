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

// Models and tensor files. In the library windrow::models (protobuf inside, not in this header).
namespace windrow {

struct Graph;

// A graph that a node runs, by the attribute that holds it: "body"; of several "branches[1]".
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
  // Not empty: what of this node the library can't represent, so that it can't run.
  std::string unsupported;
  // The operator's own version, where the dialect gives one to every node (OpenVINO; TensorRT: the
  // major release); absent: the opset import of the domain says it.
  std::optional<int> version = std::nullopt;
  std::string origin = {};  // where the file has it, for messages: "layer 7"; may be empty
  std::vector<NodeBody> bodies = {};  // of If, Loop, Scan and TensorIterator
  // What else the file says of the node, in the format's own encoding, which is written again.
  std::string kept = {};
};

// A graph: the main one of a model, a body of a node, or that of a function.
struct Graph {
  std::string name;                       // of a function: the operator that it defines
  std::vector<ValueInfo> inputs;          // without those that are initializers
  std::vector<ValueInfo> default_inputs;  // those that are: a run may give another value
  std::vector<ValueInfo> outputs;
  std::vector<ValueInfo> values;                           // declared types of inner values
  std::map<std::string, Constant, std::less<>> constants;  // initializers
  // Constants that the library can't represent (sparse ones, unknown types), and why.
  std::map<std::string, std::string, std::less<>> opaque_constants;
  // In topological order, which is the file's where that is one. Those of a body may read values of
  // the graphs around it that are defined before the node of the body; in OpenVINO they may not.
  std::vector<ModelNode> nodes;
  std::string kept = {};  // as of a node
};

// An operator that a model defines by nodes.
struct ModelFunction {
  std::string domain;
  std::map<std::string, int, std::less<>> opset_imports;  // of its nodes
  std::vector<std::string> attributes;  // their names; nodes of its graph refer to them
  Graph graph;
};

// A named tensor given to, or got from, a model.
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
  std::string no_plan;  // why, for example that a shape is symbolic; empty if there is a plan
};

// A node, wherever in a model it stands.
struct NodePlace {
  // Unique in the model: "main/loop_3.body/Gather_7", "function mine.Twice/Softmax_0". Of nodes
  // that share a name all but the first have their position in the graph behind it: "Gather_7#12".
  // So have nodes whose names are longer than 200 bytes, behind the first 200.
  std::string path;
  const ModelNode& node;
  const Graph& graph;  // that holds it
};

// A graph of nodes in a dialect ("onnx", "openvino" or "tensorrt"), as read from a file or built by
// hand. Constant, Identity, OpenVINO's Convert and TensorRT's Cast nodes run here; gather and
// scatter nodes by the library's operators; others are listed by unsupported().
class WINDROW_EXPORT Model : public Graph {
 public:
  std::string dialect = "onnx";
  // Domain ("" = ai.onnx) -> version; of ONNX models only.
  std::map<std::string, int, std::less<>> opset_imports;
  std::vector<ModelFunction> functions;  // of ONNX models only
  std::string kept_model = {};           // what else the file says of the model, as Graph::kept
  // More names of values, each with the value's own. Where the name of an input, or of a node's
  // output, is asked for, these do as well.
  std::map<std::string, std::string, std::less<>> aliases;

  // The value that is meant by `name`: itself, unless it is an alias.
  const std::string& value_name(const std::string& name) const;

  // Names of inputs not given, an unknown name, a shape or type that does not fit the declared one,
  // an unsupported operator, or a node's own error (with the node's name before it).
  Result<NamedTensors> run(const NamedViews& inputs, const ModelRunOptions& options = {}) const;

  // The model made ready for many runs; later changes of the model do not touch it. Errors: of
  // run(), those that do not depend on the inputs.
  Result<PreparedModel> prepare(const PrepareOptions& options) const;
  Result<PreparedModel> prepare() const;

  // A model of the node called `name`, or that gives the value of that name, alone
  // (kInvalidArgument with the names there are, if none is): its inputs become the model's, except
  // those that are constants.
  Result<Model> only_node(const std::string& name) const;

  // Calls `visit` with every node of the main graph, of bodies (behind the node that has them) and
  // of functions.
  void visit_nodes(const std::function<void(const NodePlace&)>& visit) const;

  // "Conv (domain ai.onnx), nodes conv1, conv2"; one entry per operator that can't be run here.
  std::vector<std::string> unsupported() const;

  // Types and shapes of the values of every graph, as far as inference can find them, and what they
  // rest on. A node whose inputs break its operator's rules is a finding, no error. Errors: kFormat
  // (a value that is not defined, or is twice), and those of reading a small constant.
  Result<Inference> infer(const InferOptions& options = {}) const;

  // One report per gather or scatter node, in bodies and functions too.
  Result<std::vector<NodeReport>> inspect(const CallOptions& options = {},
                                          const InferOptions& infer_options = {}) const;

  // The same for models of very many nodes: calls `visit` with one report after another, in the
  // order of visit_nodes, none of which is kept. Gives what inference found besides: an Inference
  // without graphs. Errors come before the first call.
  Result<Inference> inspect(const CallOptions& options, const InferOptions& infer_options,
                            const std::function<void(const NodeReport&)>& visit) const;
};

// Reads a model: OpenVINO IR where the name ends in .xml (its constants stand beside it in the file
// of the same name with the ending .bin), else ONNX (binary protobuf, with its external data).
// Errors: kIo, kFormat, kUnsupported, kOutOfMemory. Relative paths of external data are resolved in
// the model's folder and may not leave it. Constants stay in their files until they are first asked
// for (of the first 16 files, which stay open: deleting one later does not harm the model); files
// are read, not mapped, so that one that is cut or written to later is an error of the call that
// asks for its constants. Those of the same bytes share memory, and together the constants of a
// file take at most four times its size (kFormat).
WINDROW_EXPORT Result<Model> load_model(const std::filesystem::path& path);

// Reads an ONNX model from its bytes (binary protobuf), which are not needed afterwards. `folder`
// is where its external data stands; without it, external data is an error (kInvalidArgument).
// Errors otherwise as for load_model.
WINDROW_EXPORT Result<Model> parse_model(std::string_view bytes,
                                         const std::filesystem::path& folder = {});

// An ONNX model of the same nodes, for the shape inference of others: binary protobuf without what
// the file declares of inner values, outputs and inputs of bodies, and without the elements of
// constants of a kibibyte or more (they are external data in a file that is not there). Every node
// is called by its path. Errors: kUnsupported (another dialect, a type that ONNX does not have,
// more than 50 MB), kOutOfMemory.
WINDROW_EXPORT Result<std::string> onnx_skeleton(const Model& model);

// Writes a model, as OpenVINO IR (.xml and .bin) where the name ends in .xml, else as ONNX (aside,
// then renamed; both files of a model together). The model must be of the format's dialect
// (kUnsupported). `external_data`, of ONNX alone, is the file name beside the model that takes all
// initializers of at least 1 KiB, if it is not empty.
WINDROW_EXPORT Status save_model(const Model& model, const std::filesystem::path& path,
                                 const std::string& external_data = {});

// A tensor file by its ending: .npy (NumPy format 1 to 3, any fixed-size type, <U and |S strings),
// .pb (ONNX TensorProto), or an archive of one tensor (windrow/tensor_archive.h). Errors: kIo,
// kFormat, kUnsupported (other ending, pickled objects, big-endian), kInvalidArgument (an archive
// of several tensors, with their names). `expected` tells the type of bits that .npy can't name
// (bfloat16, 8-bit floats, 4-bit types).
WINDROW_EXPORT Result<Tensor> load_tensor(const std::filesystem::path& path,
                                          DType expected = DType::kAbsent);

// A tensor in a file and its name, if the format has one (all but .npy).
struct NamedTensor {
  std::string name;
  Tensor tensor;
};
WINDROW_EXPORT Result<NamedTensor> load_named_tensor(const std::filesystem::path& path);

// Writes the file aside, then renames it. It keeps the mode of a file that it replaces. `name` is
// stored where the format has names; one without a name is "arr_0" in an archive. Errors: kIo (also
// a folder, device or pipe of that name), kUnsupported (other ending, a type or text that the
// format can't hold), kInvalidArgument (no tensor). After an error, and if the process ends, what
// had the name is as it was.
WINDROW_EXPORT Status save_tensor(const TensorView& tensor, const std::filesystem::path& path,
                                  const std::string& name = {});

// Several files, mostly of tensors, that get their names together: all or none.
class WINDROW_EXPORT TensorFiles {
 public:
  // `aside` is an existing folder in which the files stand until commit(), on the file system of
  // their own folders; empty: each stands, hidden, in its own.
  explicit TensorFiles(std::filesystem::path aside = {});
  TensorFiles(TensorFiles&&) noexcept;
  TensorFiles& operator=(TensorFiles&&) noexcept;
  ~TensorFiles();  // what is not committed vanishes

  // Writes one aside. Arguments and errors as for save_tensor(); paths must differ.
  Status add(const TensorView& tensor, const std::filesystem::path& path,
             const std::string& name = {});
  // Writes an archive aside. Arguments and errors as for save_tensors().
  Status add_archive(const NamedTensors& tensors, const std::filesystem::path& path);
  // Writes the bytes of a file of another kind aside. Errors: kIo.
  Status add_text(std::string_view text, const std::filesystem::path& path);
  // Writes the files of a model aside. Arguments and errors as for save_model().
  Status add_model(const Model& model, const std::filesystem::path& path);
  // Gives all files that were added their names. Errors: kIo; the files that had been replaced are
  // then back, and none of the new ones is left.
  Status commit();

 private:
  struct Files;
  std::unique_ptr<Files> files_;
};

}  // namespace windrow

#endif  // WINDROW_MODELS_H_

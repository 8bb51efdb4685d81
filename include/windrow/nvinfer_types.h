#ifndef WINDROW_NVINFER_TYPES_H_
#define WINDROW_NVINFER_TYPES_H_

#include <cstddef>
#include <cstdint>

// The plain types of TensorRT's network interface, with its names and values (releases 10 and 11).
// windrow/nvinfer.h includes this.
namespace windrow::nvinfer1 {

// The names are TensorRT's, not this library's.
// NOLINTBEGIN(readability-identifier-naming)

using char_t = char;
using AsciiChar = char_t;

// No layer here takes kFP4 or kE8M0, except that a cast reads them.
enum class DataType : std::int32_t {
  kFLOAT = 0,
  kHALF = 1,
  kINT8 = 2,
  kINT32 = 3,
  kBOOL = 4,
  kUINT8 = 5,
  kFP8 = 6,
  kBF16 = 7,
  kINT64 = 8,
  kINT4 = 9,
  kFP4 = 10,
  kE8M0 = 11,
};

enum class GatherMode : std::int32_t { kDEFAULT = 0, kELEMENT = 1, kND = 2 };
enum class ScatterMode : std::int32_t { kELEMENT = 0, kND = 1 };
enum class KVCacheMode : std::int32_t { kLINEAR = 0 };

// The layers that exist here.
enum class LayerType : std::int32_t {
  kCAST = 1,
  kGATHER = 16,
  kCONSTANT = 19,
  kSCATTER = 37,
  kONE_HOT = 40,
  kKVCACHE_UPDATE = 54,
};

// Bit numbers of NetworkDefinitionCreationFlags. They have no effect: every network has explicit
// batch dimensions and types that follow from its inputs.
enum class NetworkDefinitionCreationFlag : std::int32_t {
  kEXPLICIT_BATCH = 0,
  kSTRONGLY_TYPED = 1,
  kPREFER_JIT_PYTHON_PLUGINS = 2,
  kPREFER_AOT_PYTHON_PLUGINS = 3,
};
using NetworkDefinitionCreationFlags = std::uint32_t;

// Settings of an engine's builder. Nothing is built here: they are stored without effect.
enum class BuilderFlag : std::int32_t {
  kFP16 = 0,
  kINT8 = 1,
  kDEBUG = 2,
  kGPU_FALLBACK = 3,
  kREFIT = 4,
  kDISABLE_TIMING_CACHE = 5,
  kTF32 = 6,
  kSPARSE_WEIGHTS = 7,
  kSAFETY_SCOPE = 8,
  kOBEY_PRECISION_CONSTRAINTS = 9,
  kPREFER_PRECISION_CONSTRAINTS = 10,
  kDIRECT_IO = 11,
  kREJECT_EMPTY_ALGORITHMS = 12,
  kVERSION_COMPATIBLE = 13,
  kEXCLUDE_LEAN_RUNTIME = 14,
  kFP8 = 15,
  kERROR_ON_TIMING_CACHE_MISS = 16,
  kBF16 = 17,
  kDISABLE_COMPILATION_CACHE = 18,
  kSTRIP_PLAN = 19,
  kREFIT_IDENTICAL = 20,
  kWEIGHT_STREAMING = 21,
  kINT4 = 22,
  kREFIT_INDIVIDUAL = 23,
  kSTRICT_NANS = 24,
  kMONITOR_MEMORY = 25,
  kFP4 = 26,
  kEDITABLE_TIMING_CACHE = 27,
  kDISTRIBUTIVE_INDEPENDENCE = 28,
};
using BuilderFlags = std::uint32_t;

enum class MemoryPoolType : std::int32_t {
  kWORKSPACE = 0,
  kDLA_MANAGED_SRAM = 1,
  kDLA_LOCAL_DRAM = 2,
  kDLA_GLOBAL_DRAM = 3,
  kTACTIC_DRAM = 4,
  kTACTIC_SHARED_MEMORY = 5,
};

enum class ProfilingVerbosity : std::int32_t { kLAYER_NAMES_ONLY = 0, kNONE = 1, kDETAILED = 2 };
enum class OptProfileSelector : std::int32_t { kMIN = 0, kOPT = 1, kMAX = 2 };

// A shape: nbDims extents. -1 is an extent that is known only at run time. An unknown shape has
// nbDims -1; its extents are -1 if only the rank is unknown, else 0.
class Dims64 {
 public:
  static constexpr std::int32_t MAX_DIMS{8};
  std::int32_t nbDims;
  std::int64_t d[MAX_DIMS];
};
using Dims = Dims64;

class Dims2 : public Dims {
 public:
  Dims2() : Dims2(0, 0) {}
  Dims2(std::int64_t d0, std::int64_t d1) : Dims{2, {d0, d1}} {}
};

class Dims3 : public Dims {
 public:
  Dims3() : Dims3(0, 0, 0) {}
  Dims3(std::int64_t d0, std::int64_t d1, std::int64_t d2) : Dims{3, {d0, d1, d2}} {}
};

class Dims4 : public Dims {
 public:
  Dims4() : Dims4(0, 0, 0, 0) {}
  Dims4(std::int64_t d0, std::int64_t d1, std::int64_t d2, std::int64_t d3)
      : Dims{4, {d0, d1, d2, d3}} {}
};

// The elements of a constant, `count` of them, in the caller's memory. kINT4 elements are packed
// two to a byte, the first one in the low half.
class Weights {
 public:
  DataType type;
  void const* values;
  std::int64_t count;
};

// NOLINTEND(readability-identifier-naming)

}  // namespace windrow::nvinfer1

#endif  // WINDROW_NVINFER_TYPES_H_

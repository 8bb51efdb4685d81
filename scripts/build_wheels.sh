#!/usr/bin/env bash
# Builds the package as wheels for Linux with glibc 2.17 and newer (manylinux2014), on x86-64 and 64-bit Arm, from the source
# distribution in dist/. The compiler is zig's clang, from PyPI, which brings that C library's headers and its own C++ library.
# A wheel of CPython 3.12 or newer serves all from 3.12 on; those of 3.11 serve 3.11.
# usage: scripts/build_wheels.sh PAGE VENV...   (the playground's page, or nothing; environments with
# packaging/wheels/requirements.txt, one of each CPython)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
page=${1?usage: scripts/build_wheels.sh PAGE VENV...}
shift
: "${1:?usage: scripts/build_wheels.sh PAGE VENV...}"
[ "$(uname -m)" = x86_64 ] || { echo "wheels of both processors are built on x86-64, not on $(uname -m)" >&2 && exit 1; }
raw=$PWD/build/wheels/raw
unpacked=$PWD/build/wheels/source
headers=$PWD/build/onnxruntime-headers/usr/include
sources=(dist/windrow_ops-*.tar.gz)
[ -e "${sources[0]}" ] || { echo "dist/ has no source distribution: run ./dev sdist" >&2 && exit 1; }

# The compiler's names for a processor, in a folder: CMake wants programs without arguments.
write_compilers() { # VENV PROCESSOR FOLDER
  local zig name
  zig=$("$1/bin/python" -c 'import ziglang, os; print(os.path.dirname(ziglang.__file__))')/zig
  mkdir -p "$3"
  for name in cc c++; do printf '#!/bin/sh\nexec %q %s -target %s-linux-gnu.2.17 "$@"\n' "$zig" "$name" "$2" >"$3/$name"; done
  for name in ar ranlib; do printf '#!/bin/sh\nexec %q %s "$@"\n' "$zig" "$name" >"$3/$name"; done
  chmod +x "$3"/*
}

# Python's headers without the search for those of one processor that Debian's begin with, which leads out of their folder. The
# settings are those of the machine that runs this, whose types have the sizes of the other processor's.
copy_python_headers() { # VENV FOLDER
  rm -rf "$2"
  "$1/bin/python" - "$2" <<'PYTHON'
import shutil, sys, sysconfig
shutil.copytree(sysconfig.get_path("platinclude"), sys.argv[1])
shutil.copy(sysconfig.get_config_h_filename(), sys.argv[1] + "/pyconfig.h")
PYTHON
}

# The first processor is this machine's: its build makes what others' take over.
build() { # VENV PROCESSOR
  local compilers=$PWD/build/wheels/$2 include=$PWD/$1/python-headers made=build/${1##*/} suffix settings=()
  write_compilers "$1" "$2" "$compilers"
  copy_python_headers "$1" "$include"
  suffix=$("$1/bin/python" -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
  [ "$2" = x86_64 ] || settings+=(--config-settings "cmake.define.WINDROW_STUBS=$PWD/build/wheels/x86_64/$made/python/windrow")
  [ -z "$page" ] || settings+=(--config-settings "cmake.define.WINDROW_PLAYGROUND_PAGE=$page")
  rm -rf "$raw"
  CC=$compilers/cc CXX=$compilers/c++ SETUPTOOLS_EXT_SUFFIX=${suffix/x86_64/$2} _PYTHON_HOST_PLATFORM=linux-$2 \
    CMAKE_BUILD_PARALLEL_LEVEL=${WINDROW_JOBS:-$(nproc)} \
    "$1/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$raw" \
    --config-settings "build-dir=$compilers/$made" --config-settings "cmake.define.CMAKE_AR=$compilers/ar" \
    --config-settings "cmake.define.CMAKE_RANLIB=$compilers/ranlib" \
    --config-settings "cmake.define.Python_INCLUDE_DIR=$include" --config-settings cmake.define.WINDROW_MPI=OFF \
    --config-settings "cmake.define.WINDROW_ONNXRUNTIME_INCLUDE=$headers" "${settings[@]}" "$unpacked"
  # Names the oldest systems that have what the extension needs, which must be these.
  PATH=$PWD/$1/bin:$PATH "$1/bin/auditwheel" repair --plat auto --only-plat -z 9 --wheel-dir dist/wheels "$raw"/*.whl
  ls dist/wheels/*-"$("$1/bin/python" -c 'import sys; print("cp%d%d" % min(sys.version_info[:2], (3, 12)))')"-*manylinux2014_"$2"*.whl
}

rm -rf "$unpacked" dist/wheels
mkdir -p "$unpacked"
tar -xf "${sources[0]}" -C "$unpacked" --strip-components=1
for processor in x86_64 aarch64; do
  # The files of an archive are as old as its commit, so nothing is built on an earlier build.
  rm -rf "build/wheels/$processor"
  for venv in "$@"; do
    build "$venv" "$processor"
  done
done

#!/usr/bin/env bash
# Compiles the core library's sources for macOS and Windows, where they have never run. zig's clang brings the headers of these
# systems, so a source that needs Linux fails. src/base/system_posix.cc is left out for Windows, which has no POSIX.
# usage: scripts/compile_elsewhere.sh VENV   (an environment with packaging/wheels/requirements.txt)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
zig=$("${1:?usage: scripts/compile_elsewhere.sh VENV}/bin/python" -c 'import ziglang, os; print(os.path.dirname(ziglang.__file__))')/zig
folder=$PWD/build/elsewhere
mkdir -p "$folder/include"
ln -sfn /usr/include/hwy "$folder/include/hwy"
# The rooms of the core, as CMake has them.
read -r -a rooms < <(sed -n 's/^set(WINDROW_CORE_ROOMS \(.*\))$/\1/p' cmake/libraries.cmake)
flags=(-std=c++20 -O0 -w -ffp-contract=off '-DWINDROW_VERSION="none"' -I. -Iinclude -isystem "$folder/include")
for target in aarch64-macos x86_64-windows-gnu; do
  posix=src/base/system_posix.cc
  [ $target != aarch64-macos ] || posix=
  mapfile -t sources < <(find "${rooms[@]/#/src/}" -name '*.cc' ! -name '*_test.cc' ! -path "$posix" | sort)
  mkdir -p "$folder/$target"
  export object_folder=$folder/$target
  # Each by a call of its own: zig keeps its object in a cache, and only what has changed is compiled again.
  printf '%s\0' "${sources[@]}" | xargs -0 -P "${WINDROW_JOBS:-$(nproc)}" -I{} \
    bash -c 'exec "${@:2}" -c "$1" -o "$object_folder/${1//\//-}.o"' compile {} "$zig" c++ -target $target "${flags[@]}"
  echo "compiled for $target, never run: ${#sources[@]} sources of the core"
done

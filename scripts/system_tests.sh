#!/usr/bin/env bash
# Builds and tests on another system, which scripts/chroot.sh has made: the sources are in /root/source, the files of dist/ in
# /root/windrow. What each job did stays in /root/reports/JOB, for scripts/write_platforms.py: what.txt, and outcome.txt or the
# reports of tests.
# usage: system_tests.sh JOB...
#   pip    from Python and a compiler to a look-up: the source distribution
#   wheel  the wheel for older systems, with NumPy alone, then the tests of the package that need no runtime of others
#   g++    the libraries, the command, the unit tests and those of the whole, with this system's g++ and libraries
#   clang++  the same with clang, as C++23
set -euo pipefail
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
cores=$(nproc)
version_of() { "$1" -dumpfullversion 2>/dev/null || "$1" -dumpversion; }

begin() { # WHAT
  rm -rf "/root/reports/$job"
  mkdir -p "/root/reports/$job"
  echo "$1" >"/root/reports/$job/what.txt"
}

end() { # OUTCOME
  echo "$1" | tee "/root/reports/$job/outcome.txt"
}

python_version() { python3 -c 'import platform; print("CPython", platform.python_version())'; }

# A new environment, in `venv`.
make_environment() {
  venv=/root/environment-$job
  python3 -m venv --clear "$venv"
}

look_up() {
  "$venv/bin/python" - <<'PYTHON'
import windrow, numpy, tempfile, pathlib
assert windrow.take([[1, 2], [3, 4]], [1, 1, 0], axis=0).tolist() == [[3, 4], [3, 4], [1, 2]]
file = pathlib.Path(tempfile.mkdtemp(), "table.npy")
numpy.save(file, numpy.arange(12, dtype=numpy.int64).reshape(4, 3))
assert windrow.open_table(file)[[3, 0]].tolist() == [[9, 10, 11], [0, 1, 2]]
PYTHON
  "$venv/bin/windrow" --version
}

numpy_version() { "$venv/bin/python" -c 'import numpy; print("NumPy", numpy.__version__)'; }

run_pip() {
  local start=$SECONDS
  begin "the source distribution, by pip: g++ $(version_of g++), $(python_version)"
  make_environment
  "$venv/bin/pip" install -q /root/windrow/windrow_ops-*.tar.gz
  look_up
  end "installed in $((SECONDS - start)) s on $cores cores, with $(numpy_version); take, a table on disk and the command work"
}

run_wheel() {
  begin "the wheel of \`./dev wheels\`: $(python_version)"
  make_environment
  "$venv/bin/pip" install -q --no-index --find-links /root/windrow/wheels --no-deps windrow-ops
  "$venv/bin/pip" install -q numpy
  look_up
  "$venv/bin/pip" install -q pytest pytest-xdist hypothesis ml_dtypes onnx
  (cd /root/source && "$venv/bin/pytest" -q -n "$cores" --dist loadfile --junit-xml="/root/reports/$job/pytest.xml" \
    python/tests/test_{arrays,embedding_bag,negative_indices,put_along_axis,segment_offsets,segments_counted_by_ids}.py)
}

run_compiler() { # C_COMPILER CPP_COMPILER STANDARD
  local folder=/root/build/$2 status=0
  begin "$2 $(version_of "$2"), C++$3, Highway $(dpkg-query -W -f '${source:Upstream-Version}' libhwy-dev)"
  CC=$1 CXX=$2 cmake -S /root/source -B "$folder" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD="$3" \
    -DWINDROW_DEVELOPER=ON -DCMAKE_COMPILE_WARNING_AS_ERROR=OFF -DWINDROW_BENCH=OFF
  cmake --build "$folder" -j "$cores" >"/root/reports/$job/build.log" 2>&1 || status=$?
  grep -v '^\[' "/root/reports/$job/build.log" || true
  [ $status = 0 ] || return $status
  rm -rf "$folder/reports"
  ctest --test-dir "$folder" -j "$cores" --output-on-failure --output-junit "$folder/reports/ctest.xml" || status=$?
  cp "$folder"/reports/*.xml "/root/reports/$job"
  return $status
}

for job in "$@"; do
  case $job in
    pip) run_pip ;;
    wheel) run_wheel ;;
    g++) run_compiler gcc g++ 20 ;;
    clang++) run_compiler clang clang++ 23 ;;
    *) echo "no job: $job" >&2 && exit 2 ;;
  esac
done

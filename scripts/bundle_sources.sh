#!/usr/bin/env bash
# Unpacks the sources of the libraries that the Python package is made of into a folder, from Debian's source packages,
# whose signatures apt checks: third_party/ of a source distribution, from where its build takes them
# (cmake/third_party.cmake). Installs nothing, and leaves apt's own configuration as it is.
# usage: scripts/bundle_sources.sh FOLDER   (which is made anew)
set -euo pipefail
target=$(realpath -m "${1:?usage: scripts/bundle_sources.sh FOLDER}")
apt=$target.apt
# A source package, and what is taken of it.
bundled='highway hwy LICENSE
pugixml src LICENSE.md
zlib *.c *.h README
liburing src LICENSE
cli11 include LICENSE
fmtlib include src LICENSE.rst
nlohmann-json3 include LICENSE.MIT'

rm -rf "$apt" "$target"
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$apt/sources" "$apt/unpacked"
: >"$apt/status"
# The places of Debian's packages have its source packages, too.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
  if [ -e "$list" ] && grep -q '/debian *\|debian-archive-keyring' "$list"; then
    sed -e 's/^Types:.*/Types: deb-src/' -e 's/^deb /deb-src /' "$list" >"$apt/sources/${list##*/}"
  fi
done
options=(-qq -o APT::Sandbox::User= -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists"
  -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt" -o Dir::Etc::sourcelist=/dev/null
  -o "Dir::Etc::sourceparts=$apt/sources")
apt-get "${options[@]}" update
while read -r package files; do
  (cd "$apt/unpacked" && apt-get "${options[@]}" source --download-only "$package")
  mkdir -p "$apt/unpacked/$package" "$target/$package"
  # Debian's patches concern its own builds and tests.
  archive=$(ls "$apt/unpacked"/*.orig.tar.*[^c] | tail -1)
  tar -xf "$archive" -C "$apt/unpacked/$package" --strip-components=1
  (cd "$apt/unpacked/$package" && shopt -s nullglob && cp -r --parents $files "$target/$package")
  rm -f "$apt/unpacked"/*.orig.tar.* "$apt/unpacked"/*.dsc "$apt/unpacked"/*.debian.tar.*
  echo "${archive##*/}" >>"$target/versions.txt"
done <<<"$bundled"
rm -rf "$apt"

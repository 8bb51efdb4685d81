#!/usr/bin/env bash
# Unpacks the libraries that Windrow needs, of this Debian release for another processor, with all that they need
# themselves, into build/sysroot-ARCHITECTURE. Installs nothing, and leaves apt's own configuration as it is.
# usage: scripts/fetch_sysroot.sh ARCHITECTURE   (Debian's name: arm64)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

architecture=${1:?usage: scripts/fetch_sysroot.sh ARCHITECTURE}
folder=$PWD/build/sysroot-$architecture
apt=$folder.apt
[ ! -e "$folder/fetched.txt" ] || exit 0

packages=()
while read -r package; do
  case $package in lib*-dev | nlohmann-json3-dev | zlib1g-dev) packages+=("$package") ;; esac
done < <(grep -vE '^#|^libclang' packages.txt)

rm -rf "$folder" "$apt"
mkdir -p "$apt/lists/partial" "$apt/archives/partial" "$folder"
: >"$apt/status"
options=(-qq -y -o "APT::Architecture=$architecture" -o "APT::Architectures::=$architecture" -o APT::Sandbox::User=
  -o "Dir::State=$apt" -o "Dir::State::lists=$apt/lists" -o "Dir::State::status=$apt/status" -o "Dir::Cache=$apt")
apt-get "${options[@]}" update
apt-get "${options[@]}" --no-install-recommends --download-only install "${packages[@]}"
for file in "$apt"/archives/*.deb; do
  case ${file##*/} in
    # The cross compiler has the C library's headers.
    libc6-dev_* | linux-libc-dev_* | libcrypt-dev_*) ;;
    *) dpkg -x "$file" "$folder" ;;
  esac
done
# Links to absolute places lead into the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
  ln -sfr "$folder$(readlink "$link")" "$link"
done
(cd "$apt/archives" && sha256sum ./*.deb) >"$folder/fetched.txt"
rm -rf "$apt"

#!/usr/bin/env bash
# Runs a command in a fresh system of another release of Debian, made by debootstrap with Python, a C++ compiler and Python's
# headers alone; of another processor, under QEMU, if one is named. Needs root, debootstrap and a mirror that has the release;
# the system is kept in build/chroot-SUITE. With --packages it is another one, build/chroot-SUITE-packages, which also has what
# packages.txt says that a build needs. The command begins in /root/windrow, into which the files of dist/ are copied; the sources
# are in /root/source.
# usage: scripts/chroot.sh [--packages] SUITE[:PROCESSOR] COMMAND...   (SUITE: bookworm, trixie, testing; PROCESSOR: arm64)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

usage='usage: scripts/chroot.sh [--packages] SUITE[:PROCESSOR] COMMAND...'
with_packages=
if [ "${1:-}" = --packages ]; then
  with_packages=-packages
  shift
fi
suite=${1:?$usage}
shift
: "${1:?$usage}"
system=$PWD/build/chroot-${suite/:/-}$with_packages
processor=$(dpkg --print-architecture)
if [[ $suite == *:* ]]; then
  processor=${suite#*:}
  suite=${suite%:*}
fi
mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p; s/^deb .*\(http[^ ]*\/debian\) .*/\1/p' \
  $(find /etc/apt -name '*.list' -o -name '*.sources') | head -1)

command -v debootstrap >/dev/null || apt-get -qq -y install debootstrap
# The kernel starts the programs of another processor by QEMU, also in the chroot.
if [ "$processor" != "$(dpkg --print-architecture)" ]; then
  dpkg-query -W qemu-user-static >/dev/null 2>&1 || apt-get -qq -y install qemu-user-static
  kinds=/proc/sys/fs/binfmt_misc
  [ -e $kinds/register ] || mount -t binfmt_misc binfmt_misc $kinds
  kind=qemu-$([ "$processor" = arm64 ] && echo aarch64 || echo "$processor")
  [ -e "$kinds/$kind" ] || cat "/usr/lib/binfmt.d/$kind.conf" >$kinds/register
fi
if [ ! -e "$system/made" ]; then
  rm -rf --one-file-system "$system"
  debootstrap --arch="$processor" --variant=minbase --include=python3,python3-dev,python3-venv,g++,ca-certificates "$suite" "$system" "$mirror"
  touch "$system/made"
fi
# What this machine needs for a network: its certificates and name servers.
cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"
cp /etc/resolv.conf "$system/etc/" 2>/dev/null || true
rm -rf "$system/root/windrow" "$system/root/source"
mkdir -p "$system/root/windrow" "$system/root/source"
[ ! -d dist ] || cp -r dist/. "$system/root/windrow"
# With the times of their files, so that a second build compiles what has changed.
git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --files-from=- -c | tar -x -C "$system/root/source"
# CMake and Python look in /proc for the number of processors, MPI in /sys for networks; processes share memory in /dev/shm.
mountpoint -q "$system/proc" || mount -t proc proc "$system/proc"
mountpoint -q "$system/sys" || mount -t sysfs -o ro sysfs "$system/sys"
mkdir -p "$system/dev/shm"
mountpoint -q "$system/dev/shm" || mount -t tmpfs tmpfs "$system/dev/shm"
# Lazily, because a program outside may be reading there.
trap 'umount --lazy "$system/proc" "$system/sys" "$system/dev/shm"' EXIT
if [ -n "$with_packages" ] && ! cmp -s packages.txt "$system/packages.txt"; then
  mapfile -t packages < <(sed '/^# Not for a build/,$d' packages.txt | grep -v '^#')
  # The lists of a changing suite name a day until which they hold; a mirror may still have older ones.
  chroot "$system" apt-get -o Acquire::Check-Valid-Until=false update -qq
  DEBIAN_FRONTEND=noninteractive chroot "$system" apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null
  cp packages.txt "$system"
fi
# Variables of this system mean nothing there. pip has to be told where the certificates are.
certificates=/etc/ssl/certs/ca-certificates.crt
env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM="${TERM:-dumb}" \
  PIP_CERT=$certificates SSL_CERT_FILE=$certificates chroot "$system" /bin/bash -c 'cd /root/windrow && exec "$@"' bash "$@"

#!/usr/bin/env bash
# Runs a command in a fresh system of another release of Debian, made by debootstrap with Python, a C++ compiler and Python's
# headers alone; of another processor, under QEMU, if one is named. Needs root, debootstrap and a mirror that has the release;
# the system is kept in build/chroot-SUITE. The command begins in /root/windrow, into which the files of dist/ are copied.
# usage: scripts/chroot.sh SUITE[:PROCESSOR] COMMAND...   (SUITE: bookworm, trixie, testing; PROCESSOR: Debian's name, arm64)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

suite=${1:?usage: scripts/chroot.sh SUITE[:PROCESSOR] COMMAND...}
shift
: "${1:?usage: scripts/chroot.sh SUITE[:PROCESSOR] COMMAND...}"
system=$PWD/build/chroot-${suite/:/-}
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
rm -rf "$system/root/windrow"
mkdir -p "$system/root/windrow"
cp -r dist/. "$system/root/windrow"
# CMake and Python look there for the number of processors.
mountpoint -q "$system/proc" || mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT
chroot "$system" /bin/bash -c 'cd /root/windrow && exec "$@"' bash "$@"

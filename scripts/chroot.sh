#!/usr/bin/env bash
# Runs a command in a fresh system of another release of Debian, made by debootstrap with Python, a C++ compiler and Python's
# headers alone. Needs root, debootstrap and a mirror that has the release; the system is kept in build/chroot-SUITE.
# The command begins in /root/windrow, into which the files of dist/ are copied.
# usage: scripts/chroot.sh SUITE COMMAND...   (SUITE: trixie, testing)
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."

suite=${1:?usage: scripts/chroot.sh SUITE COMMAND...}
shift
: "${1:?usage: scripts/chroot.sh SUITE COMMAND...}"
system=$PWD/build/chroot-$suite
mirror=$(sed -n 's/^URIs: *\([^ ]*\/debian\)\/*$/\1/p; s/^deb .*\(http[^ ]*\/debian\) .*/\1/p' \
  /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -1)

command -v debootstrap >/dev/null || apt-get -qq -y install debootstrap
if [ ! -e "$system/made" ]; then
  rm -rf "$system"
  debootstrap --variant=minbase --include=python3,python3-dev,python3-venv,g++,ca-certificates "$suite" "$system" "$mirror"
  touch "$system/made"
fi
# What this machine needs for a network: its certificates and name servers.
cp /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"
cp /etc/resolv.conf "$system/etc/" 2>/dev/null || true
rm -rf "$system/root/windrow"
mkdir -p "$system/root/windrow"
cp dist/* "$system/root/windrow/"
# CMake and Python look there for the number of processors.
mountpoint -q "$system/proc" || mount -t proc proc "$system/proc"
trap 'umount "$system/proc"' EXIT
chroot "$system" /bin/bash -c 'cd /root/windrow && exec "$@"' bash "$@"

# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Sourced by tests/foreign.sh and packaging/wheels.sh: what another Debian architecture is called, and its packages.

triplet_of() {
  case $1 in
    s390x) echo s390x-linux-gnu ;;
    armhf) echo arm-linux-gnueabihf ;;
    arm64) echo aarch64-linux-gnu ;;
    *) echo "no triplet is known for $1" >&2 && return 1 ;;
  esac
}

emulator_of() {
  case $1 in
    armhf) echo qemu-arm ;;
    arm64) echo qemu-aarch64 ;;
    *) echo "qemu-$1" ;;
  esac
}

# fetch ARCHITECTURE FOLDER PACKAGE...: unpacks these packages of it below FOLDER/root. apt gets its own folders, so that the
# machine's are not changed.
fetch() {
  local arch=$1 here package
  here=$(realpath -m "$2")
  shift 2
  [ ! -e "$here/complete" ] || return 0
  rm -rf "$here"
  mkdir -p "$here"/{root,debs,state/lists/partial,cache/archives/partial}
  : >"$here/status"
  local apt=(apt-get -qq -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o Dir::State="$here/state"
    -o Dir::State::status="$here/status" -o Dir::Cache="$here/cache" -o Debug::NoLocking=1 -o APT::Sandbox::User=root)
  "${apt[@]}" update || true # one of the machine's other sources may be broken
  (cd "$here/debs" && "${apt[@]}" download "$@") || return
  for package in "$here"/debs/*.deb; do dpkg -x "$package" "$here/root"; done
  touch "$here/complete"
}

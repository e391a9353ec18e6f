#!/usr/bin/env bash
# Installs what Meniscus is built from (Debian 12 or a near relative) and fetches the scanned bunny. Run it as root or with sudo
# at hand; running it again does nothing that is already done.
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(build-essential cmake ninja-build ccache clang-format libfmt-dev nlohmann-json3-dev libcli11-dev
          libgtest-dev libeigen3-dev libsdl2-dev tetgen clang pkg-config dpkg-dev doxygen
          libepoxy-dev libglm-dev libstb-dev fonts-dejavu-core libegl1 libegl-mesa0 libgl1-mesa-dri libglfw3-dev
          libimgui-dev libopenvdb-dev libboost-dev libtbb-dev libimath-dev xvfb xauth x11-xserver-utils ffmpeg)

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo > /dev/null; then sudo "$@"
  else echo "this needs root: $*  (install sudo, or run scripts/setup.sh as root)" >&2; return 1
  fi
}

missing=()
for p in "${packages[@]}"; do
  [ "$(dpkg-query -W -f='${db:Status-Status}' "$p" 2> /dev/null || true)" = installed ] || missing+=("$p")
done
if [ ${#missing[@]} -gt 0 ]; then
  echo "installing: ${missing[*]}"
  as_root apt-get update -q
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
fi

# The Stanford bunny as Debian ships it with CGAL's demos. Only the package's file is unpacked: installing it would bring Qt along.
bunny=assets/meshes/bunny.off
if [ ! -s "$bunny" ]; then
  echo "fetching $bunny"
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  if (cd "$work" && apt-get -o APT::Sandbox::User=root download -q libcgal-demo); then
    dpkg-deb -x "$work"/libcgal-demo_*.deb "$work/tree"
    tar -xzf "$(find "$work/tree" -name data.tar.gz -print -quit)" -C "$work" data/meshes/bunny00.off
    mkdir -p "$(dirname "$bunny")"
    cp "$work/data/meshes/bunny00.off" "$bunny.part" && mv "$bunny.part" "$bunny"
  else
    echo "libcgal-demo could not be downloaded; the bunny scenes will not run" >&2
  fi
fi
echo "set-up done"

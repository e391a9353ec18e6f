#!/usr/bin/env bash
# Runs the peer SPlisHSPlasH (from PyPI, a build without AVX) and Meniscus one after the other on the same tank and prints both.
#   scripts/peer.sh [--seconds S] [--threads N] [--environment DIR] [SIZES...]
# SIZES: particles along an edge of the cube, of 29, 42 and 58; default 29. The first run installs the peer into a virtual
# environment outside of the sources (default ${XDG_CACHE_HOME:-~/.cache}/meniscus-peer), which takes the network and 60 MB; its
# first scene of a size prepares a map of the tank for half a minute. Figures go to out/peer.csv.
set -euo pipefail
cd "$(dirname "$0")/.."
version=2.16.0
seconds=1
threads=$(nproc)
environment=${XDG_CACHE_HOME:-$HOME/.cache}/meniscus-peer
sizes=()
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) seconds=$2; shift 2 ;;
    --threads) threads=$2; shift 2 ;;
    --environment) environment=$2; shift 2 ;;
    29 | 42 | 58) sizes+=("$1"); shift ;;
    *) echo "scripts/peer.sh: \"$1\" is no option and no size (29, 42, 58)" >&2; exit 2 ;;
  esac
done
[ ${#sizes[@]} -gt 0 ] || sizes=(29)
[ -x "$(command -v python3)" ] || { echo "python3 is missing (Debian: python3-venv)" >&2; exit 1; }

python=$environment/bin/python
if ! "$python" -c "import importlib.metadata as m, sys; sys.exit(m.version('pysplishsplash') != '$version')" 2> /dev/null; then
  echo "installing pysplishsplash $version into $environment"
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet "pysplishsplash==$version" numpy ||
    { echo "the peer could not be installed: no network, or no wheel for this Python" >&2; exit 1; }
fi
# the wheel brings a part of OpenGL of its own, which does not go with the rest where the system has one
dispatch=$(ldconfig -p 2> /dev/null | sed -n 's/.*libGLdispatch\.so\.0.* => //p' | head -n 1)

[ -x "$(command -v cmake)" ] || { echo "cmake is missing; run scripts/setup.sh first" >&2; exit 1; }
program=${MENISCUS:-build/release/bin/meniscus}
if [ -z "${MENISCUS:-}" ]; then
  cmake --preset release > /dev/null
  cmake --build --preset release --target meniscus
fi
mkdir -p out
rm -f out/peer.csv
for size in "${sizes[@]}"; do
  echo "peer, $size particles along an edge, $seconds s"
  LD_PRELOAD=$dispatch OMP_NUM_THREADS=$threads "$python" scripts/peer.py "$size" "$seconds" "$threads" out/peer.csv > out/peer.log 2>&1 ||
    { tail -n 20 out/peer.log >&2; exit 1; }
done
"$program" bench peer "${sizes[@]}" --threads "$threads" --duration "$seconds" --beside out/peer.csv --quiet

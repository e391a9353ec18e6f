#!/usr/bin/env bash
# Builds Meniscus where needed and runs the main job: a balloon full of water dropped on the ground. Results go to
# out/water-balloon/ (summary.json, steps.csv, a VTK series). Another scene: scripts/run.sh assets/scenes/NAME.json [options]
set -euo pipefail
cd "$(dirname "$0")/.."
[ -x "$(command -v cmake)" ] || { echo "cmake is missing; run scripts/setup.sh first" >&2; exit 1; }
scene=assets/scenes/water-balloon.json
if [ $# -gt 0 ] && [[ $1 != -* ]]; then scene=$1; shift; fi
name=$(basename "$scene" .json)
cmake --preset release > /dev/null
cmake --build --preset release --target meniscus
defaults=()
[[ " $* " == *" --out"* ]] || defaults+=(--out "out/$name")
[[ " $* " == *" --summary"* ]] || defaults+=(--summary "out/$name/summary.json")
exec build/release/bin/meniscus run "$scene" "${defaults[@]}" "$@"

#!/usr/bin/env bash
# On a machine with an NVIDIA card: builds, runs the tests on the card, looks for memory errors and races on two short scenes, times
# scenes of fluid and writes assets/baselines/<card>.csv. Needs nvcc; compute-sanitizer is used where it is installed.
#   scripts/gpu.sh [BUILD_FOLDER]     default: build/gpu
set -euo pipefail
cd "$(dirname "$0")/.."
build=${1:-build/gpu}
export PATH="$PATH:/usr/local/cuda/bin"
[ -x "$(command -v nvcc)" ] || { echo "nvcc is missing: install the CUDA Toolkit or put it on PATH" >&2; exit 1; }
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DMENISCUS_CUDA=ON
cmake --build "$build" --parallel --target meniscus meniscus_cuda test_gpu
program="$build/bin/meniscus"
"$program" info

# a machine without a card ends here, with the reason
"$program" bench device assets/scenes/dam-break.json --steps 1 --repeat 1 --warm-up 1 > /dev/null

"$build/bin/test_gpu" | tee "$build/test_gpu.txt"
if grep -q SKIPPED "$build/test_gpu.txt"; then
  echo "tests were skipped although there is a card: see $build/test_gpu.txt" >&2
  exit 1
fi

if [ -x "$(command -v compute-sanitizer)" ]; then
  for scene in dam-break tap-on-cloth; do
    for tool in memcheck racecheck initcheck synccheck; do
      echo "compute-sanitizer: $tool, $scene"
      compute-sanitizer --tool "$tool" --error-exitcode 9 \
        "$program" bench device "assets/scenes/$scene.json" --steps 2 --repeat 1 --warm-up 1 > "$build/$scene-$tool.txt"
      tail -n 1 "$build/$scene-$tool.txt"
    done
  done
else
  echo "compute-sanitizer is not installed: no look for memory errors and races"
fi

mkdir -p assets/baselines
card=$("$program" info | sed -n 's/^cuda: usable (\([^,;)]*\).*/\1/p' | head -n 1 | tr ' /' '--')
"$program" bench device assets/scenes/dam-break.json --csv "assets/baselines/${card:-unknown-card}.csv"
echo "written: assets/baselines/${card:-unknown-card}.csv"

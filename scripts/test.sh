#!/usr/bin/env bash
# Configures, builds and runs all tests. Further arguments go to ctest, for example: scripts/test.sh -L quick
set -euo pipefail
cd "$(dirname "$0")/.."
preset=${MENISCUS_PRESET:-release}
[ -x "$(command -v cmake)" ] || { echo "cmake is missing; run scripts/setup.sh first" >&2; exit 1; }
cmake --preset "$preset"
cmake --build --preset "$preset"
ctest --preset "$preset" "$@"

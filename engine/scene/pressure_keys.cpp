#include "engine/scene/pressure_keys.h"

#include <algorithm>

namespace meniscus {
namespace {

using Mode = PressureMode;

struct ModeKey {
  const char* key;
  std::vector<Mode> modes;
  void (*reset)(SolverDef& s, const SolverDef& defaults);
};

template <auto M>
ModeKey keyOf(const char* key, std::vector<Mode> modes) {
  return {key, std::move(modes), [](SolverDef& s, const SolverDef& defaults) { s.*M = defaults.*M; }};
}

const std::vector<ModeKey>& modeKeys() {
  using S = SolverDef;
  static const std::vector<ModeKey> keys = {
      keyOf<&S::krylov>("krylov", {Mode::kernelDiagonal}),
      keyOf<&S::densityCorrection>("density_correction", {Mode::compatible, Mode::kernelDiagonal}),
      keyOf<&S::highPass>("high_pass", {Mode::compatible}),
      keyOf<&S::xsph>("xsph", {Mode::compatible, Mode::kernelDiagonal, Mode::positionBased}),
      keyOf<&S::soundSpeed>("sound_speed", {Mode::weaklyCompressible}),
      keyOf<&S::densityVariation>("density_variation", {Mode::weaklyCompressible}),
      keyOf<&S::artificialViscosity>("artificial_viscosity", {Mode::weaklyCompressible}),
      keyOf<&S::densityIterations>("density_iterations", {Mode::positionBased}),
      keyOf<&S::constraintRelaxation>("constraint_relaxation", {Mode::positionBased}),
      keyOf<&S::tensileCorrection>("tensile_correction", {Mode::positionBased}),
  };
  return keys;
}

const char* nameOf(Mode mode) {
  constexpr const char* names[] = {"compatible", "kernel-diagonal", "weakly-compressible", "position-based"};
  return names[int(mode)];
}

bool belongs(const ModeKey& k, Mode mode) { return std::find(k.modes.begin(), k.modes.end(), mode) != k.modes.end(); }

}  // namespace

void checkPressureKeys(Reader& r, const JsonNode& solver, const SolverDef& s) {
  if (r.spoilt(solver, "pressure")) return;
  for (const ModeKey& k : modeKeys()) {
    const JsonMember* member = solver.find(k.key);
    if (!member || r.spoilt(solver, k.key) || belongs(k, s.pressure)) continue;
    std::string modes;
    for (const Mode m : k.modes)
      modes += fmt::format("{}\"{}\"", modes.empty() ? "" : m == k.modes.back() ? " and " : ", ", nameOf(m));
    r.error(member->line, member->column,
            fmt::format("\"{}\" belongs to pressure {}, and means nothing with \"{}\"; remove it, or choose another \"pressure\"",
                        k.key, modes, nameOf(s.pressure)));
  }
}

void resetForeignPressureKeys(SolverDef& s) {
  const SolverDef defaults;
  for (const ModeKey& k : modeKeys())
    if (!belongs(k, s.pressure)) k.reset(s, defaults);
}

}  // namespace meniscus

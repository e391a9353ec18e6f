#include "engine/scene/pressure_keys.h"

namespace meniscus {
namespace {

using Mode = PressureMode;

constexpr Mode kModes[] = {Mode::compatible, Mode::kernelDiagonal, Mode::weaklyCompressible, Mode::positionBased};

struct ModeKey {
  const char* key;
  unsigned modes;  // bit m: it belongs to the mode m
  void (*reset)(SolverDef& s, const SolverDef& defaults);
};

constexpr unsigned bit(Mode m) { return 1u << unsigned(m); }

template <auto M>
constexpr ModeKey keyOf(const char* key, unsigned modes) {
  return {key, modes, [](SolverDef& s, const SolverDef& defaults) { s.*M = defaults.*M; }};
}

using S = SolverDef;
constexpr ModeKey kModeKeys[] = {
    keyOf<&S::krylov>("krylov", bit(Mode::kernelDiagonal)),
    keyOf<&S::tolerance>("tolerance", bit(Mode::compatible) | bit(Mode::kernelDiagonal)),
    keyOf<&S::maxIterations>("max_iterations", bit(Mode::compatible) | bit(Mode::kernelDiagonal)),
    keyOf<&S::densityCorrection>("density_correction", bit(Mode::compatible) | bit(Mode::kernelDiagonal)),
    keyOf<&S::highPass>("high_pass", bit(Mode::compatible)),
    keyOf<&S::xsph>("xsph", bit(Mode::compatible) | bit(Mode::kernelDiagonal) | bit(Mode::positionBased)),
    keyOf<&S::soundSpeed>("sound_speed", bit(Mode::weaklyCompressible)),
    keyOf<&S::densityVariation>("density_variation", bit(Mode::weaklyCompressible)),
    keyOf<&S::artificialViscosity>("artificial_viscosity", bit(Mode::weaklyCompressible)),
    keyOf<&S::densityIterations>("density_iterations", bit(Mode::positionBased)),
    keyOf<&S::constraintRelaxation>("constraint_relaxation", bit(Mode::positionBased)),
    keyOf<&S::tensileCorrection>("tensile_correction", bit(Mode::positionBased)),
};

const char* nameOf(Mode mode) {
  constexpr const char* names[] = {"compatible", "kernel-diagonal", "weakly-compressible", "position-based"};
  return names[int(mode)];
}

bool belongs(const ModeKey& k, Mode mode) { return (k.modes & bit(mode)) != 0; }

}  // namespace

void checkPressureKeys(Reader& r, const JsonNode& solver, const SolverDef& s) {
  if (r.spoilt(solver, "pressure")) return;
  for (const ModeKey& k : kModeKeys) {
    const JsonMember* member = solver.find(k.key);
    if (!member || r.spoilt(solver, k.key) || belongs(k, s.pressure)) continue;
    std::string modes;
    for (const Mode m : kModes) {
      if (!belongs(k, m)) continue;
      const bool last = k.modes >> (unsigned(m) + 1) == 0;
      modes += fmt::format("{}\"{}\"", modes.empty() ? "" : last ? " and " : ", ", nameOf(m));
    }
    r.error(member->line, member->column,
            fmt::format("\"{}\" belongs to pressure {}, and means nothing with \"{}\"; remove it, or choose another \"pressure\"",
                        k.key, modes, nameOf(s.pressure)));
  }
}

void resetForeignPressureKeys(SolverDef& s) {
  const SolverDef defaults;
  for (const ModeKey& k : kModeKeys)
    if (!belongs(k, s.pressure)) k.reset(s, defaults);
}

}  // namespace meniscus

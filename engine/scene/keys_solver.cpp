// Solver settings and the domain.
#include "engine/scene/keys.h"
#include "engine/scene/methods.h"
#include "engine/scene/pressure_keys.h"

namespace meniscus {

namespace {

// With margin: spacing 12 and 20 mm, steps of 2 ms; density error of the mean particle where it goes beyond.
constexpr double kMostXsph = 0.2;  // dam break calm at 0.25 (2e-3), not at 0.3 (8e-3); balloon at 0.2 (3e-3), not at 0.3 (3e-2)
constexpr double kMostContactDistance =
    0.4;  // balloon calm at 0.4 (2.5e-3), not at 0.5 (2e-2); dam break at 0.5 (1.5e-3), not at 0.6

}  // namespace

const Table<SolverDef>& solverTable() {
  static const Table<SolverDef> table = [] {
    using S = SolverDef;
    Table<S> t("solver", "The method and its settings; the defaults serve most scenes.");
    t.add(
        "method", optional,
        choiceSchema(
            methodNames(),
            "Method of simulation: particles, or smoke on a grid beside implicit solids, coupled by the named method. Without "
            "a \"grid\" the named method couples particles with rigid bodies; staggered is one pass a step, to compare with."),
        [](Reader& r, const JsonNode& n, S& s) {
          int k = 0;
          if (readChoice(r, n, "method", methodNames(), k)) s.method = methodNames()[std::size_t(k)];
        },
        [](const S& s) { return s.method == S{}.method ? Json() : Json(s.method); });
    t.number("dt", &S::dt, "s", kPositive, "Largest step. On a grid, grid.cfl may shorten it.")
        .number("cfl", &S::cfl, "", {1e-3, 10, false, false},
                "Sub-step limit: dt <= cfl * spacing / fastest speed. Shorter ones move particles by less than single precision "
                "resolves.")
        .integer("max_substeps", &S::maxSubsteps, 1, "Sub-steps of a step at most; reaching it is a counted status.")
        .number("support", &S::support, "spacings", {1.5, 4, false, false},
                "Radius of the smoothing kernel's support. The kernel is made for 2.")
        .choice(
            "pressure", &S::pressure, {"compatible", "kernel-diagonal", "weakly-compressible", "position-based"},
            "Operator of the pressure solve, or, for comparison, pressure by Tait's equation of state without a solve, or by a few "
            "iterations over density constraints. A key of another mode than the chosen one is refused.")
        .choice("krylov", &S::krylov, {"conjugate-gradients", "bicgstab"}, "Kernel-diagonal: iteration of the pressure solve.")
        .number("tolerance", &S::tolerance, "", {0, 1, true, true}, "Relative residual at which the pressure solve ends.")
        .integer("max_iterations", &S::maxIterations, 1, "Iterations of the pressure solve at most.")
        .number("density_correction", &S::densityCorrection, "", kShare, "Share of the density error removed in a step.")
        .number("high_pass", &S::highPass, "", kShare, "Weight of the term that removes checkerboard pressures.")
        .number(
            "xsph", &S::xsph, "", {0, kMostXsph, false, false},
            "Damping of velocity differences at a step of 2 ms and a spacing of 20 mm, scaled as a viscosity. It acts after the "
            "pressure solve and takes the velocities away from what that made free of divergence: above the limit water boils.")
        .number(
            "contact_distance", &S::contactDistance, "spacings", {0, kMostContactDistance, true, false},
            "Particles are kept this far off solids. In calm water the first layer is half a spacing off, where each has its own "
            "volume: a larger distance would compress the water against its pressure in every step.")
        .number("coupling_tolerance", &S::couplingTolerance, "", {0, 1, true, true},
                "Relative velocity mismatch of fluid and solid that ends the coupling.")
        .integer("max_coupling_iterations", &S::maxCouplingIterations, 1, "Coupling iterations of a sub-step at most.")
        .integer("constraint_iterations", &S::constraintIterations, 1,
                 "Sweeps over the solids' constraints in a coupling iteration.")
        .integer("solid_substeps", &S::solidSubsteps, 1, "Sub-steps of the solids, in scenes without fluid.")
        .flag("serial_constraints", &S::serialConstraints, "All constraints in one serial group.")
        .flag("clamp_separation", &S::clampSeparation, "No suction on particles at a free surface.")
        .number("sound_speed", &S::soundSpeed, "m/s", {0, 1e5, false, false},
                "Weakly compressible: speed of sound; 0: the fastest speed expected over the root of density_variation. That speed "
                "is of a fall through the domain from the greatest speed at which something starts or is emitted.")
        .number("density_variation", &S::densityVariation, "", {1e-4, 0.1, false, false},
                "Weakly compressible: admissible relative change of density.")
        .number("artificial_viscosity", &S::artificialViscosity, "", {0, 1, false, false},
                "Weakly compressible: coefficient alpha of the artificial viscosity, in place of xsph.")
        .integer("density_iterations", &S::densityIterations, 1,
                 "Position-based: Jacobi iterations over the density constraints in a sub-step.")
        .number("constraint_relaxation", &S::constraintRelaxation, "", {0, 100, false, false},
                "Position-based: epsilon in the denominators of the constraints' multipliers, in units of a full lattice's sum of "
                "squared gradients. Without bodies the iterations converge from 0.3 on.")
        .number(
            "tensile_correction", &S::tensileCorrection, "", {0, 1, false, false},
            "Position-based: strength k of the artificial pressure against clumping, as the density error whose correction it is; "
            "it falls with the fourth power of the kernel.")
        .object("grid", &S::grid, gridTable(), "Grid methods: the grid.")
        .object("coupling", &S::coupling, couplingTable(), "Grid methods: how a step of fluid and solids is solved.")
        .where(&S::where)
        .check([](Reader& r, const JsonNode& n, S& s) { checkPressureKeys(r, n, s); });
    return t;
  }();
  return table;
}

namespace {

void readWalls(Reader& r, const JsonNode& n, DomainDef& d) {
  if (n.kind == JsonNode::Kind::text && (n.text == "all" || n.text == "none")) {
    for (bool& w : d.walls) w = n.text == "all";
    return;
  }
  if (n.kind != JsonNode::Kind::array) {
    r.error(n, "\"walls\" must be \"all\", \"none\" or a list of the sides that are walls, out of -x +x -y +y -z +z");
    return;
  }
  for (bool& w : d.walls) w = false;
  for (const JsonNode& side : n.items) {
    int k = 0;
    if (readChoice(r, side, "walls", kSides, k)) d.walls[k] = true;
  }
}

Json writeWalls(const DomainDef& d) {
  Json sides = Json::array();
  for (int k = 0; k < 6; ++k)
    if (d.walls[k]) sides.push_back(kSides[std::size_t(k)]);
  return sides.size() == 6 ? Json() : sides;
}

}  // namespace

const Table<DomainDef>& domainTable() {
  static const Table<DomainDef> table = [] {
    using D = DomainDef;
    Table<D> t("domain", "The box outside which nothing is simulated.");
    const Json sides = {{"type", "array"}, {"items", choiceSchema(kSides, "A side.")}};
    t.vector("min", &D::min, "m", kAny, "Lower corner.", required)
        .vector("max", &D::max, "m", kAny, "Upper corner.", required)
        .add("walls", optional,
             {{"oneOf", {sides, choiceSchema({"all", "none"}, "Every side, or no side.")}},
              {"description",
               "Sides that are walls; fluid leaves through the others. Of a grid in two dimensions -y and +y have no "
               "meaning."}},
             readWalls, writeWalls)
        .number("friction", &D::friction, "", kNotNegative, "Coulomb coefficient of the walls.")
        .flag("no_slip", &D::noSlip, "The fluid sticks to the walls.")
        .where(&D::where)
        .check([](Reader& r, const JsonNode& n, D& d) {
          const JsonMember *lo = n.find("min"), *hi = n.find("max");
          if (!lo || !hi || r.spoilt(n, "min") || r.spoilt(n, "max")) return;
          for (int k = 0; k < 3; ++k)
            if (!(d.min[k] < d.max[k]))
              r.error(hi->value,
                      fmt::format("the domain has max[{0}] = {1:g} m, not above min[{0}] = {2:g} m", k, d.max[k], d.min[k]));
        });
    return t;
  }();
  return table;
}

}  // namespace meniscus

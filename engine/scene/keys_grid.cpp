// What a grid method is told: grid, coupling, smoke and its inflows, what leads its solids.
#include "engine/scene/keys.h"

namespace meniscus {
namespace {

// Algorithm 1 of Akbay et al. 2018 as printed, and forces of the size that shows its stability limits.
void takePreset(Reader& r, const JsonNode& n, CouplingDef& c) {
  int k = 0;
  if (!readChoice(r, n, "preset", {"default", "paper"}, k) || k == 0) return;
  c.w0 = 1;
  c.stepCap = 0;
  c.residual = CouplingResidual::successive;
  c.pressureScale = 2;
}

struct SideBox {
  Vec3d min{}, max{};
};

const Table<SideBox>& sideBoxTable() {
  static const Table<SideBox> table = [] {
    Table<SideBox> t("side_box", "A part of a side: what of it is in the box; the coordinate across the side counts nothing.");
    t.vector("min", &SideBox::min, "m", kAny, "Lower corner, world frame.", required)
        .vector("max", &SideBox::max, "m", kAny, "Upper corner, world frame.", required)
        .check([](Reader& r, const JsonNode& n, SideBox& b) {
          if (r.spoilt(n, "min") || r.spoilt(n, "max")) return;
          if (!(b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z))
            r.error(n, "the inflow's box has a max below its min");
        });
    return t;
  }();
  return table;
}

}  // namespace

const Table<InflowDef>& inflowTable() {
  static const Table<InflowDef> table = [] {
    using I = InflowDef;
    Table<I> t("inflow",
               "A side of the domain, or a part of it, through which fluid flows at a given speed; what a closed solid lies over "
               "of it is a wall.");
    t.adoptChild(sideBoxTable().schema());
    t.add(
         "side", required, choiceSchema(kSides, "The side of the domain."),
         [](Reader& r, const JsonNode& n, I& i) { readChoice(r, n, "side", kSides, i.side); },
         [](const I& i) { return Json(kSides[std::size_t(i.side)]); })
        .add(
            "box", optional, {{"$ref", "#/definitions/side_box"}, {"description", "The part of it; without it, the whole side."}},
            [](Reader& r, const JsonNode& n, I& i) {
              SideBox b;
              sideBoxTable().read(r, n, b);
              i.whole = false;
              i.boxMin = b.min;
              i.boxMax = b.max;
            },
            [](const I& i) {
              return i.whole ? Json() : sideBoxTable().write({i.boxMin, i.boxMax});
            })
        .number("speed", &I::speed, "m/s", kAny, "Into the domain; below 0: out of it.", required)
        .number("smoke", &I::smoke, "", kNotNegative, "Density of the smoke in what flows in, in parts of that of smoke 1.")
        .list("schedule", &I::schedule, scheduleTable(), "When it flows, and is a wall else; always, if empty.")
        .where(&I::where);
    return t;
  }();
  return table;
}

const Table<GridDef>& gridTable() {
  static const Table<GridDef> table = [] {
    using G = GridDef;
    Table<G> t(
        "grid",
        "The grid of a grid method: cubic cells that fill the domain. In two dimensions it is the domain's plane y = centre, "
        "cut out of the scene: of boxes, cylinders about y and spheres the polygon in that plane, of sheets the line; masses, "
        "forces and volumes are then those of a metre of depth along y.");
    t.add(
         "dimension", optional, {{"enum", {2, 3}}, {"description", "Of space. [1]"}},
         [](Reader& r, const JsonNode& n, G& g) {
           long long v = 0;
           if (readInteger(r, n, "dimension", 2, 3, v)) g.dimension = int(v);
         },
         [](const G& g) { return g.dimension == 3 ? Json() : Json(g.dimension); })
        .integer("cells", &G::cells, 1, "Cells along x; or give cell_size.")
        .number("cell_size", &G::cellSize, "m", kPositive, "Edge of a cell; the domain must be a whole number of them wide.")
        .number("cfl", &G::cfl, "cells", {1e-3, 100, false, false},
                "A step moves the fluid at its fastest by so many cells at most; dt may make it shorter.")
        .number("start_speed", &G::startSpeed, "m/s", kNotNegative,
                "The limit by cfl takes the fluid's speed to be this at least: steps before the flow has grown.")
        .number("pressure_tolerance", &G::pressureTolerance, "", {0, 1e-6, true, false},
                "Relative residual at which a pressure solve ends.")
        .integer("pressure_iterations", &G::pressureIterations, 1, "Iterations of a pressure solve at most.")
        .check([](Reader& r, const JsonNode& n, G&) {
          const JsonMember *cells = n.find("cells"), *size = n.find("cell_size");
          if (cells && size) r.error(size->line, size->column, "give \"cells\" or \"cell_size\", not both");
        });
    return t;
  }();
  return table;
}

const Table<CouplingDef>& couplingTable() {
  static const Table<CouplingDef> table = [] {
    using C = CouplingDef;
    Table<C> t(
        "coupling",
        "How a step of fluid and solids is solved by the methods \"partitioned\", \"iqn-ils\", \"xpm\", \"staggered\" and "
        "\"monolithic\", whose iterations are linear systems of both. With forces instead of impulses xpm is the method RMI.");
    t.add("preset", optional,
          choiceSchema({"default", "paper"},
                       "What the keys below are where they are not given; \"paper\": w0 1, no step cap, successive residual, "
                       "pressure_scale 2 (Akbay et al. 2018 as printed)."),
          takePreset, [](const C&) { return Json(); })
        .number(
            "tolerance", &C::tolerance, "cells", {0, 1, true, false},
            "What is left of the difference between the positions that the fluid was given and those that the solids answer, as "
            "a 2-norm over all coordinates.")
        .number("tolerance_speed", &C::toleranceSpeed, "m/s", kNotNegative,
                "The tolerance shrinks where a step at this speed is shorter than a cell; 0: it does not.")
        .integer("max_iterations", &C::maxIterations, 1, "Fluid solves of a step at most; reaching it is a counted status.")
        .flag("extrapolate", &C::extrapolate, "The first guess goes on at the solids' velocity; else they stand.")
        .number("relaxation", &C::relaxation, "", {0, 1, true, false},
                "partitioned: share of the answer that a pass takes; with aitken that of the first pass, at most.")
        .flag("aitken", &C::aitken, "partitioned: the share follows from the last two answers.")
        .number("w0", &C::w0, "", {0, 1, true, false}, "xpm, iqn-ils: share of the answer taken before there is a model.")
        .number("step_cap", &C::stepCap, "cells", kNotNegative, "xpm, iqn-ils: largest change of a coordinate in a pass; 0: none.")
        .number("column_filter", &C::columnFilter, "", {0, 1, false, true},
                "xpm, iqn-ils: a difference of which less than this part is new is left out of the model.")
        .integer("reuse", &C::reuse, 0, "xpm, iqn-ils: earlier steps whose differences stay in the model.")
        .choice("residual", &C::residual, {"interface", "successive"},
                "xpm: the step ends on the difference between the two sides, or on the change of the solids' answer.")
        .choice("load", &C::load, {"impulse", "force"},
                "What the fluid gives the solids: impulses of its cells, which conserve momentum, or forces of its pressure.")
        .number("pressure_scale", &C::pressureScale, "", {0, 100, true, false}, "Factor on forces of pressure; 1 is right.")
        .choice("weights", &C::weights, {"dual-cell", "crossing"},
                "Which nodes carry a face that a solid closes: those in the face's cell, or those where its segment crosses.")
        .choice("p0_mode", &C::p0Mode, {"solved", "off"},
                "The constant pressure of regions that solids enclose: solved for in the solids' step, or left out.")
        .number("p0_tolerance", &C::p0Tolerance, "cells", kPositive,
                "Volume, in that of a cell, that such a region may gain or lose in a step.")
        .check([](Reader& r, const JsonNode& n, C& c) {
          const auto idle = [&](const char* key, const char* why) {
            if (const JsonMember* m = n.find(key)) r.error(m->line, m->column, fmt::format("\"{}\" does nothing {}", key, why));
          };
          if (c.load == CouplingLoad::impulse) idle("pressure_scale", "beside \"load\": \"impulse\"; remove it, or give forces");
          if (c.p0Mode == EnclosedMode::off) idle("p0_tolerance", "beside \"p0_mode\": \"off\"; remove it");
        });
    return t;
  }();
  return table;
}

void addSmoke(Table<FluidDef>& t) {
  t.number("smoke", &FluidDef::smoke, "", kNotNegative,
           "Smoke: its density in the shapes at the start, in parts of that of smoke 1.")
      .vector(
          "buoyancy", &FluidDef::buoyancy, "m/s^2", kAny,
          "Smoke: acceleration of fluid with smoke 1; where it is thinner, in proportion. Gravity itself does nothing to a fluid "
          "of one density: pressures are those above the fluid at rest.")
      .choice("start", &FluidDef::start, {"rest", "potential-flow"},
              "Smoke: the fluid rests at the start, or flows already as its inflows drive it.")
      .list("inflows", &FluidDef::inflows, inflowTable(), "Smoke and water: where fluid flows in or out at a given speed.");
}

namespace {

const Table<SpringDef>& springTable() {
  static const Table<SpringDef> table = [] {
    using S = SpringDef;
    Table<S> t("spring", "From a point of a rigid solid to a fixed one.");
    t.vector("point", &S::point, "m", kAny, "Of the solid, where it is at the start; world frame.", required)
        .vector("anchor", &S::anchor, "m", kAny, "World frame; the spring is relaxed where the point is there.", required)
        .number("stiffness", &S::stiffness, "N/m", kNotNegative, "In two dimensions of a metre of depth.")
        .number("damping", &S::damping, "N s/m", kNotNegative, "Of a damper beside it; in two dimensions of a metre of depth.");
    return t;
  }();
  return table;
}

const Table<GuideDef>& guideTable() {
  static const Table<GuideDef> table = [] {
    using G = GuideDef;
    Table<G> t("guide", "Of a rigid solid beside a grid: what leads and drives it.");
    t.vector("slide", &G::slide, "", kAny, "The axis that alone it moves along, without turning.")
        .vector("force", &G::force, "N", kAny, "On its centre of mass, beside its weight; in two dimensions of a metre of depth.")
        .list("springs", &G::springs, springTable(), "Springs and dampers to fixed points.")
        .check([](Reader& r, const JsonNode& n, G& g) {
          if (!n.find("slide") && !n.find("force") && (g.springs.empty() && !r.spoilt(n, "springs")))
            r.error(n, "guide leads and drives nothing; give \"slide\", \"force\" or \"springs\", or remove it");
          if (const JsonMember* m = n.find("slide"); m && !r.spoilt(n, "slide") && norm(g.slide) < 1e-12)
            r.error(m->line, m->column, "\"slide\" has an axis of length zero; give a direction, or remove it");
        });
    return t;
  }();
  return table;
}

}  // namespace

void addGuide(Table<SolidDef>& t) {
  t.object("guide", &SolidDef::guide, guideTable(), "Of a rigid solid beside a grid: what leads and drives it.");
}

}  // namespace meniscus

// The scene itself, its output and what must hold at its end.
#include "engine/scene/keys.h"

namespace meniscus {

namespace {

const Table<OutputDef>& outputTable() {
  static const Table<OutputDef> table = [] {
    const std::vector<std::string> formats = {"vtk", "ply", "surface", "vdb", "png"};
    Table<OutputDef> t("output", "What a run writes.");
    t.number("every", &OutputDef::every, "s", kNotNegative, "Between frames; 0: no frames.")
        .add(
            "formats", optional,
            {{"type", "array"},
             {"items", choiceSchema(formats, "A format.")},
             {"description",
              "Of the frames. Particles: VTK or PLY; \"surface\" adds the fluid's surface as a mesh to them. Grids: VTK, and "
              "OpenVDB (\"vdb\") of the smoke or the water. \"png\": pictures, as the view says."}},
            [formats](Reader& r, const JsonNode& n, OutputDef& o) {
              if (!expectKind(r, n, "formats", JsonNode::Kind::array)) return;
              for (const JsonNode& item : n.items) {
                int k = 0;
                if (readChoice(r, item, "formats", formats, k)) o.formats.push_back(formats[std::size_t(k)]);
              }
            },
            [](const OutputDef& o) { return o.formats.empty() ? Json() : Json(o.formats); })
        .object("view", &OutputDef::view, viewTable(), "How pictures and films show the scene.");
    return t;
  }();
  return table;
}

const Table<ExpectDef>& limitTable() {
  static const Table<ExpectDef> table = [] {
    Table<ExpectDef> t("limit", "Bounds that a quantity of the summary must keep at the end of a run.");
    const auto bound = [](const char* key, bool ExpectDef::*has, double ExpectDef::*value) {
      return [=](Reader& r, const JsonNode& n, ExpectDef& e) { e.*has = readNumber(r, n, key, "", kAny, e.*value); };
    };
    t.add("min", optional, numberSchema("unit of the quantity", kAny, "Least value."),
          bound("min", &ExpectDef::hasMin, &ExpectDef::min), [](const ExpectDef& e) { return e.hasMin ? Json(e.min) : Json(); })
        .add("max", optional, numberSchema("unit of the quantity", kAny, "Greatest value."),
             bound("max", &ExpectDef::hasMax, &ExpectDef::max), [](const ExpectDef& e) { return e.hasMax ? Json(e.max) : Json(); })
        .where(&ExpectDef::where)
        .check([](Reader& r, const JsonNode& n, ExpectDef& e) {
          if (!n.find("min") && !n.find("max")) r.error(n, "an expectation needs \"min\" or \"max\"");
          if (e.hasMin && e.hasMax && e.min > e.max) r.error(n, fmt::format("\"min\" {:g} is above \"max\" {:g}", e.min, e.max));
        });
    return t;
  }();
  return table;
}

void addExpect(Table<SceneDef>& t) {
  t.adoptChild(limitTable().schema());
  t.add(
      "expect", optional,
      {{"type", "object"},
       {"additionalProperties", {{"$ref", "#/definitions/limit"}}},
       {"description",
        "What must hold at the end of a run: quantities of the summary, with dots for nested ones (\"density_error.max\")."}},
      [](Reader& r, const JsonNode& n, SceneDef& s) {
        if (!expectKind(r, n, "expect", JsonNode::Kind::object)) return;
        for (const JsonMember& m : n.members) {
          ExpectDef e;
          e.name = m.key;
          limitTable().read(r, m.value, e);
          s.expect.push_back(e);
        }
      },
      [](const SceneDef& s) {
        Json j = Json::object();
        for (const ExpectDef& e : s.expect) j[e.name] = limitTable().write(e);
        return j.empty() ? Json() : j;
      });
}

void readFormat(Reader& r, const JsonNode& n, SceneDef& s) {
  long long v = 0;
  if (!readInteger(r, n, "meniscus", 1, 1000000, v)) return;
  if (v != 1) r.error(n, fmt::format("the scene is of format {}, but this version reads format 1", v));
  s.format = int(v);
}

}  // namespace

const Table<SceneDef>& sceneTable() {
  static const Table<SceneDef> table = [] {
    using S = SceneDef;
    Table<S> t("scene", "A scene of fluids and solids. SI units throughout.");
    t.add(
        "$schema", optional, simpleSchema("string", "Where this schema is, for editors."),
        [](Reader& r, const JsonNode& n, S&) { expectKind(r, n, "$schema", JsonNode::Kind::text); },
        [](const S&) { return Json(); });
    t.add("meniscus", required, {{"const", 1}, {"description", "Version of the scene format."}}, readFormat,
          [](const S& s) { return Json(s.format); });
    t.text("name", &S::name, "Name of the scene.")
        .vector("gravity", &S::gravity, "m/s^2", kAny, "Gravity.")
        .number("duration", &S::duration, "s", kPositive, "Time simulated by a run.")
        .object("domain", &S::domain, domainTable(), "The box outside which nothing is simulated.", required)
        .object("solver", &S::solver, solverTable(), "Method and settings.")
        .list("fluids", &S::fluids, fluidTable(), "Fluids.")
        .list("emitters", &S::emitters, emitterTable(), "Openings out of which fluid comes.")
        .list("drains", &S::drains, drainTable(), "Openings that take fluid.")
        .list("solids", &S::solids, solidTable(), "Solids.")
        .integer("max_particles", &S::maxParticles, 0,
                 "Particles there is room for; 0: those at the start and what emitters can emit.")
        .object("output", &S::output, outputTable(), "What a run writes.");
    addExpect(t);
    t.where(&S::where);
    return t;
  }();
  return table;
}

}  // namespace meniscus

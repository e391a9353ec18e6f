// Solids of the scene: shapes become surfaces, tetrahedra or primitives, are checked and handed to the solid code.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/mesh_simplify.h"
#include "engine/scene/tetrahedralise.h"
#include "engine/solid/motion.h"
#include "engine/solid/solid.h"
#include "engine/world/build_parts.h"

namespace meniscus {

namespace {

bool isStill(const SolidDef& s) { return s.kind == SolidKind::fixed || s.kind == SolidKind::kinematic; }
bool isDeformable(const SolidDef& s) {
  return s.kind == SolidKind::cloth || s.kind == SolidKind::inflatable || s.kind == SolidKind::soft;
}

// Whether something is to be inside of it: tetrahedra, or fluid. Where a surface cuts itself, what it encloses counts twice or not
// at all.
bool isFilled(const SolidDef& s) { return s.kind == SolidKind::soft || s.kind == SolidKind::inflatable || s.shape.container; }

// The shape of one solid in the world frame.
struct Built {
  SolidDef def;  // scale in the sizes
  bool hasMesh = false;
  MeshFile mesh;
  TetMesh tets;
  bool closed = true;
};

constexpr double kMostTriangles = 2e6, kMostTets = 2e6;  // of one solid

double surfaceArea(const ShapeDef& s) {  // m^2, of a primitive
  constexpr double kPi = 3.14159265358979323846;
  switch (s.kind) {
    case ShapeKind::box:
      return 2 * (s.size.x * s.size.y + s.size.y * s.size.z + s.size.z * s.size.x);
    case ShapeKind::sphere:
      return 4 * kPi * s.radius * s.radius;
    case ShapeKind::cylinder:
      return 2 * kPi * s.radius * (s.height + s.radius);
    case ShapeKind::capsule:
      return 2 * kPi * s.radius * (s.height + 2 * s.radius);
    default:
      return s.size.x * s.size.y;
  }
}

// Edge length of the triangles that a primitive is made into [m].
double edgeOf(const SolidDef& s, double dx) {
  const double edge = s.shape.resolution > 0 ? s.shape.resolution : 2 * dx;
  const double triangles = surfaceArea(s.shape) / (0.433 * edge * edge);  // equilateral ones
  if (triangles > kMostTriangles)
    throw Error(ErrorKind::input, fmt::format("its surface has about {:.3g} triangles at an edge length of {:g} m; give a larger "
                                              "\"resolution\" in its shape",
                                              triangles, edge));
  return edge;
}

void importSurface(Builder& b, Built& s) {
  s.mesh = meshOf(s.def.shape);
  if (s.def.kind == SolidKind::soft && !s.mesh.tet.empty()) {
    for (const auto& [key, value] : {std::pair("mesh_volume", s.def.meshVolume), std::pair("resolution", s.def.shape.resolution)})
      if (value > 0)
        throw Error(ErrorKind::input, fmt::format("{}: holds tetrahedra, which are taken as they are: \"{}\" does nothing; remove "
                                                  "it, or give a surface mesh",
                                                  s.def.shape.file, key));
    s.hasMesh = true;
    return;
  }
  if (s.mesh.tri.empty())
    throw Error(ErrorKind::input,
                fmt::format("{}: holds tetrahedra; only soft solids are made of them, give a surface mesh", s.def.shape.file));
  repairSurface(s.mesh, b.notes);
  s.hasMesh = true;
  const SurfaceReport report = inspectSurface(s.mesh);
  s.closed = report.closed();
  const std::string& file = s.def.shape.file;
  if (report.nonManifoldEdges > 0 && s.def.kind != SolidKind::fixed && s.def.kind != SolidKind::kinematic)
    throw Error(ErrorKind::input, fmt::format("{}: {} edges are shared by more than two faces or by two that cannot be wound alike "
                                              "(faces {}); cut or weld the mesh there",
                                              file, report.nonManifoldEdges, listFaces(report.nonManifoldFaces)));
  const bool mustEnclose = s.def.kind == SolidKind::rigid || s.def.kind == SolidKind::soft || s.def.kind == SolidKind::inflatable ||
                           (isStill(s.def) && !s.def.shape.openMesh);
  if (mustEnclose && !s.closed) {
    const bool hole = report.holeEdges > 0;
    throw Error(ErrorKind::input,
                fmt::format("{}: the surface must enclose a volume, but has {} at {} edges (faces {}); {}", file,
                            hole ? "holes" : "more than two faces", hole ? report.holeEdges : report.nonManifoldEdges,
                            listFaces(hole ? report.holeFaces : report.nonManifoldFaces),
                            isStill(s.def) ? "close it, or say \"open\": true in its shape for a two-sided sheet" : "close it"));
  }
}

// A surface file finer than the resolution asked for (in world units) is made coarser.
void coarsen(Builder& b, Built& s) {
  const Vec3d k = s.def.transform.scale;
  const double edge = s.def.shape.resolution / std::cbrt(k.x * k.y * k.z);
  const std::size_t before = s.mesh.tri.size() / 3;
  if (!(edge > 0) || !s.mesh.tet.empty() || !simplifySurface(s.mesh, edge)) return;
  b.note(fmt::format("{}: {} faces made {} by the resolution of {:g} m", s.mesh.path, before, s.mesh.tri.size() / 3,
                     s.def.shape.resolution));
}

void makeTets(Builder& b, Built& s) {
  if (!s.mesh.tet.empty()) {
    s.tets.x = s.mesh.x;
    s.tets.tet = s.mesh.tet;
    s.tets.tri = surfaceOfTets(s.mesh.path, s.mesh.x, s.tets.tet, b.notes);
    return;
  }
  TetOptions options;
  options.maxVolume = s.def.meshVolume;
  const double volume = enclosedVolume(SurfaceMesh{s.mesh.x, s.mesh.tri});
  if (options.maxVolume > 0 && volume / options.maxVolume > kMostTets)
    throw Error(ErrorKind::input,
                fmt::format("a \"mesh_volume\" of {:g} m^3 cuts its {:.3g} m^3 into more than {:.3g} tetrahedra; make "
                            "it larger",
                            options.maxVolume, volume, volume / options.maxVolume));
  if (options.maxVolume == 0) {
    // a regular tetrahedron on the surface's mean edge, with slack so that the inside is not refined needlessly
    double length = 0;
    for (std::size_t k = 0; k < s.mesh.tri.size(); ++k) {
      const std::size_t next = k % 3 == 2 ? k - 2 : k + 1;
      length += norm(s.mesh.x[std::size_t(s.mesh.tri[k])] - s.mesh.x[std::size_t(s.mesh.tri[next])]);
    }
    length /= double(s.mesh.tri.size());
    constexpr double kUsualTets = 5e4;  // a fine scan must not fill its inside with millions
    options.maxVolume = std::max(2 * length * length * length / (6 * std::sqrt(2.0)), volume / kUsualTets);
  }
  const std::string folder = s.def.shape.file.empty() ? "" : std::filesystem::path(s.def.shape.file).parent_path().string();
  s.tets = tetrahedralise({s.mesh.x, s.mesh.tri}, options, folder.empty() && !s.def.shape.file.empty() ? "." : folder, s.def.name,
                          b.notes);
}

// Contact with a surface is tested down to edges of half a particle spacing. A few shorter ones are in many meshes; where whole
// parts of a surface are finer, every particle beside it has hundreds of triangles in reach.
void noteShortEdges(Builder& b, const Built& s) {
  constexpr double kShortest = 0.5 * (1 - 1e-3), kMostShort = 0.01;  // spacings; share of the edges
  if (b.world.scene.fluids.empty()) return;
  const std::vector<Index>& tri = s.def.kind == SolidKind::soft ? s.tets.tri : s.mesh.tri;
  const std::vector<Vec3d>& x = s.def.kind == SolidKind::soft ? s.tets.x : s.mesh.x;
  std::size_t fine = 0;
  double shortest = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < tri.size(); ++k) {
    const double edge = norm(x[std::size_t(tri[k])] - x[std::size_t(tri[k % 3 == 2 ? k - 2 : k + 1])]);
    fine += edge < kShortest * b.world.dx;
    shortest = std::min(shortest, edge);
  }
  if (!(double(fine) > kMostShort * double(tri.size()))) return;
  b.note(fmt::format(
      "solid \"{}\": {:.0f} % of its triangles' edges are shorter than half a particle spacing ({:g} m), the shortest has "
      "{:.3g} m; particles may leak through surfaces so fine, and steps take longer: {}, or make \"spacing\" smaller",
      s.def.name, 100 * double(fine) / double(tri.size()), 0.5 * b.world.dx, shortest,
      s.mesh.tet.empty() ? fmt::format("give its shape a \"resolution\" of {:.2g} m or more", 0.5 * b.world.dx)
                         : "give a coarser mesh"));
}

void shapeSolid(Builder& b, Built& s) {
  SolidDef& def = s.def;
  if (!bakeScale(def.shape, def.transform))
    throw Error(ErrorKind::input, "a round shape is scaled differently along its axes; give one factor, or a mesh");
  const bool exact = def.shape.resolution == 0 || def.shape.kind == ShapeKind::plane;
  const bool primitive = def.shape.kind != ShapeKind::mesh && def.shape.kind != ShapeKind::sheet && !isDeformable(def) && exact;
  if (primitive) return;
  if (def.shape.kind == ShapeKind::mesh) {
    importSurface(b, s);
    coarsen(b, s);
    if (isFilled(def) && s.mesh.tet.empty())
      refuseSelfIntersections(s.mesh, def.shape.resolution > 0
                                          ? "unite its parts into one surface or move them apart, or give another \"resolution\""
                                          : "unite its parts into one surface, or move them apart");
  } else {
    const SurfaceMesh m = makeSurface(def.shape, edgeOf(def, b.world.dx));
    s.mesh.path = def.name;
    s.mesh.x = m.x;
    s.mesh.tri = m.tri;
    for (Index t = 0; t < Index(m.tri.size() / 3); ++t) s.mesh.face.push_back(t);
    s.hasMesh = true;
    s.closed = def.shape.kind != ShapeKind::sheet;
  }
  place(s.mesh.x, def.transform);
  if (def.kind == SolidKind::soft) makeTets(b, s);
  noteShortEdges(b, s);
}

// Deformable and rigid solids must be in the domain as a whole, still ones must reach into it.
void checkInside(Builder& b, const SolidDef& def, const Box3& box) {
  const DomainDef& d = b.world.scene.domain;
  const double slack = 1e-9 * norm(d.max - d.min);
  for (int k = 0; k < 3; ++k) {
    const bool apart = box.hi[k] < d.min[k] - slack || box.lo[k] > d.max[k] + slack;
    const bool sticksOut = box.lo[k] < d.min[k] - slack || box.hi[k] > d.max[k] + slack;
    const bool wrong = isStill(def) ? apart && def.motion.empty() : sticksOut;
    if (!wrong) continue;
    b.mistake(def.where,
              fmt::format("solid \"{}\" {} the domain: along {} it goes from {:g} to {:g} m, the domain from {:g} to {:g} m; move "
                          "it or enlarge the domain",
                          def.name, apart ? "is outside" : "sticks out of", "xyz"[k], box.lo[k], box.hi[k], d.min[k], d.max[k]));
    return;
  }
}

// What the solid fills at the start: kinematic ones stand where their first key frame puts them.
std::unique_ptr<Region> regionOf(const Built& s) {
  const Pose pose = s.def.kind == SolidKind::kinematic ? poseAt(s.def.motion, 0) : Pose{};
  const Vec3d origin = s.def.transform.translate;
  if (s.def.kind == SolidKind::soft)
    return std::make_unique<Region>(std::make_shared<SurfaceTree>(SurfaceMesh{s.tets.x, s.tets.tri}), true);
  if (s.hasMesh) {
    SurfaceMesh surface{s.mesh.x, s.mesh.tri};
    for (Vec3d& p : surface.x) p = origin + pose.x + pose.q.rotate(p - origin);
    return std::make_unique<Region>(std::make_shared<SurfaceTree>(std::move(surface)), s.closed);
  }
  Transform place = s.def.transform;
  place.translate += pose.x;
  place.rotate = pose.q * place.rotate;
  return std::make_unique<Region>(s.def.shape, place);
}

void addSolid(Builder& b, Built& s, Index index) {
  SolidState& state = b.world.solid;
  SolidDef& def = s.def;
  std::unique_ptr<Region>& region = b.solidRegions[std::size_t(index)];
  region = regionOf(s);
  const SurfaceMesh surface{s.mesh.x, s.mesh.tri};
  if (def.kind == SolidKind::soft) {
    addSoft(state, def, s.tets);
  } else if (isDeformable(def)) {
    addShell(state, def, surface);
  } else {
    if (def.shape.kind == ShapeKind::sheet) def.shape.openMesh = true;
    if (s.hasMesh) def.shape.kind = ShapeKind::mesh;
    addRigid(state, def, s.hasMesh ? &surface : nullptr);
  }
  checkInside(b, def, region->bounds());
  FillObstacle o;
  o.name = def.name;
  o.region = region.get();
  o.container = def.shape.container;
  o.shell = def.kind == SolidKind::inflatable || def.kind == SolidKind::cloth || !region->closed();
  o.where = def.where;
  b.surroundings.obstacles.push_back(o);
}

// Points of a solid that moves by itself: its nodes that are not held, or the surface of a primitive.
std::vector<Vec3d> freePoints(const SolidState& state, const Built& s) {
  if (s.def.kind == SolidKind::rigid) {
    if (s.hasMesh) return s.mesh.x;
    std::vector<Vec3d> x = makeSurface(s.def.shape, std::sqrt(surfaceArea(s.def.shape)) / 10).x;
    place(x, s.def.transform);
    return x;
  }
  std::vector<Vec3d> x;
  const Body& body = state.bodies.back();
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i)
    if (state.w[std::size_t(i)] > 0) x.push_back(state.x[std::size_t(i)]);
  return x;
}

// A solid that starts within a still one would be thrown out of it. Half a spacing is what facets may do at a contact.
void checkApart(Builder& b, const SolidDef& def, const std::vector<Vec3d>& points) {
  const SceneDef& scene = b.world.scene;
  for (std::size_t k = 0; k < scene.solids.size(); ++k) {
    const SolidDef& still = scene.solids[k];
    const Region* region = b.solidRegions[k].get();
    if (!isStill(still) || !region || !region->closed()) continue;
    const double side = still.shape.container ? -1 : 1, reach = 4 * b.world.dx;
    double deepest = 0;
    for (const Vec3d& x : points) deepest = std::min(deepest, side * region->distance(x, reach, nullptr));
    if (deepest >= -0.5 * b.world.dx) continue;
    b.mistake(def.where, fmt::format("solid \"{}\" starts up to {:.3g} m or more {} solid \"{}\"; move one of them", def.name,
                                     -deepest, still.shape.container ? "outside the container" : "inside", still.name));
  }
}

}  // namespace

void buildSolids(Builder& b) {
  const SceneDef& scene = b.world.scene;
  b.solidRegions.resize(scene.solids.size());
  std::vector<std::vector<Vec3d>> points(scene.solids.size());
  for (std::size_t k = 0; k < scene.solids.size(); ++k) {
    Built s;
    s.def = scene.solids[k];
    try {
      shapeSolid(b, s);
      addSolid(b, s, Index(k));
      if (!isStill(s.def)) points[k] = freePoints(b.world.solid, s);
    } catch (const Error& e) {
      if (e.kind != ErrorKind::input) throw;
      const std::string text = e.what(), name = s.def.name + ": ";
      b.mistake(s.def.where, fmt::format("solid \"{}\": {}", s.def.name,
                                         text.compare(0, name.size(), name) == 0 ? text.substr(name.size()) : text));
    }
  }
  for (std::size_t k = 0; k < points.size(); ++k) checkApart(b, scene.solids[k], points[k]);
  if (b.mistakes.empty()) colourConstraints(b.world.solid, scene.solver.serialConstraints);
}

}  // namespace meniscus

// Shapes of solids become surfaces, tetrahedra or primitives, and are checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "engine/base/error.h"
#include "engine/scene/generate.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/mesh_simplify.h"
#include "engine/scene/solid_kinds.h"
#include "engine/scene/tetrahedralise.h"
#include "engine/world/solid_parts.h"

namespace meniscus {

bool isStill(const SolidDef& s) { return s.kind == SolidKind::fixed || s.kind == SolidKind::kinematic; }

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

namespace {

// Whether something is to be inside of it: tetrahedra, or fluid. Where a surface cuts itself, what it encloses counts twice or not
// at all.
bool isFilled(const SolidDef& s) { return s.kind == SolidKind::soft || s.kind == SolidKind::inflatable || s.shape.container; }

constexpr double kMostTriangles = 2e6, kMostTets = 2e6;  // of one solid

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

void importSurface(Builder& b, BuiltSolid& s) {
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
void coarsen(Builder& b, BuiltSolid& s) {
  const Vec3d k = s.def.transform.scale;
  const double edge = s.def.shape.resolution / std::cbrt(k.x * k.y * k.z);
  const std::size_t before = s.mesh.tri.size() / 3;
  if (!(edge > 0) || !s.mesh.tet.empty() || !simplifySurface(s.mesh, edge)) return;
  b.note(fmt::format("{}: {} faces made {} by the resolution of {:g} m", s.mesh.path, before, s.mesh.tri.size() / 3,
                     s.def.shape.resolution));
}

void makeTets(Builder& b, BuiltSolid& s) {
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
void noteShortEdges(Builder& b, const BuiltSolid& s) {
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

}  // namespace

void shapeSolid(Builder& b, BuiltSolid& s) {
  SolidDef& def = s.def;
  if (!bakeScale(def.shape, def.transform))
    throw Error(ErrorKind::input, "a round shape is scaled differently along its axes; give one factor, or a mesh");
  const bool exact = def.shape.resolution == 0 || def.shape.kind == ShapeKind::plane;
  const bool primitive = def.shape.kind != ShapeKind::mesh && def.shape.kind != ShapeKind::sheet && !deforms(def) && exact;
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
    s.closed = def.shape.kind != ShapeKind::sheet && def.shape.mouth == 0;
  }
  place(s.mesh.x, def.transform);
  if (def.kind == SolidKind::soft) makeTets(b, s);
  noteShortEdges(b, s);
}

}  // namespace meniscus

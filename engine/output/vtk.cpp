#include "engine/output/vtk.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <vector>

#include "engine/output/vtk_writer.h"
#include "engine/world/hash.h"
#include "engine/world/query.h"

namespace meniscus {
namespace {

using Writer = VtkWriter;

void vectors(Writer& w, const char* name, const std::vector<Vec3f>& v) {
  w.array<float>(name, 3, 3 * v.size(), [&](std::size_t k) { return v[k / 3][int(k % 3)]; });
}

// The piece up to its points' data.
void beginTriangles(Writer& w, const std::vector<Vec3f>& x, const std::vector<std::int32_t>& tri) {
  const std::size_t triangles = tri.size() / 3;
  w.xml(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfPolys=\"{}\">\n      <Points>\n", x.size(), triangles));
  vectors(w, "position", x);
  w.xml("      </Points>\n      <Polys>\n");
  w.array<std::int32_t>("connectivity", 1, 3 * triangles, [&](std::size_t k) { return tri[k]; });
  w.array<std::int32_t>("offsets", 1, triangles, [](std::size_t k) { return std::int32_t(3 * k + 3); });
  w.xml("      </Polys>\n");
}

std::vector<Vec4f> vorticityOf(const World& world) {
  Buffer<Index> all;
  for (Index i = 0; i < world.fluid.n; ++i) all.push_back(i);
  std::vector<Vec4f> curl(std::size_t(world.fluid.n));
  Queries().vorticity(world, all, curl.data());
  return curl;
}

}  // namespace

std::string vtkParticles(const World& world) {
  const FluidState& f = world.fluid;
  const std::size_t n = std::size_t(f.n);
  const Vec3d origin = world.scene.domain.min;
  Writer w(world.time);
  w.xml(fmt::format("    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\">\n      <Points>\n", n, n));
  w.array<float>("position", 3, 3 * n, [&](std::size_t k) {
    const int c = int(k % 3);
    return float(origin[c] + double(f.x[k / 3].xyz()[c]));
  });
  w.xml("      </Points>\n      <Verts>\n");
  w.array<std::int32_t>("connectivity", 1, n, [](std::size_t k) { return std::int32_t(k); });
  w.array<std::int32_t>("offsets", 1, n, [](std::size_t k) { return std::int32_t(k + 1); });
  w.xml("      </Verts>\n      <PointData Scalars=\"pressure\" Vectors=\"velocity\">\n");
  w.array<float>("velocity", 3, 3 * n, [&](std::size_t k) { return f.u[k / 3].xyz()[int(k % 3)]; });
  w.array<float>("pressure", 1, n, [&](std::size_t k) { return f.p[k]; });
  w.array<float>("density_error", 1, n, [&](std::size_t k) { return k < f.e.size() ? f.e[k] : 0.f; });
  w.array<std::uint32_t>("id", 1, n, [&](std::size_t k) { return f.id[k]; });
  w.array<std::uint8_t>("fluid", 1, n, [&](std::size_t k) { return f.kind[k]; });
  w.array<std::uint8_t>("leaked", 1, n, [&](std::size_t k) { return k < f.leaked.size() ? f.leaked[k] : std::uint8_t(0); });
  const FluidColour colour = world.scene.output.view.colour;
  if (colour == FluidColour::deficiency)
    w.array<float>("deficiency", 1, n, [&](std::size_t k) { return k < f.deficiency.size() ? f.deficiency[k] : 0.f; });
  if (colour == FluidColour::vorticity) {
    const std::vector<Vec4f> curl = vorticityOf(world);
    w.array<float>("vorticity", 3, 3 * n, [&](std::size_t k) { return curl[k / 3].xyz()[int(k % 3)]; });
  }
  w.xml("      </PointData>\n    </Piece>\n");
  return w.finish("PolyData");
}

std::string vtkSurfaces(const Surfaces& s, double time) {
  const std::size_t n = s.x.size();
  Writer w(time);
  w.names("bodies", s.names);
  beginTriangles(w, s.x, s.tri);
  w.xml("      <PointData Vectors=\"velocity\">\n");
  vectors(w, "velocity", s.v);
  w.array<std::int32_t>("body", 1, n, [&](std::size_t k) { return s.body[k]; });
  if (!s.stretch.empty()) w.array<float>("stretch", 1, n, [&](std::size_t k) { return s.stretch[k]; });
  w.xml("      </PointData>\n    </Piece>\n");
  return w.finish("PolyData");
}

std::string vtkFluidSurface(const FluidSurface& s, double time) {
  Writer w(time);
  beginTriangles(w, s.x, s.tri);
  w.xml("      <PointData Vectors=\"velocity\" Normals=\"normal\">\n");
  vectors(w, "velocity", s.v);
  vectors(w, "normal", s.n);
  w.array<std::uint8_t>("fluid", 1, s.fluid.size(), [&](std::size_t k) { return s.fluid[k]; });
  w.xml("      </PointData>\n    </Piece>\n");
  return w.finish("PolyData");
}

std::string vtkChecksum(std::string_view before) {
  Hash64 hash;
  hash.bytes(before.data(), before.size());
  return fmt::format("<!-- checksum {} -->\n", hexHash(hash.value()));
}

std::optional<double> vtkTime(const std::string& path) {
  std::string head(1024, '\0');  // the time stands at the beginning
  std::ifstream file(path, std::ios::binary);
  file.read(head.data(), std::streamsize(head.size()));
  head.resize(std::size_t(file.gcount()));
  const std::size_t name = head.find("Name=\"TimeValue\""), begin = head.find('>', name), end = head.find('<', begin);
  if (name == std::string::npos || begin == std::string::npos || end == std::string::npos) return {};
  char* stop = nullptr;
  const double time = std::strtod(head.c_str() + begin + 1, &stop);
  if (stop != head.c_str() + end || !std::isfinite(time)) return {};
  return time;
}

}  // namespace meniscus

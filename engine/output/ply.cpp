#include "engine/output/ply.h"

#include <fmt/format.h>

namespace meniscus {
namespace {

template <class T>
void put(std::string& out, T v) {
  out.append(reinterpret_cast<const char*>(&v), sizeof v);
}

void put(std::string& out, const Vec3f& v) {
  put(out, v.x);
  put(out, v.y);
  put(out, v.z);
}

std::string header(std::size_t points, const char* properties) {
  return fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "property float vx\nproperty float vy\nproperty float vz\n{}",
      points, properties);
}

std::string faces(std::size_t triangles) {
  return fmt::format("element face {}\nproperty list uchar int vertex_indices\nend_header\n", triangles);
}

void putTriangles(std::string& out, const std::vector<std::int32_t>& tri) {
  for (std::size_t t = 0; t + 2 < tri.size(); t += 3) {
    put(out, std::uint8_t(3));
    for (std::size_t k = 0; k < 3; ++k) put(out, tri[t + k]);
  }
}

}  // namespace

std::string plyParticles(const World& world) {
  const FluidState& f = world.fluid;
  std::string out =
      header(std::size_t(f.n), "property float pressure\nproperty float density_error\nproperty uint id\nend_header\n");
  for (std::size_t i = 0; i < std::size_t(f.n); ++i) {
    put(out, Vec3f(world.scene.domain.min + Vec3d(f.x[i].xyz())));
    put(out, f.u[i].xyz());
    put(out, f.p[i]);
    put(out, i < f.e.size() ? f.e[i] : 0.f);
    put(out, f.id[i]);
  }
  return out;
}

std::string plySurfaces(const Surfaces& s) {
  std::string out = header(s.x.size(), "property int body\n") + faces(s.tri.size() / 3);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    put(out, s.x[i]);
    put(out, s.v[i]);
    put(out, s.body[i]);
  }
  putTriangles(out, s.tri);
  return out;
}

std::string plyFluidSurface(const FluidSurface& s) {
  std::string out = header(s.x.size(), "property float nx\nproperty float ny\nproperty float nz\nproperty uchar fluid\n") +
                    faces(s.tri.size() / 3);
  for (std::size_t i = 0; i < s.x.size(); ++i) {
    put(out, s.x[i]);
    put(out, s.v[i]);
    put(out, s.n[i]);
    put(out, s.fluid[i]);
  }
  putTriangles(out, s.tri);
  return out;
}

}  // namespace meniscus

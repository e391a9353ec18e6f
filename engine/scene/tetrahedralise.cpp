#include "engine/scene/tetrahedralise.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scene/mesh_file_formats.h"
#include "engine/scene/mesh_repair.h"
#include "engine/scene/process.h"

namespace meniscus {

namespace fs = std::filesystem;

namespace {

constexpr double kSeconds = 600;  // TetGen takes a fraction of a second for 10k tetrahedra
constexpr char kMagic[8] = {'m', 'n', 's', 't', 'e', 't', '0', '1'};

// FNV-1a and a multiplicative hash, 64 bits each: together a name for the content.
struct ContentHash {
  std::uint64_t a = 14695981039346656037ull, b = 0x9AE16A3B2F90404Full;
  void add(const void* data, std::size_t n) {
    const unsigned char* p = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < n; ++i) {
      a = (a ^ p[i]) * 1099511628211ull;
      b = (b + p[i]) * 0x9E3779B97F4A7C15ull;
      b ^= b >> 29;
    }
  }
  std::string name() const { return fmt::format("{:016x}{:016x}.tetcache", a, b); }
};

// PLC of TetGen's .poly format: points, then one polygon a facet.
std::string polyText(const SurfaceMesh& s) {
  fmt::memory_buffer out;
  const auto it = std::back_inserter(out);
  fmt::format_to(it, "{} 3 0 0\n", s.x.size());
  for (std::size_t i = 0; i < s.x.size(); ++i) fmt::format_to(it, "{} {:.17g} {:.17g} {:.17g}\n", i, s.x[i].x, s.x[i].y, s.x[i].z);
  fmt::format_to(it, "{} 0\n", s.tri.size() / 3);
  for (std::size_t t = 0; t < s.tri.size(); t += 3) fmt::format_to(it, "1\n3 {} {} {}\n", s.tri[t], s.tri[t + 1], s.tri[t + 2]);
  fmt::format_to(it, "0\n0\n");
  return fmt::to_string(out);
}

std::string encode(const TetMesh& m) {
  const std::uint64_t count[2] = {m.x.size(), m.tet.size()};
  std::string s(kMagic, sizeof kMagic);
  s.append(reinterpret_cast<const char*>(count), sizeof count);
  s.append(reinterpret_cast<const char*>(m.x.data()), m.x.size() * sizeof(Vec3d));
  s.append(reinterpret_cast<const char*>(m.tet.data()), m.tet.size() * sizeof(Index));
  ContentHash h;
  h.add(s.data(), s.size());
  s.append(reinterpret_cast<const char*>(&h.a), sizeof h.a);
  return s;
}

// False where the bytes are not what encode() made: the mesh is then made again.
bool decode(const std::string& s, TetMesh& m) {
  std::uint64_t count[2], sum;
  if (s.size() < sizeof kMagic + sizeof count + sizeof sum || std::memcmp(s.data(), kMagic, sizeof kMagic) != 0) return false;
  std::memcpy(count, s.data() + sizeof kMagic, sizeof count);
  if (count[0] > s.size() || count[1] > s.size()) return false;
  const std::size_t body = sizeof kMagic + sizeof count, xs = std::size_t(count[0]) * sizeof(Vec3d),
                    ts = std::size_t(count[1]) * sizeof(Index);
  if (s.size() != body + xs + ts + sizeof sum) return false;
  ContentHash h;
  h.add(s.data(), body + xs + ts);
  std::memcpy(&sum, s.data() + body + xs + ts, sizeof sum);
  if (sum != h.a) return false;
  m.x.resize(std::size_t(count[0]));
  m.tet.resize(std::size_t(count[1]));
  std::memcpy(static_cast<void*>(m.x.data()), s.data() + body, xs);
  std::memcpy(m.tet.data(), s.data() + body + xs, ts);
  return true;
}

std::string homeCache() {
  const char *xdg = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (xdg && *xdg) return std::string(xdg) + "/meniscus";
  if (home && *home) return std::string(home) + "/.cache/meniscus";
  return "";
}

// Beside the mesh if that folder takes files, else in the user's cache. A cache that cannot be written costs time only.
void store(const std::string& beside, const std::string& name, const std::string& bytes, std::vector<std::string>* notes) {
  for (const std::string& folder : {beside, homeCache()}) {
    if (folder.empty()) continue;
    try {
      makeFolder(folder);
      writeWholeFile((fs::path(folder) / name).string(), bytes);
      return;
    } catch (const Error&) { continue; }
  }
  if (notes)
    notes->push_back(
        "the tetrahedra could not be kept for the next time: neither the mesh's folder nor the cache folder can be written");
}

bool recall(const std::string& beside, const std::string& name, TetMesh& m) {
  for (const std::string& folder : {beside, homeCache()}) {
    std::error_code ec;
    const fs::path path = fs::path(folder) / name;
    if (folder.empty() || !fs::is_regular_file(path, ec)) continue;
    try {
      if (decode(readWholeFile(path.string()), m)) return true;
    } catch (const Error&) {
      continue;  // not readable: made again
    }
  }
  return false;
}

// What TetGen says where it gives up, without its banner.
std::string complaint(const std::string& output) {
  std::string text;
  std::size_t at = 0;
  while (at < output.size()) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string line = output.substr(at, end - at);
    at = end + 1;
    const bool telling = line.find("rror") != std::string::npos || line.find("ntersect") != std::string::npos ||
                         line.find("ended after") != std::string::npos || line.find("verlap") != std::string::npos;
    if (telling && text.size() < 300) text += (text.empty() ? "" : "; ") + line;
  }
  return text.empty() ? "it gave no reason" : text;
}

TetMesh runTetGen(const SurfaceMesh& surface, const std::string& switches, const std::string& what) {
  TemporaryFolder folder;
  writeWholeFile(folder.path() + "/body.poly", polyText(surface));
  const ProcessResult r = runProcess({"tetgen", switches, "body.poly"}, folder.path(), kSeconds);
  if (!r.found)
    throw Error(ErrorKind::input,
                fmt::format("{}: a surface is filled with tetrahedra by the program tetgen, which is not installed; install the "
                            "package tetgen, or give a tetrahedral mesh (.msh, .vtk, .node)",
                            what));
  const std::string node = folder.path() + "/body.1.node", ele = folder.path() + "/body.1.ele";
  std::error_code ec;
  if (r.status != 0 || !fs::exists(node, ec) || !fs::exists(ele, ec))
    throw Error(ErrorKind::input, fmt::format("{}: tetgen could not fill the surface with tetrahedra: {}; mend the surface", what,
                                              complaint(r.output)));
  MeshFile m;
  m.path = node;
  readTetGen(m, readWholeFile(node), readWholeFile(ele), ele);
  return {m.x, {}, m.tet};
}

}  // namespace

TetMesh tetrahedralise(const SurfaceMesh& surface, const TetOptions& o, const std::string& cacheFolder, const std::string& what,
                       std::vector<std::string>* notes) {
  // p: fill a surface; q: quality; a: volume; Y: leave the surface's triangles as they are; z: number from 0; Q: quiet
  std::string switches = fmt::format("-pq{:g}/{:g}YzQ", o.radiusEdge, o.dihedral);
  if (o.maxVolume > 0) switches += fmt::format("a{:.9f}", 1.0);
  // TetGen reads no exponents after `a`: the surface is scaled so that the limit is 1
  const double scale = o.maxVolume > 0 ? 1 / std::cbrt(o.maxVolume) : 1;
  ContentHash h;
  h.add(surface.x.data(), surface.x.size() * sizeof(Vec3d));
  h.add(surface.tri.data(), surface.tri.size() * sizeof(Index));
  h.add(switches.data(), switches.size());
  h.add(&scale, sizeof scale);
  TetMesh m;
  if (!recall(cacheFolder, h.name(), m)) {
    SurfaceMesh scaled = surface;
    for (Vec3d& p : scaled.x) p *= scale;
    m = runTetGen(scaled, switches, what);
    for (Vec3d& p : m.x) p *= 1 / scale;
    // TetGen keeps the surface's vertices first and in order: their own bits, without the round trip through the scale
    for (std::size_t i = 0; i < surface.x.size() && i < m.x.size(); ++i)
      if (norm(m.x[i] - surface.x[i]) * scale < 1e-6) m.x[i] = surface.x[i];
    store(cacheFolder, h.name(), encode(m), notes);
    if (notes) notes->push_back(fmt::format("{}: filled with {} tetrahedra by tetgen", what, m.tet.size() / 4));
  }
  m.tri = surfaceOfTets(what, m.x, m.tet, nullptr);
  return m;
}

}  // namespace meniscus

// Scene files, mesh files of every format, snapshots.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "engine/base/error.h"
#include "engine/exec/exec.h"
#include "engine/scene/load.h"
#include "engine/scene/mesh_file_formats.h"
#include "engine/scene/mesh_repair.h"
#include "engine/world/build.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot.h"
#include "tests/fuzz/targets/targets.h"

namespace meniscus::fuzz {

void broken(const char* promise) {
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

namespace {

std::string textOf(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

// What a reader may throw is Error(input) with a text; what it gives back must be sound, and mending it must be safe too.
template <class Read>
void mesh(const Read& read) {
  MeshFile m;
  m.path = "fuzzed";
  try {
    read(m);
    for (const Index v : m.tri)
      if (v < 0 || std::size_t(v) >= m.x.size()) broken("indices of triangles are in range");
    for (const Index v : m.tet)
      if (v < 0 || std::size_t(v) >= m.x.size()) broken("indices of tetrahedra are in range");
    for (const Vec3d& x : m.x)
      if (!std::isfinite(x.x) || !std::isfinite(x.y) || !std::isfinite(x.z)) broken("coordinates are finite");
    if (m.tri.size() != 3 * m.face.size()) broken("every triangle knows its face");
    repairSurface(m, nullptr);
    inspectSurface(m);
    selfIntersections(m, 4);
  } catch (const Error& e) {
    if (e.kind != ErrorKind::input || !*e.what()) broken("a mistake in a mesh is an input error with a text");
  }
}

// A pool of 4 x 4 x 2 particles with a ball on it.
SceneDef smallScene() {
  static const char* const text = R"({"meniscus": 1, "name": "pool", "domain": {"min": [0, 0, 0], "max": [0.08, 0.08, 0.1]},
    "fluids": [{"name": "water", "spacing": 0.02, "shapes": [{"box": {"min": [0, 0, 0], "max": [0.08, 0.08, 0.04]}}]}],
    "solids": [{"name": "ball", "kind": "rigid", "shape": {"sphere": {"radius": 0.01}}, "position": [0.04, 0.04, 0.07]},
               {"name": "cloth", "kind": "cloth", "shape": {"sheet": {"size": [0.06, 0.06]}}, "position": [0.04, 0.04, 0.09],
                "material": {"areal_density": 0.3}, "pins": [{"rim": true}]}]})";
  SceneDef scene;
  checkSceneText(text, "pool.json", &scene);
  return scene;
}

}  // namespace

void sceneText(const std::uint8_t* data, std::size_t size) {
  SceneDef scene;
  const Diagnostics mistakes = checkSceneText(textOf(data, size), "fuzzed.json", &scene);
  for (const Diagnostic& d : mistakes)
    if (d.text.empty() || d.line < 0) broken("a mistake has a text and a place");
  if (!mistakes.empty()) return;
  const std::string saved = saveScene(scene, ".");
  if (!checkSceneText(saved, "fuzzed.json", nullptr).empty()) broken("a scene that was read can be written and read again");
}

void meshOff(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readOff(m, textOf(d, n)); });
}
void meshObj(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readObj(m, textOf(d, n)); });
}
void meshStl(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readStl(m, textOf(d, n)); });
}
void meshPly(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readPly(m, textOf(d, n)); });
}
void meshMsh(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readMsh(m, textOf(d, n)); });
}
void meshVtk(const std::uint8_t* d, std::size_t n) {
  mesh([&](MeshFile& m) { readVtk(m, textOf(d, n)); });
}
void meshTetGen(const std::uint8_t* d, std::size_t n) {
  const std::string both = textOf(d, n);
  const std::size_t cut = both.find('\0');
  mesh(
      [&](MeshFile& m) { readTetGen(m, both.substr(0, cut), cut == std::string::npos ? "" : both.substr(cut + 1), "fuzzed.ele"); });
}

namespace {

// The checksums and the size made right, as far as the bytes have the shape of a snapshot (see snapshot.cpp): without that, damage
// never gets past them.
std::string withChecksums(std::string s) {
  constexpr std::size_t kHeader = 48, kSection = 80;
  if (s.size() < kHeader) return s;
  s.resize((s.size() + 7) / 8 * 8);
  const auto put = [&](std::size_t at, std::uint64_t v) { std::memcpy(&s[at], &v, sizeof v); };
  const auto sum = [&](std::size_t at, std::size_t own, std::size_t after) {
    Hash64 h;
    h.bytes(&s[at], own);
    if (after) h.bytes(&s[at + own + 8], after);
    put(at + own, h.value());
  };
  put(16, s.size());
  sum(0, kHeader - 8, 0);
  for (std::size_t at = kHeader; at + kSection <= s.size();) {
    std::uint32_t element;
    std::uint64_t count;
    std::memcpy(&element, &s[at + 60], sizeof element);
    std::memcpy(&count, &s[at + 64], sizeof count);
    const std::size_t room = s.size() - at - kSection;
    if (element != 0 && count > room / element) break;
    const std::size_t payload = (std::size_t(element) * std::size_t(count) + 7) / 8 * 8;
    if (payload > room) break;
    sum(at, kSection - 8, payload);
    at += kSection + payload;
  }
  return s;
}

void restore(World& world, const std::string& bytes) {
  const std::uint64_t before = stateHash(world);
  try {
    unpackSnapshot(world, bytes, "fuzzed.snapshot");
  } catch (const Error& e) {
    if (e.kind != ErrorKind::input || !*e.what()) broken("a mistake in a snapshot is an input error with a text");
    if (stateHash(world) != before) broken("a snapshot that is refused changes nothing");
  }
}

}  // namespace

// The bytes are changes to a sound snapshot, three each: where (two bytes, scaled to its length) and what. A first byte above 200
// makes the rest a cut, and one above 230 the snapshot itself.
void snapshot(const std::uint8_t* data, std::size_t size) {
  static Exec* const exec = new Exec(1);
  static World* const world = new World(buildWorld(smallScene(), *exec, nullptr));
  static const std::string whole = packSnapshot(*world);
  std::string bytes = whole;
  if (size > 0 && data[0] > 230) {
    bytes = textOf(data + 1, size - 1);
  } else if (size > 2 && data[0] > 200) {
    bytes.resize(whole.size() * (256u * data[1] + data[2]) / 65536);
  } else {
    for (std::size_t k = 0; k + 3 <= size; k += 3) bytes[whole.size() * (256u * data[k] + data[k + 1]) / 65536] = char(data[k + 2]);
  }
  restore(*world, bytes);
  restore(*world, withChecksums(bytes));
  unpackSnapshot(*world, whole, "whole.snapshot");
}

}  // namespace meniscus::fuzz

#include "engine/scene/save.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/scene/load.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

void appendPoints(std::string& out, const std::vector<Vec3d>& x) {
  for (const Vec3d& p : x) fmt::format_to(std::back_inserter(out), "{} {} {}\n", p.x, p.y, p.z);
}

// Letters, digits and "-_." of it; other bytes become "-".
std::string safeName(const std::string& name) {
  std::string safe;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
    safe += plain ? c : '-';
  }
  constexpr std::size_t kLongest = 100;  // bytes; file systems take 255
  return safe.substr(0, kLongest);
}

bool holds(const fs::path& path, const std::string& bytes) {
  std::error_code ec;
  if (!fs::is_regular_file(path, ec) || fs::file_size(path, ec) != bytes.size()) return false;
  try {
    return readWholeFile(path.string()) == bytes;
  } catch (const Error&) { return false; }  // not to be read
}

class Namer {
 public:
  Namer(SceneFiles& files, const fs::path& scene)
      : files_(files), folder_(scene.parent_path()), stem_(safeName(scene.stem().string())) {}

  // The path of a file with these bytes: one that is there, or one that will be.
  std::string place(const std::string& owner, const char* extension, std::string bytes) {
    for (int k = 1;; ++k) {
      const std::string name = fmt::format("{}-{}{}{}", stem_, safeName(owner), k == 1 ? "" : fmt::format("-{}", k), extension);
      const fs::path path = folder_ / name;
      std::error_code ec;
      const auto ours =
          std::find_if(files_.meshes.begin(), files_.meshes.end(), [&](const auto& f) { return f.path == path.string(); });
      if (ours != files_.meshes.end() ? ours->bytes == bytes : holds(path, bytes)) return path.string();
      if (ours != files_.meshes.end() || fs::exists(fs::symlink_status(path, ec))) continue;
      files_.meshes.push_back({path.string(), std::move(bytes)});
      return path.string();
    }
  }

 private:
  SceneFiles& files_;
  fs::path folder_;
  std::string stem_;
};

}  // namespace

std::string offOf(const MeshFile& m) {
  std::string out = fmt::format("OFF\n{} {} 0\n", m.x.size(), m.tri.size() / 3);
  appendPoints(out, m.x);
  for (std::size_t k = 0; k + 2 < m.tri.size(); k += 3)
    fmt::format_to(std::back_inserter(out), "3 {} {} {}\n", m.tri[k], m.tri[k + 1], m.tri[k + 2]);
  return out;
}

std::string vtkOf(const MeshFile& m) {
  const std::size_t n = m.tet.size() / 4;
  std::string out =
      fmt::format("# vtk DataFile Version 3.0\ntetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS {} double\n", m.x.size());
  appendPoints(out, m.x);
  fmt::format_to(std::back_inserter(out), "CELLS {} {}\n", n, 5 * n);
  for (std::size_t k = 0; k + 3 < m.tet.size(); k += 4)
    fmt::format_to(std::back_inserter(out), "4 {} {} {} {}\n", m.tet[k], m.tet[k + 1], m.tet[k + 2], m.tet[k + 3]);
  fmt::format_to(std::back_inserter(out), "CELL_TYPES {}\n", n);
  for (std::size_t k = 0; k < n; ++k) out += "10\n";
  return out;
}

SceneFiles sceneFiles(const SceneDef& scene, const std::string& path) {
  SceneFiles files;
  SceneDef copy = scene;
  const std::string parent = fs::path(path).parent_path().string();
  Namer namer(files, path);
  const auto placeMesh = [&](ShapeDef& shape, const std::string& owner, bool soft) {
    if (!shape.mesh) return;
    const bool tets = soft && !shape.mesh->tet.empty();
    shape.file = namer.place(owner, tets ? ".vtk" : ".off", tets ? vtkOf(*shape.mesh) : offOf(*shape.mesh));
    shape.mesh.reset();
  };
  for (FluidDef& f : copy.fluids)
    for (ShapeDef& shape : f.shapes) placeMesh(shape, f.name, false);
  for (SolidDef& s : copy.solids) placeMesh(s.shape, s.name, s.kind == SolidKind::soft);
  files.scene = {path, saveScene(copy, parent.empty() ? "." : parent)};
  std::string mistakes;
  for (const Diagnostic& d : checkSceneText(files.scene.bytes, path, nullptr, true)) mistakes += "\n" + d.text;
  if (!mistakes.empty())
    throw Error(ErrorKind::input, "a scene file cannot say all of this scene; nothing was written:" + mistakes);
  return files;
}

void writeSceneFiles(const SceneFiles& files) {
  std::size_t written = 0;
  try {
    for (const SceneFiles::File& f : files.meshes) {
      writeWholeFile(f.path, f.bytes);
      ++written;
    }
    writeWholeFile(files.scene.path, files.scene.bytes);
  } catch (...) {
    std::error_code ignored;
    for (std::size_t k = 0; k < written; ++k) fs::remove(files.meshes[k].path, ignored);
    throw;
  }
}

}  // namespace meniscus

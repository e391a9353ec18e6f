#include "apps/viewer/settings.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "apps/viewer/paths.h"
#include "engine/base/error.h"
#include "engine/base/file.h"

namespace meniscus::viewer {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

std::string fileName() { return (fs::path(stateFolder()) / "viewer.json").string(); }

// Visits every plain setting by name, for reading and for writing alike.
template <class S, class Visit>
void visitAll(S& s, const Visit& visit) {
  visit("dark", s.dark);
  visit("font_scale", s.fontScale);
  visit("width", s.width);
  visit("height", s.height);
  visit("left_width", s.leftWidth);
  visit("right_width", s.rightWidth);
  visit("bottom_height", s.bottomHeight);
  visit("show_left", s.showLeft);
  visit("show_right", s.showRight);
  visit("show_bottom", s.showBottom);
  visit("recent", s.recent);
  visit("look_fluid", s.look.fluid);
  visit("look_environment", s.look.environment);
  visit("look_meshes", s.look.meshes);
  visit("look_wireframe", s.look.wireframe);
  visit("look_edges", s.look.edges);
  visit("look_dark", s.look.dark);
  visit("look_shadows", s.look.shadows);
  visit("look_ground", s.look.ground);
  visit("look_tank", s.look.tank);
  visit("look_sheet_opacity", s.look.sheetOpacity);
  visit("look_smoothing", s.look.smoothing);
  visit("look_exposure", s.look.exposure);
  visit("look_slice_axis", s.look.sliceAxis);
  visit("look_slice_share", s.look.sliceShare);
  visit("look_smoke_density", s.look.smokeDensity);
  visit("colour_fluid", s.colouring.fluid);
  visit("colour_mesh", s.colouring.mesh);
  visit("colour_map", s.colouring.map);
  visit("colour_automatic", s.colouring.automatic);
  visit("colour_low", s.colouring.low);
  visit("colour_high", s.colouring.high);
  visit("automatic_resolution", s.automaticResolution);
  visit("resolution", s.resolution);
  visit("real_time", s.pace.realTime);
  visit("speed_factor", s.pace.factor);
  visit("rewind_megabytes", s.rewindMegabytes);
  visit("picture_folder", s.pictureFolder);
  visit("scene_folder", s.sceneFolder);
  visit("screenshot_with_panels", s.screenshotWithPanels);
  visit("film_format", s.film.format);
  visit("film_width", s.film.width);
  visit("film_height", s.film.height);
  visit("film_frames_per_second", s.film.framesPerSecond);
  visit("film_every_nth", s.film.everyNth);
  visit("film_frames", s.film.frames);
}

Json fromCamera(const render::Camera& c) {
  return {c.eye.x, c.eye.y, c.eye.z, c.target.x, c.target.y, c.target.z, c.up.x, c.up.y, c.up.z, c.fieldOfView};
}

render::Camera toCamera(const Json& j) {
  const auto v = j.get<std::array<float, 10>>();
  render::Camera c;
  c.eye = {v[0], v[1], v[2]};
  c.target = {v[3], v[4], v[5]};
  c.up = {v[6], v[7], v[8]};
  c.fieldOfView = v[9];
  return c;
}

void readViews(const Json& j, Settings& s) {
  for (const auto& [path, slots] : j.items())
    for (const auto& [slot, camera] : slots.items())
      if (slot.size() == 1 && slot[0] >= '0' && slot[0] <= '9') s.views[path][std::size_t(slot[0] - '0')] = toCamera(camera);
}

Json writeViews(const Settings& s) {
  Json j = Json::object();
  for (const auto& [path, views] : s.views)
    for (std::size_t k = 0; k < views.size(); ++k)
      if (views[k]) j[path][std::to_string(k)] = fromCamera(*views[k]);
  return j;
}

// What a damaged or hand-edited file might say that the program could not use.
void bound(Settings& s) {
  s.fontScale = std::clamp(s.fontScale, 0.5f, 3.f);
  if (s.width != 0) s.width = std::clamp(s.width, 640, 16384);
  if (s.height != 0) s.height = std::clamp(s.height, 400, 16384);
  s.resolution = std::clamp(s.resolution, 0.25f, 1.f);
  s.pace.factor = std::clamp(s.pace.factor, 0.01, 100.);
  s.rewindMegabytes = std::clamp(s.rewindMegabytes, 16, 1 << 16);
  s.film.width = std::clamp(s.film.width, 16, 7680);
  s.film.height = std::clamp(s.film.height, 16, 4320);
  s.film.framesPerSecond = std::clamp(s.film.framesPerSecond, 1, 240);
  s.film.everyNth = std::clamp(s.film.everyNth, 1, 10000);
  s.film.frames = std::max(s.film.frames, 0);
  s.colouring.fluid = picture::FluidQuantity(std::clamp(int(s.colouring.fluid), 0, picture::kFluidQuantities - 1));
  s.colouring.mesh = picture::MeshQuantity(std::clamp(int(s.colouring.mesh), 0, picture::kMeshQuantities - 1));
  s.colouring.map = render::ColourMap(std::clamp(int(s.colouring.map), 0, 3));
  s.look.fluid = render::FluidLook(std::clamp(int(s.look.fluid), 0, 2));
  s.look.environment = render::Environment(std::clamp(int(s.look.environment), 0, 1));
  s.look.sliceAxis = std::clamp(s.look.sliceAxis, -1, 2);
  s.look.sliceShare = std::clamp(s.look.sliceShare, 0.f, 1.f);
  s.look.smokeDensity = std::clamp(s.look.smokeDensity, 0.f, 100.f);
  s.film.format = FilmSettings::Format(std::clamp(int(s.film.format), 0, 3));
}

}  // namespace

Settings loadSettings(std::string& note) {
  Settings s;
  s.pictureFolder = homeFolder();
  std::ifstream in(fileName());
  if (!in) return s;
  try {
    const Json j = Json::parse(in);
    visitAll(s, [&](const char* name, auto& value) {
      if (const auto at = j.find(name); at != j.end()) at->get_to(value);
    });
    if (const auto at = j.find("views"); at != j.end()) readViews(*at, s);
  } catch (const Json::exception& e) {
    note = fileName() + " cannot be read and is replaced: " + e.what();
    s = Settings();
    s.pictureFolder = homeFolder();
  }
  bound(s);
  return s;
}

void saveSettings(const Settings& settings) {
  Json j;
  visitAll(settings, [&](const char* name, const auto& value) { j[name] = value; });
  j["views"] = writeViews(settings);
  try {
    makeFolder(stateFolder());
    writeWholeFile(fileName(), j.dump(1) + '\n');
  } catch (const Error& e) { throw Error(e.kind, std::string("settings cannot be kept: ") + e.what()); }
}

void addRecent(Settings& settings, const std::string& path) {
  auto& r = settings.recent;
  r.erase(std::remove(r.begin(), r.end(), path), r.end());
  r.insert(r.begin(), path);
  if (r.size() > 12) r.resize(12);
}

}  // namespace meniscus::viewer

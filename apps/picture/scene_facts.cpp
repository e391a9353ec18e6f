#include "apps/picture/scene_facts.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/base/error.h"

namespace meniscus::picture {
namespace {

using Json = nlohmann::json;

float number(const Json& j, const char* key, float otherwise) {
  const auto at = j.find(key);
  return at != j.end() && at->is_number() ? at->get<float>() : otherwise;
}

glm::vec3 vector(const Json& j, const char* key, const glm::vec3& otherwise) {
  const auto at = j.find(key);
  if (at == j.end() || !at->is_array()) return otherwise;
  glm::vec3 v = otherwise;
  for (std::size_t k = 0; k < at->size() && k < 3; ++k)
    if ((*at)[k].is_number()) v[int(k)] = (*at)[k].get<float>();
  return v;
}

std::string text(const Json& j, const char* key) {
  const auto at = j.find(key);
  return at != j.end() && at->is_string() ? at->get<std::string>() : std::string();
}

Primitive primitiveOf(const Json& shape, float scale) {
  using K = Primitive::Kind;
  static const std::pair<const char*, K> kinds[] = {{"box", K::box},         {"sphere", K::sphere}, {"cylinder", K::cylinder},
                                                    {"capsule", K::capsule}, {"plane", K::plane},   {"sheet", K::sheet}};
  Primitive p;
  for (const auto& [key, kind] : kinds) {
    const auto at = shape.find(key);
    if (at == shape.end() || !at->is_object()) continue;
    p.kind = kind;
    p.size = scale * vector(*at, "size", vector(*at, "max", glm::vec3(0)) - vector(*at, "min", glm::vec3(0)));
    p.radius = scale * number(*at, "radius", 0);
    p.height = scale * number(*at, "height", 0);
    p.normal = vector(*at, "normal", {0, 0, 1});
    p.container = at->value("container", false);
  }
  if (const auto mesh = shape.find("mesh"); mesh != shape.end() && mesh->is_object()) p.container = mesh->value("container", false);
  return p;
}

void readDomain(const Json& domain, SceneFacts& facts) {
  facts.low = vector(domain, "min", facts.low);
  facts.high = vector(domain, "max", facts.high);
  const auto walls = domain.find("walls");
  if (walls == domain.end() || !walls->is_array()) return;
  static const char* const sides[] = {"-x", "+x", "-y", "+y", "-z", "+z"};
  for (int k = 0; k < 6; ++k) facts.wall[k] = std::find(walls->begin(), walls->end(), Json(sides[k])) != walls->end();
}

SceneFacts factsOf(const Json& scene) {
  SceneFacts facts;
  facts.name = text(scene, "name");
  facts.gravity = vector(scene, "gravity", facts.gravity);
  facts.duration = scene.value("duration", facts.duration);
  if (const auto domain = scene.find("domain"); domain != scene.end()) readDomain(*domain, facts);
  if (const auto solver = scene.find("solver"); solver != scene.end()) facts.dt = solver->value("dt", facts.dt);
  for (const Json& fluid : scene.value("fluids", Json::array()))
    facts.fluids.push_back({text(fluid, "name"), number(fluid, "spacing", 0.02f)});
  for (const Json& solid : scene.value("solids", Json::array())) {
    const float scale = number(solid, "scale", 1);
    facts.solids.push_back({text(solid, "name"), text(solid, "kind"), primitiveOf(solid.value("shape", Json::object()), scale)});
  }
  return facts;
}

}  // namespace

SceneFacts readSceneFacts(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error(ErrorKind::input, path + ": cannot be read; is the path right?");
  try {
    return factsOf(Json::parse(in, nullptr, true, true));
  } catch (const Json::exception& e) { throw Error(ErrorKind::input, path + ": " + e.what()); }
}

}  // namespace meniscus::picture

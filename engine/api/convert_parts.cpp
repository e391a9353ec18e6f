#include "engine/api/convert_parts.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "engine/api/convert.h"

namespace meniscus::api {
namespace {

Resistance toResistance(const mnsResistance& r, const std::string& what) {
  needNotNegative(r.value, (what + ".value").c_str());
  needNotNegative(r.damping, (what + ".damping").c_str());
  switch (r.kind) {
    case MNS_RESISTANCE_NONE:
      for (const auto& [value, field] : {std::pair(r.value, "value"), std::pair(r.damping, "damping")})
        if (value != 0)
          fail(MNS_ERROR_INVALID_ARGUMENT,
               "{0}.{1} is {2}, but {0}.kind is MNS_RESISTANCE_NONE, where it does nothing; set {0}.kind to "
               "MNS_RESISTANCE_COMPLIANCE or MNS_RESISTANCE_STIFFNESS, or leave {0}.{1} 0",
               what, field, value);
      return {};
    case MNS_RESISTANCE_COMPLIANCE:
      return {Resistance::Kind::compliance, r.value, r.damping};
    case MNS_RESISTANCE_STIFFNESS:
      if (r.value > 1) fail(MNS_ERROR_INVALID_ARGUMENT, "{}.value is {}; a stiffness is in [0, 1]", what, r.value);
      if (r.damping != 0)
        fail(MNS_ERROR_INVALID_ARGUMENT,
             "{}.damping is {}, which does nothing beside a stiffness; leave it 0, or give a compliance", what, r.damping);
      return {Resistance::Kind::stiffness, r.value, r.damping};
  }
  fail(MNS_ERROR_INVALID_ARGUMENT, "{}.kind is {}, which is none of MNS_RESISTANCE_...", what, int(r.kind));
}

const char* nameOf(mnsShapeKind kind) {
  constexpr const char* names[] = {"MNS_SHAPE_BOX",     "MNS_SHAPE_PLANE", "MNS_SHAPE_SPHERE", "MNS_SHAPE_CYLINDER",
                                   "MNS_SHAPE_CAPSULE", "MNS_SHAPE_MESH",  "MNS_SHAPE_SHEET"};
  return names[kind];
}

std::string fieldName(const std::string& key) {
  if (key == "dt") return "maxStep";
  if (key == "mesh_volume") return "maxTetVolume";
  if (key == "membrane") return "neoHookean";
  if (key == "bend_model") return "dihedralBending";
  std::string name;
  for (std::size_t k = 0; k < key.size(); ++k)
    name += key[k] == '_' && k + 1 < key.size() ? char(std::toupper(static_cast<unsigned char>(key[++k]))) : key[k];
  return name;
}

}  // namespace

MaterialDef toMaterial(const mnsMaterial& m) {
  for (const auto& [value, what] :
       {std::pair(m.density, "density"), std::pair(m.arealDensity, "arealDensity"), std::pair(m.youngsModulus, "youngsModulus"),
        std::pair(m.poissonRatio, "poissonRatio"), std::pair(m.thickness, "thickness"), std::pair(m.friction, "friction"),
        std::pair(m.restitution, "restitution")})
    needFinite(value, what);
  MaterialDef d;
  d.density = m.density;
  d.arealDensity = m.arealDensity;
  d.youngsModulus = m.youngsModulus;
  d.poissonRatio = m.poissonRatio;
  d.thickness = m.thickness;
  d.membrane = m.neoHookean ? MembraneModel::neoHookean : MembraneModel::springs;
  d.bendModel = m.dihedralBending ? BendModel::dihedral : BendModel::isometric;
  d.stretch = toResistance(m.stretch, "stretch");
  d.shear = toResistance(m.shear, "shear");
  d.bend = toResistance(m.bend, "bend");
  d.volume = toResistance(m.volume, "volume");
  d.friction = m.friction;
  d.noSlip = m.noSlip;
  d.restitution = m.restitution;
  return d;
}

PinDef toPin(const mnsPin& p, int number) {
  const std::string pin = fmt::format("pins[{}]", number);
  PinDef d;
  switch (p.kind) {
    case MNS_PIN_NODES:
      d.select = PinDef::Select::indices;
      if (p.nodeCount < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "{}.nodeCount is {}; it must not be negative", pin, p.nodeCount);
      if (p.nodeCount == 0)
        fail(MNS_ERROR_INVALID_ARGUMENT,
             "{0}.nodeCount is 0, and {0}.kind MNS_PIN_NODES; give nodes and nodeCount, or set the kind to another", pin);
      if (!p.nodes) fail(MNS_ERROR_INVALID_ARGUMENT, "{0}.nodeCount is {1}, but {0}.nodes is null", pin, p.nodeCount);
      d.indices.assign(p.nodes, p.nodes + p.nodeCount);
      return d;
    case MNS_PIN_BOX:
      d.select = PinDef::Select::box;
      d.boxMin = toVec(p.box.min, (pin + ".box.min").c_str());
      d.boxMax = toVec(p.box.max, (pin + ".box.max").c_str());
      return d;
    case MNS_PIN_SPHERE:
      d.select = PinDef::Select::sphere;
      d.center = toVec(p.center, (pin + ".center").c_str());
      needPositive(p.radius, (pin + ".radius").c_str());
      d.radius = p.radius;
      return d;
    case MNS_PIN_RIM:
      d.select = PinDef::Select::rim;
      return d;
  }
  fail(MNS_ERROR_INVALID_ARGUMENT, "{}.kind is {}, which is none of MNS_PIN_...", pin, int(p.kind));
}

void needOwnFields(const mnsShape& s) {
  const auto only = [&](bool set, const char* field, std::initializer_list<mnsShapeKind> kinds) {
    if (!set || std::find(kinds.begin(), kinds.end(), s.kind) != kinds.end()) return;
    std::string whose;
    for (const mnsShapeKind* k = kinds.begin(); k != kinds.end(); ++k)
      whose += (k == kinds.begin() ? "" : k + 1 == kinds.end() ? " and " : ", ") + std::string(nameOf(*k));
    fail(MNS_ERROR_INVALID_ARGUMENT,
         "the shape's kind is {}, which takes no {}; that is for {}: set the kind, or leave {} at its default", nameOf(s.kind),
         field, whose, field);
  };
  const auto solids = {MNS_SHAPE_BOX, MNS_SHAPE_SPHERE, MNS_SHAPE_CYLINDER, MNS_SHAPE_CAPSULE, MNS_SHAPE_MESH, MNS_SHAPE_SHEET};
  only(s.file, "file", {MNS_SHAPE_MESH});
  only(s.vertices, "vertices", {MNS_SHAPE_MESH});
  only(s.vertexCount != 0, "vertexCount", {MNS_SHAPE_MESH});
  only(s.triangles, "triangles", {MNS_SHAPE_MESH});
  only(s.triangleCount != 0, "triangleCount", {MNS_SHAPE_MESH});
  only(s.tetrahedra, "tetrahedra", {MNS_SHAPE_MESH});
  only(s.tetrahedronCount != 0, "tetrahedronCount", {MNS_SHAPE_MESH});
  only(s.open, "open", {MNS_SHAPE_MESH});
  only(s.radius != 0, "radius", {MNS_SHAPE_SPHERE, MNS_SHAPE_CYLINDER, MNS_SHAPE_CAPSULE});
  only(s.height != 0, "height", {MNS_SHAPE_CYLINDER, MNS_SHAPE_CAPSULE});
  only(s.size.x != 0 || s.size.y != 0, "size", {MNS_SHAPE_BOX, MNS_SHAPE_SHEET});
  only(s.size.z != 0, "size.z", {MNS_SHAPE_BOX});
  only(s.normal.x != 0 || s.normal.y != 0 || s.normal.z != 1, "normal", {MNS_SHAPE_PLANE});
  only(s.resolution != 0, "resolution", solids);
  only(s.container, "container", solids);
  if (!s.file) return;
  const bool arrays = s.vertexCount != 0 || s.triangles || s.triangleCount != 0 || s.tetrahedra || s.tetrahedronCount != 0;
  if (s.vertices || arrays)
    fail(MNS_ERROR_INVALID_ARGUMENT, "the shape has both a file and {}; give one of them", s.vertices ? "vertices" : "arrays");
}

void addKeys(std::set<std::string>& keys, const ObjectSchema& schema) {
  for (const ObjectSchema::Key& key : schema.keys) keys.insert(key.name);
  for (const ObjectSchema* child : schema.children) addKeys(keys, *child);
}

// A component of a vector is "size[0]" in the one and size.x in the other.
std::string inFieldNames(const std::string& text, const std::set<std::string>& keys) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t open = text.find('"', at), close = open == std::string::npos ? open : text.find('"', open + 1);
    if (close == std::string::npos) return out + text.substr(at);
    const std::string word = text.substr(open + 1, close - open - 1), key = word.substr(0, word.find('['));
    out += text.substr(at, open - at);
    if (keys.count(key) == 0) {
      out += text.substr(open, close - open + 1);
    } else {
      out += fieldName(key);
      const bool component = word.size() == key.size() + 3 && word[key.size() + 1] >= '0' && word[key.size() + 1] <= '2';
      out += component ? std::string(".") + "xyz"[word[key.size() + 1] - '0'] : word.substr(key.size());
    }
    at = close + 1;
  }
  return out;
}

}  // namespace meniscus::api

#include "engine/api/grid_published.h"

#include <cstring>

#include "engine/api/call.h"
#include "engine/api/publish.h"
#include "engine/output/plane_surface.h"
#include "engine/scene/diagnostic.h"
#include "engine/scene/solid_kinds.h"

namespace meniscus::api {
namespace {

using offline::GridFields;

template <class T>
std::pair<const void*, std::size_t> itemsOf(const std::vector<T>& list) {
  return {list.data(), list.size()};
}

const GridFieldKey kFields[] = {
    {"smoke", "", "Density of the smoke, in parts of that of smoke 1.", MNS_FORMAT_FLOAT,
     [](const GridFields& f) { return itemsOf(f.smoke); }},
    {"level_set", "m", "Distance to the water's surface, negative in it.", MNS_FORMAT_FLOAT,
     [](const GridFields& f) { return itemsOf(f.levelSet); }},
    {"velocity", "m/s", "Of the fluid.", MNS_FORMAT_FLOAT3, [](const GridFields& f) { return itemsOf(f.velocity); }},
    {"pressure", "Pa", "Of the last step; of smoke that above the fluid at rest.", MNS_FORMAT_FLOAT,
     [](const GridFields& f) { return itemsOf(f.pressure); }},
};

void putVectors(const std::vector<Vec3d>& v, const std::vector<float>* w, Buffer<char>& bytes) {
  bytes.resizeUninitialized(v.size() * sizeof(Vec4f));
  auto* out = reinterpret_cast<Vec4f*>(bytes.data());
  for (std::size_t i = 0; i < v.size(); ++i) out[i] = {float(v[i].x), float(v[i].y), float(v[i].z), w ? (*w)[i] : 0.f};
}

void putIndices(const std::vector<std::int32_t>& list, Buffer<char>& bytes) {
  bytes.resizeUninitialized(list.size() * sizeof(std::int32_t));
  if (!list.empty()) std::memcpy(bytes.data(), list.data(), list.size() * sizeof(std::int32_t));
}

}  // namespace

void notOnGrid(const char* what) { fail(MNS_ERROR_WRONG_KIND, "{} of particles, and this scene is of a fluid on a grid", what); }

void GridPublished::renew() {
  const std::lock_guard<std::mutex> lock(mutex_);
  fieldsFresh_ = nodesFresh_ = false;
  for (Array& a : bodies_) a.fresh = false;
}

const GridFields& GridPublished::freshFields(const offline::OfflineRun& run) {
  if (!fieldsFresh_) fields_ = run.gridFields();
  fieldsFresh_ = true;
  return fields_;
}

const GridFields& GridPublished::fields(const offline::OfflineRun& run) {
  const std::lock_guard<std::mutex> lock(mutex_);
  return freshFields(run);
}

std::vector<const GridFieldKey*> GridPublished::keys(const offline::OfflineRun& run) {
  const GridFields& f = fields(run);
  std::vector<const GridFieldKey*> list;
  for (const GridFieldKey& key : kFields)
    if (key.items(f).second > 0) list.push_back(&key);
  return list;
}

mnsView GridPublished::field(const offline::OfflineRun& run, const char* name) {
  const GridFields& f = fields(run);
  for (const GridFieldKey& key : kFields) {
    if (std::strcmp(key.name, name) != 0) continue;
    const auto [data, count] = key.items(f);
    if (count == 0) break;
    mnsView v = mnsHostView(data, key.format, std::int64_t(count));
    v.stride = sizeOf(key.format);
    return v;
  }
  std::vector<std::string> names;
  for (const GridFieldKey* key : keys(run)) names.push_back(key->name);
  const std::string near = nearestSpelling(name, names);
  fail(MNS_ERROR_NOT_FOUND, "the grid has no field \"{}\"{}", name,
       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
}

const std::vector<GridPublished::Nodes>& GridPublished::freshNodes(const offline::OfflineRun& run) {
  if (nodesFresh_) return nodes_;
  const offline::SolidFields f = run.solidFields();
  nodes_.assign(f.names.size(), {});
  std::vector<std::int32_t> first(f.names.size(), 0);
  for (std::size_t k = 0; k < f.x.size(); ++k) {
    Nodes& n = nodes_[std::size_t(f.body[k])];
    if (n.x.empty()) first[std::size_t(f.body[k])] = std::int32_t(k);
    n.x.emplace_back(f.x[k]);
    n.v.emplace_back(f.v[k]);
    n.inverseMass.push_back(f.inverseMass[k]);
    n.stretch.push_back(f.stretch[k]);
  }
  for (const std::vector<std::int32_t>* list : {&f.line, &f.tri})
    for (const std::int32_t k : *list) {
      const std::int32_t body = f.body[std::size_t(k)];
      nodes_[std::size_t(body)].element.push_back(k - first[std::size_t(body)]);
    }
  nodesFresh_ = true;
  return nodes_;
}

void GridPublished::fillSurface(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field, Array& a) {
  const std::size_t k = std::size_t(order);
  const Nodes& nodes = freshNodes(run)[k];
  const SolidKind kind = run.scene().solids[k].kind;
  if (run.scene().solver.grid.dimension == 2) {
    const PlaneSurface s =
        planeSurface(nodes.x, nodes.element, kLineThickness * freshFields(run).dx, !isShell(run.scene().solids[k]));
    if (field == MNS_SURFACE_TRIANGLES) return putIndices(s.tri, a.bytes);
    return putVectors(field == MNS_SURFACE_NORMAL ? s.n : s.x, nullptr, a.bytes);
  }
  surfaces_.resize(run.scene().solids.size());
  ShadedSurface& s = surfaces_[k];
  const bool rigid = kind == SolidKind::rigid || kind == SolidKind::fixed;
  if (s.tri.empty()) s = shadedSurface(nodes.x, nodes.element, rigid ? kSmoothOfRigid : 180);
  if (field == MNS_SURFACE_TRIANGLES) return putIndices(s.tri, a.bytes);
  if (field == MNS_SURFACE_NORMAL) return putVectors(s.normals(nodes.x, nodes.element), nullptr, a.bytes);
  std::vector<Vec3d> x;
  for (const std::int32_t p : s.point) x.push_back(nodes.x[std::size_t(p)]);
  putVectors(x, nullptr, a.bytes);
}

void GridPublished::fill(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field, Array& a) {
  if (field >= MNS_SURFACE_POSITION) return fillSurface(run, order, field, a);
  const Nodes& nodes = freshNodes(run)[std::size_t(order)];
  const bool plane = run.scene().solver.grid.dimension == 2;
  switch (field) {
    case MNS_NODE_POSITION:
      return putVectors(nodes.x, &nodes.inverseMass, a.bytes);
    case MNS_NODE_VELOCITY:
      return putVectors(nodes.v, nullptr, a.bytes);
    case MNS_NODE_NORMAL:
      if (plane) fail(MNS_ERROR_WRONG_KIND, "nodes of lines in a plane have no normals; take MNS_SURFACE_NORMAL");
      return putVectors(shadedSurface(nodes.x, nodes.element, 180).normals(nodes.x, nodes.element), nullptr, a.bytes);
    case MNS_BODY_TRIANGLES:
      return putIndices(plane ? std::vector<std::int32_t>() : nodes.element, a.bytes);
    case MNS_NODE_STRETCH: {
      const bool known = deforms(run.scene().solids[std::size_t(order)]);
      a.bytes.resizeUninitialized(known ? nodes.stretch.size() * sizeof(float) : 0);
      if (!a.bytes.empty()) std::memcpy(a.bytes.data(), nodes.stretch.data(), a.bytes.size());
      return;
    }
    default:
      notOnGrid("tetrahedra and constraints are known of bodies in scenes");
  }
}

mnsView GridPublished::body(const offline::OfflineRun& run, std::int32_t order, mnsBodyField field) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (int(field) < 0 || int(field) >= kBodyFields) fail(MNS_ERROR_INVALID_ARGUMENT, "{} is no field of bodies", int(field));
  bodies_.resize(std::size_t(kBodyFields) * run.scene().solids.size());
  Array& a = bodies_[std::size_t(order) * kBodyFields + std::size_t(field)];
  if (!a.fresh) fill(run, order, field, a);
  a.fresh = true;  // not before: what is refused, or found no memory, is no array yet
  const bool indices = field == MNS_BODY_TRIANGLES || field == MNS_SURFACE_TRIANGLES;
  const mnsFormat format = indices ? MNS_FORMAT_INT32X3 : field == MNS_NODE_STRETCH ? MNS_FORMAT_FLOAT : MNS_FORMAT_FLOAT4;
  mnsView v = mnsHostView(a.bytes.data(), format, std::int64_t(a.bytes.size()) / sizeOf(format));
  v.stride = sizeOf(format);
  return v;
}

}  // namespace meniscus::api

#include "engine/particle/device/device_surfaces.h"

#include <vector>

#include "kernels/contact/surface_lists.h"
#include "kernels/fluid/step_measures.h"
#include "kernels/search/cell_order.h"

MNS_NS_BEGIN

namespace {

// Reach of the lists beyond the support, for the ways of particles.
constexpr float kListSlack = 0.5f;

template <class T>
void take(DeviceBuffer<T>& to, const std::vector<T>& from) {
  to.upload(from.data(), from.size());
}

Vec3d vectorOf(const double (&v)[3]) { return {v[0], v[1], v[2]}; }
Mat3d matrixOf(const double (&m)[9]) { return {{{m[0], m[1], m[2]}, {m[3], m[4], m[5]}, {m[6], m[7], m[8]}}}; }

PlacedPrimitive placed(const DevicePrimitive& p) {
  PlacedPrimitive out{};
  out.shapeD = {PrimitiveKind(p.kind), p.container != 0, vectorOf(p.half), p.radius, p.halfHeight};
  out.shape = {out.shapeD.kind, out.shapeD.container, Vec3f(out.shapeD.half), float(p.radius), float(p.halfHeight)};
  out.start = {matrixOf(p.rotation), vectorOf(p.origin)};
  out.end = out.start;
  out.bound = float(p.bound);
  out.thin = p.thin != 0;
  return out;
}

}  // namespace

DeviceSurfaces::DeviceSurfaces(Device& d, const DeviceFluidDef& def)
    : device_(d),
      topology_(d, "triangles"),
      ringBegin_(d, "triangles at nodes"),
      ring_(d, "triangles at nodes"),
      cellCount_(d, "cells of triangles"),
      key_(d, "cells of triangles"),
      keyOut_(d, "cells of triangles"),
      value_(d, "triangles of cells"),
      cellTri_(d, "triangles of cells"),
      cellBegin_(d, "triangles of cells"),
      before_(d, "cells of triangles"),
      bodies_(d, "materials"),
      primitiveMaterials_(d, "materials"),
      start_(d),
      end_(d),
      side_(d, "sides of triangles"),
      rest_(d, "nodes in bodies"),
      rigidOfNode_(d, "bodies of nodes"),
      rigid_(d, "rigid bodies"),
      frame_(d, "frames of primitives"),
      largestShift_(d, "largest way of a node"),
      filter_(d, "triangles"),
      primitives_(d, "primitives"),
      found_(d, "features of particles"),
      triangleDistance_(d, "distances to triangles"),
      sheetDistance_(d, "distances to sheets") {
  const DeviceSurfaceDef& s = def.surfaces;
  const Vec3f extent{float(def.extent[0]), float(def.extent[1]), float(def.extent[2])};
  set_.support = float(def.support);
  set_.contact = float(def.contactDistance);
  const float xy = extent.x < extent.y ? extent.y : extent.x;
  set_.roundoff = 2e-6f * (xy < extent.z ? extent.z : xy);
  set_.cells = Cells::over(vectorOf(def.extent), set_.support);
  for (int k = 0; k < 3; ++k) {
    set_.wallMin[k] = def.wall[2 * k] >= 0 ? 0.f : -kBeyondReach;
    set_.wallMax[k] = def.wall[2 * k + 1] >= 0 ? extent[k] : kBeyondReach;
  }
  moving_ = s.moving != 0;
  rigids_ = s.rigids;
  free_ = s.free != 0;
  deforming_ = s.deforming != 0;
  skins_ = s.skins != 0;
  const std::vector<SurfaceRigid> resting(std::size_t(s.rigids), SurfaceRigid{});
  take(rigid_, resting);
  set_.rigid = rigid_.data();
  if (moving_) {
    largestShift_.resize(1);
    set_.largestShift = largestShift_.data();
  }
  takePrimitives(s);
  takeTriangles(s);
}

void DeviceSurfaces::takePrimitives(const DeviceSurfaceDef& s) {
  std::vector<PlacedPrimitive> primitives;
  std::vector<SurfaceMaterial> materials;
  std::vector<Mat3d> frames;
  for (int k = 0; k < s.primitives; ++k) {
    const DevicePrimitive& p = s.primitive[k];
    primitives.push_back(placed(p));
    materials.push_back({p.material.friction, p.material.noSlip, p.material.rigid});
    frames.push_back(matrixOf(p.frame));
    separating_ |= p.thin != 0;
  }
  take(primitives_, primitives);
  take(primitiveMaterials_, materials);
  take(frame_, frames);
  set_.primitives = s.primitives;
  set_.walls = s.walls;
  set_.primitive = primitives_.data();
  set_.ofPrimitives = primitiveMaterials_.data();
}

void DeviceSurfaces::takeTriangles(const DeviceSurfaceDef& s) {
  const std::size_t n = std::size_t(s.triangles), nodes = std::size_t(s.nodes);
  set_.triangles = s.triangles;
  std::vector<SurfaceTopology> topology(n);
  std::vector<float> side(n);
  for (std::size_t t = 0; t < n; ++t) {
    const DeviceTriangle& from = s.triangle[t];
    SurfaceTopology& to = topology[t];
    for (int k = 0; k < 3; ++k) {
      to.node[k] = from.node[k];
      to.across[k] = from.across[k];
      to.acrossTri[k] = from.acrossTri[k];
    }
    to.owns = from.owns;
    to.body = from.body;
    to.separates = from.separates;
    side[t] = from.side;
    separating_ |= from.separates != 0;
  }
  std::vector<SurfaceMaterial> bodies;
  for (int b = 0; b < s.bodies; ++b) bodies.push_back({s.body[b].friction, s.body[b].noSlip, s.body[b].rigid});
  take(topology_, topology);
  take(side_, side);
  take(bodies_, bodies);
  if (n > 0) {
    ringBegin_.upload(s.ringBegin, nodes + 1);
    ring_.upload(s.ring, 3 * n);
    for (Instant* at : {&start_, &end_})
      if (at == &start_ || moving_) {
        at->exact.upload(reinterpret_cast<const Vec3d*>(s.node), nodes);
        at->node.resize(nodes);
        at->tri.resize(n);
        at->sphere.resize(n);
      }
    if (moving_) {
      rest_.upload(reinterpret_cast<const Vec3d*>(s.rest), nodes);
      rigidOfNode_.upload(s.rigidOfNode, nodes);
    }
  }
  filter_.resize(n);
  set_.topology = topology_.data();
  set_.ringBegin = ringBegin_.data();
  set_.ring = ring_.data();
  set_.ofBodies = bodies_.data();
  set_.start = start_.view();
  set_.end = moving_ ? end_.view() : set_.start;
  set_.filter = filter_.data();
  for (const SurfaceInstant* at : {&set_.start, &set_.end}) {
    launch(device_, "surfaces: nodes", s.nodes, PlaceSurfaceNode{at->exact, at->node});
    placeTriangles(*at);
  }
  listTriangles((1.f + kListSlack) * set_.support);
}

void DeviceSurfaces::placeTriangles(const SurfaceInstant& at) {
  launch(device_, "surfaces: triangles", set_.triangles, PlaceSurfaceTriangle{topology_.data(), side_.data(), at});
}

void DeviceSurfaces::placeBodies(const std::vector<DeviceRigid>& rigids) {
  std::vector<SurfaceRigid> now;
  for (const DeviceRigid& r : rigids)
    now.push_back({{matrixOf(r.rotationStart), vectorOf(r.xStart)},
                   {matrixOf(r.rotation), vectorOf(r.x)},
                   vectorOf(r.v),
                   vectorOf(r.omega),
                   r.invMass,
                   matrixOf(r.invInertia)});
  take(rigid_, now);
  launch(device_, "surfaces: primitives", set_.primitives,
         PlacePrimitives{primitiveMaterials_.data(), rigid_.data(), frame_.data(), primitives_.data()});
  launchFold<1, MaxOf>(device_, "surfaces: nodes", Index(rest_.size()),
                       PlaceRigidNodes{rigidOfNode_.data(), rest_.data(), rigid_.data(), set_.start, set_.end},
                       StoreValues<1>{largestShift_.data()});
}

void DeviceSurfaces::move(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes, double margin) {
  if (nodes) {
    start_.exact.upload(reinterpret_cast<const Vec3d*>(nodes->start), start_.exact.size());
    end_.exact.upload(reinterpret_cast<const Vec3d*>(nodes->end), end_.exact.size());
  }
  placeBodies(rigids);
  placeTriangles(set_.start);
  placeTriangles(set_.end);
  const float slack = kListSlack * set_.support;
  listTriangles(set_.support + (slack < float(margin) ? float(margin) : slack));
}

void DeviceSurfaces::moveEnds(const std::vector<DeviceRigid>& rigids, const DeviceNodes* nodes) {
  if (nodes) end_.exact.upload(reinterpret_cast<const Vec3d*>(nodes->end), end_.exact.size());
  placeBodies(rigids);
  placeTriangles(set_.end);
}

void DeviceSurfaces::listTriangles(float reach) {
  const Index n = set_.triangles, cells = set_.cells.cells();
  if (n == 0) return;
  launch(device_, "surfaces: slopes", n,
         SlopeOfSurfaceTriangle{topology_.data(), ringBegin_.data(), ring_.data(), set_.start, filter_.data()});
  const CellsOfTriangle of{set_.cells, set_.start.tri, set_.start.sphere, reach};
  cellCount_.resize(std::size_t(n) + 1);
  before_.resize(std::size_t(n) + 1);
  cellBegin_.resize(std::size_t(cells) + 2);
  launch(device_, "surfaces: count cells", n, CountCellsOfTriangle{of, cellCount_.data()});
  device_.exclusiveScan("surfaces: cells", cellCount_.data(), n, before_.data());
  Offset all = 0;
  device_.toHost(&all, before_.data() + n, sizeof all, "cells of triangles");
  if (all > 0x7fffffff) throw Error(ErrorKind::simulation, "too many triangles near cells for this device");
  for (auto* b : {&key_, &keyOut_, &value_, &cellTri_}) b->resize(std::size_t(all));
  launch(device_, "surfaces: fill cells", n, FillCellsOfTriangle{of, before_.data(), key_.data(), value_.data()});
  int bits = 1;
  while (bits < 31 && (Index(1) << bits) <= cells) ++bits;
  device_.sortByKey("surfaces: sort", key_.data(), keyOut_.data(), value_.data(), cellTri_.data(), Index(all), bits);
  launch(device_, "surfaces: begins", Index(all) + 1, CellBegins{keyOut_.data(), Index(all), cells, cellBegin_.data()});
  set_.near = {cellBegin_.data(), cellTri_.data(), reach};
}

void DeviceSurfaces::reserve(Index n) {
  if (!any()) return;
  found_.resize(std::size_t(n) * kMaxFeatures);
  triangleDistance_.resize(std::size_t(n));
  sheetDistance_.resize(std::size_t(n));
}

void DeviceSurfaces::find(const Vec4f* x, Index n, Index* near, Index* slots) {
  reserve(n);
  launch(device_, "surfaces: features", n,
         FindSurfaceFeatures{set_, x, near, slots, found_.data(), triangleDistance_.data(), sheetDistance_.data()});
}

MNS_NS_END

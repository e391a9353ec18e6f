// Solids in a box that touch one another, for the tests of contact: bricks, walls, sheets.
#pragma once

#include <memory>
#include <vector>

#include "engine/coupling/implicit_solids_box.h"
#include "engine/scene/generate.h"
#include "engine/solid/implicit/rigid_bodies.h"
#include "tests/coupling/implicit_meshes.h"

namespace meniscus::testing {

using Eigen::Vector3d;
using implicit::ContactScene;
using implicit::ContactSurface;
using implicit::RigidBodies;
using implicit::RigidBodyDef;

constexpr double kCell = 0.1;  // m, of the grid that the solids might be in

struct BodyMesh {
  std::vector<Vector3d> x;
  std::vector<std::array<int, 3>> triangles;
};

inline BodyMesh bodyMesh(const SurfaceMesh& mesh) {
  BodyMesh m;
  for (const Vec3d& x : mesh.x) m.x.emplace_back(x.x, x.y, x.z);
  for (std::size_t t = 0; t < mesh.tri.size(); t += 3) m.triangles.push_back({mesh.tri[t], mesh.tri[t + 1], mesh.tri[t + 2]});
  return m;
}
inline BodyMesh boxMesh(const Vector3d& size, double edge) { return bodyMesh(makeBox({size[0], size[1], size[2]}, edge)); }
inline BodyMesh ballMesh(double radius, double edge) { return bodyMesh(makeSphere(radius, edge)); }

inline RigidBodyDef brickOf(const BodyMesh& mesh, const Vector3d& size, double mass, const Vector3d& center,
                            const Eigen::Matrix3d& rotation = Eigen::Matrix3d::Identity()) {
  RigidBodyDef d;
  const Vector3d s2 = size.cwiseProduct(size);
  const Vector3d moments = mass / 12 * Vector3d(s2[1] + s2[2], s2[0] + s2[2], s2[0] + s2[1]);
  d.mass = mass;
  d.inertia = rotation * moments.asDiagonal() * rotation.transpose();
  d.center = center;
  d.points.resize(3 * Eigen::Index(mesh.x.size()));
  for (std::size_t i = 0; i < mesh.x.size(); ++i) d.points.segment<3>(3 * Eigen::Index(i)) = center + rotation * mesh.x[i];
  return d;
}

// Solids one after another, then the box with their contacts.
struct ContactWorld {
  ContactScene scene;
  std::vector<std::shared_ptr<implicit::ImplicitSolid>> solids;
  std::unique_ptr<coupling::ImplicitSolidsBox> box;
  const implicit::SolidContacts* contacts = nullptr;

  explicit ContactWorld(int dimension = 3) {
    scene.dimension = dimension;
    scene.thickness = 0.05 * kCell;
    scene.reach = 0.1 * kCell;
  }
  ContactSurface& add(std::shared_ptr<implicit::ImplicitSolid> solid, const std::vector<std::array<int, 3>>& elements) {
    ContactSurface s;
    s.begin = int(scene.given.size());
    s.end = s.begin + int(solid->size()) / scene.dimension;
    for (std::array<int, 3> e : elements) {
      for (int& i : e) i += s.begin;
      s.elements.push_back(e);
    }
    scene.given.resize(std::size_t(s.end), 0);
    solids.push_back(std::move(solid));
    scene.surfaces.push_back(std::move(s));
    return scene.surfaces.back();
  }
  std::shared_ptr<RigidBodies<3>> addBrick(const BodyMesh& mesh, const RigidBodyDef& def, const Vector3d& gravity,
                                           double friction = 0, double restitution = 0) {
    auto body = std::make_shared<RigidBodies<3>>(std::vector<RigidBodyDef>{def}, gravity);
    ContactSurface& s = add(body, mesh.triangles);
    s.filled = s.rigid = true;
    s.friction = friction;
    s.restitution = restitution;
    if (def.freedom == implicit::Freedom::none) std::fill(scene.given.begin() + s.begin, scene.given.end(), 1);
    return body;
  }
  void finish(double restingSpeed = 0) {
    box = std::make_unique<coupling::ImplicitSolidsBox>(solids);
    implicit::ContactOptions o;
    o.tolerance = 1e-4 * kCell;
    o.accepted = 1e-3 * kCell;
    o.recovery = 5e-3 * kCell;
    o.restingSpeed = restingSpeed;
    auto made = std::make_unique<implicit::SolidContacts>(scene, vectorOf(box->motion().position), o);
    contacts = made.get();
    box->setContacts(std::move(made));
  }
  VectorXd step(double dt, const VectorXd& impulse) {
    box->save();
    return vectorOf(box->solve({LoadKind::impulse, doubles(impulse)}, dt).position);
  }
  VectorXd step(double dt) { return step(dt, VectorXd::Zero(Eigen::Index(scene.given.size()) * scene.dimension)); }
  // Of all contacts on the nodes of one solid [N s].
  Vector3d impulseOn(std::size_t solid) const {
    Vector3d sum = Vector3d::Zero();
    for (int i = scene.surfaces[solid].begin; i < scene.surfaces[solid].end; ++i)
      for (int a = 0; a < scene.dimension; ++a) sum[a] += contacts->impulse()[i * scene.dimension + a];
    return sum;
  }
};

}  // namespace meniscus::testing

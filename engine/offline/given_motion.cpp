#include "engine/offline/given_motion.h"

#include <algorithm>

#include "engine/offline/grid_axes.h"
#include "engine/solid/motion.h"
#include "kernels/solid/rotation.h"

namespace meniscus::offline {
namespace {

// In two dimensions about y of the scene, which is -z of the grid.
template <int D>
Quatd rotationInGrid(const Quatd& q) {
  if (D == 2) return Quatd{q.w, 0, 0, -q.y}.normalizedQuat();
  return q;
}

template <int D>
void moveBody(SceneSolid<D>& s, double end, double dt) {
  const Pose target = poseAt(s.motions[0], end), start = poseAt(s.motions[0], 0);
  const auto& now = s.rigid->pose(0);
  Eigen::Vector3d center = now.center;
  center.template head<D>() = toGrid<D>(s.origin + target.x);
  const Quatd turned = rotationInGrid<D>(target.q) * rotationInGrid<D>(start.q).conjugate();
  const Vec3d omega = rotationToVector(turned * now.rotation.conjugate()) * (1 / dt);
  s.rigid->giveVelocity(0, (center - now.center) / dt, {omega.x, omega.y, omega.z});
}

template <int D>
void movePins(SceneSolid<D>& s, double end, double dt) {
  const implicit::Vector x = s.nodal->position();
  for (std::size_t i = 0; i < s.pin.size(); ++i) {
    if (!s.held[i] || s.motions[std::size_t(s.pin[i])].empty()) continue;
    const auto target = toGrid<D>(carriedTo(s.motions[std::size_t(s.pin[i])], s.origin, s.start[i], end));
    s.nodal->prescribe(int(i), (target - x.segment<D>(Eigen::Index(i) * D)) / dt);
  }
}

}  // namespace

Vec3d carriedTo(const std::vector<KeyFrame>& motion, const Vec3d& origin, const Vec3d& x, double t) {
  const Pose k = poseAt(motion, t);
  return origin + k.x + k.q.rotate(x - origin);
}

template <int D>
void giveMotion(SceneSolid<D>& solid, double time, double dt) {
  if (solid.motions.empty()) return;
  if (solid.rigid)
    moveBody(solid, time + dt, dt);
  else
    movePins(solid, time + dt, dt);
}

template <int D>
double givenSpeed(const SceneSolid<D>& solid, double time, double end) {
  if (solid.motions.empty()) return 0;
  double reach = 0, speed = 0;
  for (const Vec3d& x : solid.start) reach = std::max(reach, norm(x - solid.origin));
  for (const std::vector<KeyFrame>& m : solid.motions) speed = std::max(speed, greatestSpeed(m, reach, time, end));
  return speed;
}

template double givenSpeed<2>(const SceneSolid<2>&, double, double);
template double givenSpeed<3>(const SceneSolid<3>&, double, double);
template void giveMotion<2>(SceneSolid<2>&, double, double);
template void giveMotion<3>(SceneSolid<3>&, double, double);

}  // namespace meniscus::offline

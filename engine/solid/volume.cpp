#include "engine/solid/volume.h"

#include "kernels/solid/enclosed_volume.h"
#include "kernels/solid/xpbd.h"

namespace meniscus {

double volumeAndGradient(const SolidState& s, const VolumeConstraint& c, const Vec3d* x, Vec3d* grad) {
  const Body& body = s.bodies[std::size_t(c.body)];
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) grad[i] = Vec3d{};
  if (c.triEnd == c.triBegin) return 0;
  const Vec3d o = x[s.tri[3 * c.triBegin]];
  double volume = 0;
  for (Index t = c.triBegin; t < c.triEnd; ++t) {
    const Index i = s.tri[3 * t], j = s.tri[3 * t + 1], k = s.tri[3 * t + 2];
    volume += EnclosedVolume<double>::value(x[i] - o, x[j] - o, x[k] - o);
    const Vec3d g = EnclosedVolume<double>::gradient(x[i], x[j], x[k]);
    grad[i] += g;
    grad[j] += g;
    grad[k] += g;
  }
  return volume;
}

double enclosedVolume(const SolidState& s, const Vec3d* x, Index triBegin, Index triEnd) {
  if (triEnd == triBegin) return 0;
  const Vec3d o = x[s.tri[3 * triBegin]];
  double volume = 0;
  for (Index t = triBegin; t < triEnd; ++t)
    volume += EnclosedVolume<double>::value(x[s.tri[3 * t]] - o, x[s.tri[3 * t + 1]] - o, x[s.tri[3 * t + 2]] - o);
  return volume;
}

double enclosedVolume(const SolidState& s, Index triBegin, Index triEnd) { return enclosedVolume(s, s.x.data(), triBegin, triEnd); }

void projectVolume(SolidState& s, VolumeConstraint& c, double dt, double share, const double* invMassNormal, const Vec3d* normal) {
  if (c.restVolume <= 0 || c.filled) return;
  Vec3d* grad = s.work.volumeGradient.data();
  const double value = volumeAndGradient(s, c, s.x.data(), grad) - c.restVolume;
  const Body& body = s.bodies[std::size_t(c.body)];
  const auto inverseMass = [&](Index i) {
    return normal ? applyInverseMass(s.w[i], invMassNormal[i], normal[i], grad[i]) : grad[i] * s.w[i];
  };
  double gWg = 0;
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i)
    if (s.w[i] > 0) gWg += dot(grad[i], inverseMass(i));
  if (!(gWg > 0)) return;
  const double d = c.stiffness >= 0 ? Xpbd<double>::plainIncrement(value, gWg, share)
                                    : Xpbd<double>{c.compliance / (dt * dt), 0}.increment(value, c.lambda, 0, gWg);
  c.lambda += d;
  for (Index i = body.nodeBegin; i < body.nodeEnd; ++i)
    if (s.w[i] > 0) s.x[i] += inverseMass(i) * d;
}

void applyGasPressure(SolidState& s, double dt) {
  for (const VolumeConstraint& c : s.volumes) {
    if (c.restVolume > 0 || c.pressure == 0) continue;
    s.work.volumeGradient.resize(s.x.size());
    volumeAndGradient(s, c, s.xPrev.data(), s.work.volumeGradient.data());
    const Body& body = s.bodies[std::size_t(c.body)];
    for (Index i = body.nodeBegin; i < body.nodeEnd; ++i) s.v[i] += s.work.volumeGradient[i] * (dt * s.w[i] * c.pressure);
  }
}

}  // namespace meniscus

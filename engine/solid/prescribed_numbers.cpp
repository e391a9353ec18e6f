// Pins and key frames as an array of numbers: for each list its length, then its items.
#include <algorithm>
#include <cmath>

#include "engine/solid/prescribed.h"

namespace meniscus {
namespace {

void put(Buffer<double>& out, const Vec3d& v) {
  for (const double c : {v.x, v.y, v.z}) out.push_back(c);
}

void put(Buffer<double>& out, const std::vector<KeyFrame>& motion) {
  out.push_back(double(motion.size()));
  for (const KeyFrame& k : motion) {
    out.push_back(k.time);
    put(out, k.translate);
    for (const double c : {k.rotate.w, k.rotate.x, k.rotate.y, k.rotate.z}) out.push_back(c);
  }
}

// Reads on, or remembers that something was wrong.
struct Numbers {
  const double* at;
  const double* end;
  bool good = true;

  double next() {
    if (at == end || !std::isfinite(*at)) good = false;
    return good ? *at++ : 0;
  }
  // A whole number in [least, most].
  Index whole(Index least, Index most) {
    const double v = next();
    if (!(v >= double(least)) || !(v <= double(most)) || v != std::floor(v)) good = false;
    return good ? Index(v) : 0;
  }
  // A number of items of so many numbers each.
  std::size_t count(std::ptrdiff_t each) {
    return std::size_t(whole(0, Index(std::min<std::ptrdiff_t>((end - at) / each, 1 << 30))));
  }
  Vec3d vec() {
    const double x = next(), y = next();
    return {x, y, next()};
  }
  std::vector<KeyFrame> motion() {
    std::vector<KeyFrame> frames(count(8));
    for (KeyFrame& k : frames) {
      k.time = next();
      k.translate = vec();
      k.rotate.w = next();
      k.rotate.x = next();
      k.rotate.y = next();
      k.rotate.z = next();
    }
    const auto earlier = [](const KeyFrame& a, const KeyFrame& b) { return a.time < b.time; };
    if (!std::is_sorted(frames.begin(), frames.end(), earlier)) good = false;
    return frames;
  }
};

}  // namespace

void packPrescribed(const SolidState& s, Buffer<double>& out) {
  out.clear();
  out.push_back(double(s.motions.size()));
  for (const std::vector<KeyFrame>& m : s.motions) put(out, m);
  out.push_back(double(s.rigid.size()));
  for (const RigidBody& r : s.rigid) put(out, r.motion);
  out.push_back(double(s.pins.size()));
  for (const Pin& p : s.pins) {
    out.push_back(double(p.node));
    out.push_back(double(p.motion));
    put(out, p.start);
    put(out, p.origin);
  }
}

bool unpackPrescribed(const double* numbers, std::size_t count, const SolidState& s, Prescribed& p) {
  Numbers in{numbers, numbers + count};
  p.motions.resize(in.count(1));
  for (std::vector<KeyFrame>& m : p.motions) m = in.motion();
  p.bodies.resize(in.count(1));
  if (p.bodies.size() != s.rigid.size()) return false;
  for (std::vector<KeyFrame>& m : p.bodies) m = in.motion();
  p.pins.resize(in.count(8));
  for (Pin& pin : p.pins) {
    pin.node = in.whole(0, Index(s.x.size()) - 1);
    pin.motion = in.whole(-1, Index(p.motions.size()) - 1);
    pin.start = in.vec();
    pin.origin = in.vec();
  }
  return in.good && in.at == in.end;
}

void takePrescribed(SolidState& s, Prescribed& p) noexcept {
  s.pins.swap(p.pins);
  s.motions.swap(p.motions);
  for (std::size_t k = 0; k < s.rigid.size(); ++k) s.rigid[k].motion.swap(p.bodies[k]);
}

}  // namespace meniscus

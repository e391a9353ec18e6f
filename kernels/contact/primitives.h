// Analytic solids in their own frame: signed distance, normal and weight of their features, as obstacles (fluid outside) and as
// containers (fluid inside).
//   box       centred, half edge lengths `half`
//   sphere    radius `radius`
//   cylinder  axis z, `radius`, flat caps at z = +-halfHeight
//   capsule   axis z, `radius`, cap centres at z = +-halfHeight
//   plane     z = 0, fluid where z > 0; container makes no difference
// An obstacle is convex and has one feature. A container is seen from inside: its faces are features of their own.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

enum class PrimitiveKind : int { plane, box, sphere, cylinder, capsule };

template <class T>
struct PrimitiveShape {
  PrimitiveKind kind = PrimitiveKind::plane;
  bool container = false;
  Vec3<T> half{};            // m
  T radius{}, halfHeight{};  // m
};

constexpr int kMaxPrimitiveFeatures = 6;

template <class T>
struct PrimitiveFeature {
  Vec3<T> n;  // into the fluid
  T d;        // signed distance [m], negative where p is not in the fluid's region
  T w;        // 1 on faces, 1 - 2 phi/pi at an angle phi from the nearest face
};

// Weight of a convex edge or corner: cosine of the angle to the nearest incident face normal in, 1 - 2 phi/pi out.
template <class T>
MNS_HD inline T convexWeight(T cosine) {
  constexpr T twoOverPi = T(0.63661977236758134308);
  const T c = cosine < T(-1) ? T(-1) : (cosine > T(1) ? T(1) : cosine);
  const T w = T(1) - twoOverPi * std::acos(c);
  return w > T(0) ? w : T(0);
}

// Solid box: q = |p| - half. Outside, the closest point's offset has the positive parts of q; inside, the nearest face counts.
template <class T>
MNS_HD inline PrimitiveFeature<T> boxFeature(const Vec3<T>& half, const Vec3<T>& p) {
  Vec3<T> off{}, sign{};
  int nearest = 0;
  T best = T(-1e30);
  for (int k = 0; k < 3; ++k) {
    sign[k] = p[k] < T(0) ? T(-1) : T(1);
    const T q = sign[k] * p[k] - half[k];
    off[k] = q > T(0) ? q : T(0);
    if (q > best) {
      best = q;
      nearest = k;
    }
  }
  const T d2 = norm2(off);
  PrimitiveFeature<T> f{{}, best, T(1)};
  if (d2 > T(0)) {
    f.d = std::sqrt(d2);
    const Vec3<T> u = off / f.d;
    f.n = {u.x * sign.x, u.y * sign.y, u.z * sign.z};
    f.w = convexWeight(u[nearest]);
  } else {
    f.n[nearest] = sign[nearest];
  }
  return f;
}

// Solid cylinder: a box in the half plane of radius and height.
template <class T>
MNS_HD inline PrimitiveFeature<T> cylinderFeature(T radius, T halfHeight, const Vec3<T>& p) {
  const T rho = std::sqrt(p.x * p.x + p.y * p.y);
  const Vec3<T> radial = rho > T(0) ? Vec3<T>{p.x / rho, p.y / rho, T(0)} : Vec3<T>{T(1), T(0), T(0)};
  const T sz = p.z < T(0) ? T(-1) : T(1);
  const T qr = rho - radius, qz = sz * p.z - halfHeight;
  const T ar = qr > T(0) ? qr : T(0), az = qz > T(0) ? qz : T(0);
  const T d2 = ar * ar + az * az;
  if (d2 > T(0)) {
    const T d = std::sqrt(d2), ur = ar / d, uz = az / d;
    return {radial * ur + Vec3<T>{T(0), T(0), sz * uz}, d, convexWeight(ur > uz ? ur : uz)};
  }
  if (qr > qz) return {radial, qr, T(1)};
  return {{T(0), T(0), sz}, qz, T(1)};
}

// Capsule; a sphere where halfHeight is 0.
template <class T>
MNS_HD inline PrimitiveFeature<T> capsuleFeature(T radius, T halfHeight, const Vec3<T>& p) {
  const T z = p.z < -halfHeight ? -halfHeight : (p.z > halfHeight ? halfHeight : p.z);
  const Vec3<T> off{p.x, p.y, p.z - z};
  const T r = norm(off);
  return {r > T(0) ? off / r : Vec3<T>{T(1), T(0), T(0)}, r - radius, T(1)};
}

// Features of p nearer than `reach`; returns their number.
template <class T>
MNS_HD inline int primitiveFeatures(const PrimitiveShape<T>& s, const Vec3<T>& p, T reach,
                                    PrimitiveFeature<T> (&out)[kMaxPrimitiveFeatures]) {
  int n = 0;
  const auto add = [&](const PrimitiveFeature<T>& f) {
    if (f.d < reach) out[n++] = f;
  };
  const auto flipped = [](PrimitiveFeature<T> f) {
    f.n = -f.n;
    f.d = -f.d;
    return f;
  };
  switch (s.kind) {
    case PrimitiveKind::plane:
      add({{T(0), T(0), T(1)}, p.z, T(1)});
      break;
    case PrimitiveKind::box:
      if (!s.container) {
        add(boxFeature(s.half, p));
        break;
      }
      for (int k = 0; k < 3; ++k) {
        for (int side = -1; side <= 1; side += 2) {
          Vec3<T> inward{};
          inward[k] = T(-side);
          add({inward, s.half[k] - T(side) * p[k], T(1)});
        }
      }
      break;
    case PrimitiveKind::sphere: {
      const PrimitiveFeature<T> f = capsuleFeature(s.radius, T(0), p);
      add(s.container ? flipped(f) : f);
      break;
    }
    case PrimitiveKind::capsule: {
      const PrimitiveFeature<T> f = capsuleFeature(s.radius, s.halfHeight, p);
      add(s.container ? flipped(f) : f);
      break;
    }
    case PrimitiveKind::cylinder:
      if (!s.container) {
        add(cylinderFeature(s.radius, s.halfHeight, p));
        break;
      }
      add(flipped(capsuleFeature(s.radius, T(1e30), p)));  // the side of an endless cylinder
      add({{T(0), T(0), T(-1)}, s.halfHeight - p.z, T(1)});
      add({{T(0), T(0), T(1)}, s.halfHeight + p.z, T(1)});
      break;
  }
  return n;
}

MNS_NS_END

// Small vectors and 3x3 matrices for kernels, on host and device.
#pragma once

#include <cmath>

#include "kernels/core/macros.h"

MNS_NS_BEGIN

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  MNS_HD constexpr T& operator[](int i) { return i == 0 ? x : (i == 1 ? y : z); }
  MNS_HD constexpr const T& operator[](int i) const { return i == 0 ? x : (i == 1 ? y : z); }
  MNS_HD constexpr Vec3& operator+=(const Vec3& b) {
    x += b.x;
    y += b.y;
    z += b.z;
    return *this;
  }
  MNS_HD constexpr Vec3& operator-=(const Vec3& b) {
    x -= b.x;
    y -= b.y;
    z -= b.z;
    return *this;
  }
  MNS_HD constexpr Vec3& operator*=(T s) {
    x *= s;
    y *= s;
    z *= s;
    return *this;
  }
  template <class U>
  MNS_HD constexpr explicit operator Vec3<U>() const {
    return {U(x), U(y), U(z)};
  }
};

template <class T>
MNS_HD constexpr Vec3<T> operator+(Vec3<T> a, const Vec3<T>& b) {
  return a += b;
}
template <class T>
MNS_HD constexpr Vec3<T> operator-(Vec3<T> a, const Vec3<T>& b) {
  return a -= b;
}
template <class T>
MNS_HD constexpr Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
MNS_HD constexpr Vec3<T> operator*(Vec3<T> a, T s) {
  return a *= s;
}
template <class T>
MNS_HD constexpr Vec3<T> operator*(T s, Vec3<T> a) {
  return a *= s;
}
template <class T>
MNS_HD constexpr Vec3<T> operator/(Vec3<T> a, T s) {
  return a *= (T(1) / s);
}
template <class T>
MNS_HD constexpr bool operator==(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x == b.x && a.y == b.y && a.z == b.z;
}
template <class T>
MNS_HD constexpr T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
MNS_HD constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
MNS_HD constexpr T norm2(const Vec3<T>& a) {
  return dot(a, a);
}
template <class T>
MNS_HD inline T norm(const Vec3<T>& a) {
  return std::sqrt(dot(a, a));
}
// Zero stays zero.
template <class T>
MNS_HD inline Vec3<T> normalized(const Vec3<T>& a) {
  const T n = norm(a);
  return n > T(0) ? a * (T(1) / n) : a;
}
template <class T>
MNS_HD constexpr Vec3<T> minOf(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z};
}
template <class T>
MNS_HD constexpr Vec3<T> maxOf(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z};
}

// Row-major 3x3 matrix; r[i] is row i.
template <class T>
struct Mat3 {
  Vec3<T> r[3];

  MNS_HD static constexpr Mat3 identity() { return {{{T(1), 0, 0}, {0, T(1), 0}, {0, 0, T(1)}}}; }
  MNS_HD static constexpr Mat3 diagonal(const Vec3<T>& d) { return {{{d.x, 0, 0}, {0, d.y, 0}, {0, 0, d.z}}}; }
  MNS_HD static constexpr Mat3 columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
    return {{{a.x, b.x, c.x}, {a.y, b.y, c.y}, {a.z, b.z, c.z}}};
  }
  MNS_HD static constexpr Mat3 outer(const Vec3<T>& a, const Vec3<T>& b) { return {{b * a.x, b * a.y, b * a.z}}; }
  MNS_HD constexpr Vec3<T> column(int j) const { return {r[0][j], r[1][j], r[2][j]}; }
  MNS_HD constexpr Mat3 transposed() const { return columns(r[0], r[1], r[2]); }
  template <class U>
  MNS_HD constexpr explicit operator Mat3<U>() const {
    return {{Vec3<U>(r[0]), Vec3<U>(r[1]), Vec3<U>(r[2])}};
  }
};

template <class T>
MNS_HD constexpr Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) {
  return {dot(m.r[0], v), dot(m.r[1], v), dot(m.r[2], v)};
}
template <class T>
MNS_HD constexpr Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  const Mat3<T> bt = b.transposed();
  return {{bt * a.r[0], bt * a.r[1], bt * a.r[2]}};
}
template <class T>
MNS_HD constexpr Mat3<T> operator*(const Mat3<T>& a, T s) {
  return {{a.r[0] * s, a.r[1] * s, a.r[2] * s}};
}
template <class T>
MNS_HD constexpr Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {{a.r[0] + b.r[0], a.r[1] + b.r[1], a.r[2] + b.r[2]}};
}
template <class T>
MNS_HD constexpr Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  return {{a.r[0] - b.r[0], a.r[1] - b.r[1], a.r[2] - b.r[2]}};
}
template <class T>
MNS_HD constexpr T determinant(const Mat3<T>& m) {
  return dot(m.r[0], cross(m.r[1], m.r[2]));
}
template <class T>
MNS_HD constexpr T trace(const Mat3<T>& m) {
  return m.r[0].x + m.r[1].y + m.r[2].z;
}
// Caller guarantees a non-zero determinant.
template <class T>
MNS_HD constexpr Mat3<T> inverse(const Mat3<T>& m) {
  const T s = T(1) / determinant(m);
  return Mat3<T>::columns(cross(m.r[1], m.r[2]) * s, cross(m.r[2], m.r[0]) * s, cross(m.r[0], m.r[1]) * s);
}

// Unit quaternion, scalar part w; rotates body to world.
template <class T>
struct Quat {
  T w{1}, x{}, y{}, z{};

  MNS_HD static Quat axisAngle(const Vec3<T>& axis, T angle) {
    const Vec3<T> a = normalized(axis) * std::sin(angle / T(2));
    return {std::cos(angle / T(2)), a.x, a.y, a.z};
  }
  MNS_HD constexpr Quat conjugate() const { return {w, -x, -y, -z}; }
  MNS_HD constexpr Vec3<T> rotate(const Vec3<T>& v) const {
    const Vec3<T> q{x, y, z};
    const Vec3<T> t = cross(q, v) * T(2);
    return v + t * w + cross(q, t);
  }
  MNS_HD constexpr Mat3<T> matrix() const {
    return Mat3<T>::columns(rotate({T(1), 0, 0}), rotate({0, T(1), 0}), rotate({0, 0, T(1)}));
  }
  MNS_HD Quat normalizedQuat() const {
    const T s = T(1) / std::sqrt(w * w + x * x + y * y + z * z);
    return {w * s, x * s, y * s, z * s};
  }
};
template <class T>
MNS_HD constexpr Quat<T> operator*(const Quat<T>& a, const Quat<T>& b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

using Vec3f = Vec3<float>;
using Vec3d = Vec3<double>;
using Mat3f = Mat3<float>;
using Mat3d = Mat3<double>;
using Quatd = Quat<double>;

MNS_NS_END

// Eigenvalues and eigenvectors of a symmetric 3x3 matrix by Jacobi rotations.
#pragma once

#include "kernels/core/vec.h"

MNS_NS_BEGIN

// Returns the eigenvalues, unordered; column i of `vectors`, a rotation, belongs to value i. Entries off the diagonal of `matrix`
// below round-off of its trace count as zero.
template <class T>
MNS_HD inline Vec3<T> symmetricEigen(const Mat3<T>& matrix, Mat3<T>& vectors) {
  T a[3][3];
  Mat3<T> v = Mat3<T>::identity();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = matrix.r[i][j];
  const T small = (sizeof(T) == 8 ? T(1e-15) : T(1e-7)) * (std::fabs(a[0][0]) + std::fabs(a[1][1]) + std::fabs(a[2][2]));
  for (int sweep = 0; sweep < 30; ++sweep) {
    if (std::fabs(a[0][1]) + std::fabs(a[0][2]) + std::fabs(a[1][2]) <= small) break;
    for (int k = 0; k < 3; ++k) {
      const int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2, r = 3 - p - q;
      if (a[p][q] == T(0)) continue;
      const T h = (a[q][q] - a[p][p]) / (T(2) * a[p][q]);
      const T t = (h < T(0) ? T(-1) : T(1)) / (std::fabs(h) + std::sqrt(h * h + T(1)));
      const T c = T(1) / std::sqrt(t * t + T(1)), s = t * c;
      a[p][p] -= t * a[p][q];
      a[q][q] += t * a[p][q];
      a[p][q] = a[q][p] = T(0);
      const T rp = a[r][p], rq = a[r][q];
      a[r][p] = a[p][r] = c * rp - s * rq;
      a[r][q] = a[q][r] = s * rp + c * rq;
      for (int i = 0; i < 3; ++i) {
        const T ip = v.r[i][p], iq = v.r[i][q];
        v.r[i][p] = c * ip - s * iq;
        v.r[i][q] = s * ip + c * iq;
      }
    }
  }
  vectors = v;
  return {a[0][0], a[1][1], a[2][2]};
}

MNS_NS_END

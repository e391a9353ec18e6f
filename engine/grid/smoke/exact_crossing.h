// Exact answers to "does this segment cross this simplex" on a lattice of integers.
//
// Whether a shell leaks hangs on the signs of determinants: one wrong sign beside a node is a hole. Points are therefore snapped to
// a lattice of 2^-20 of a cell, and the signs are those of exact integers: 33 bits a difference, at most three of them in a product
// (the coordinate of time is 0 or 1), below the 127 bits of Wide.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace meniscus {

__extension__ typedef __int128 Wide;

template <int N>
using LatticePoint = std::array<std::int64_t, N>;
// N points in a space of N dimensions: an edge in the plane, a triangle in space, a tetrahedron in space and time.
template <int N>
using LatticeSimplex = std::array<LatticePoint<N>, N>;

// Of the rows.
template <int N>
Wide determinant(const LatticeSimplex<N>& m) {
  if constexpr (N == 1) {
    return m[0][0];
  } else {
    Wide sum = 0;
    for (std::size_t r = 0; r < N; ++r) {
      if (m[r][0] == 0) continue;
      LatticeSimplex<N - 1> minor;
      for (std::size_t i = 0, k = 0; i < N; ++i)
        if (i != r) std::copy(m[i].begin() + 1, m[i].end(), minor[k++].begin());
      const Wide d = Wide(m[r][0]) * determinant<N - 1>(minor);
      sum += r % 2 == 0 ? d : -d;
    }
    return sum;
  }
}

inline int signOf(Wide w) { return w > 0 ? 1 : (w < 0 ? -1 : 0); }

// det(s_i - p): its sign says on which side of the simplex's plane p is.
template <int N>
Wide sideValue(const LatticeSimplex<N>& s, const LatticePoint<N>& p) {
  LatticeSimplex<N> m = s;
  for (LatticePoint<N>& row : m)
    for (std::size_t k = 0; k < N; ++k) row[k] -= p[k];
  return determinant<N>(m);
}

// The side of p moved by (e, e^2, ...) with e vanishing: never 0 but for simplices without extent. One such move of all points of
// a grid is what makes the half-open rules of different lines and simplices agree.
template <int N>
int perturbedSide(const LatticeSimplex<N>& s, const LatticePoint<N>& p) {
  const int side = signOf(sideValue<N>(s, p));
  for (std::size_t k = 0; side == 0 && k < N; ++k) {
    Wide slope = 0;  // along coordinate k
    for (std::size_t i = 0; i < N; ++i) {
      LatticeSimplex<N> m = s;
      for (std::size_t r = 0; r < N; ++r)
        for (std::size_t c = 0; c < N; ++c) m[r][c] = r == i ? -std::int64_t(c == k) : s[r][c] - p[c];
      slope += determinant<N>(m);
    }
    if (slope != 0) return signOf(slope);
  }
  return side;
}

// Where the line p-q meets the plane of the simplex: the part of the way from p, and the barycentric coordinates. Of numbers that
// are exact until the last division. False where the line lies in the plane.
template <int N>
bool crossingPoint(const LatticeSimplex<N>& s, const LatticePoint<N>& p, const LatticePoint<N>& q, double& t,
                   std::array<double, N>& barycentric) {
  const Wide dp = sideValue<N>(s, p), dq = sideValue<N>(s, q);
  if (dp == dq) return false;
  t = double(dp) / (double(dp) - double(dq));
  // with c = p + t (q - p), det(.., p in the place of s_i, ..; q) is lambda_i det(s; q) / (1 - t); from the end that is off the
  // plane
  const bool fromQ = dq != 0;
  double sum = 0;
  for (std::size_t i = 0; i < N; ++i) {
    LatticeSimplex<N> m = s;
    m[i] = fromQ ? p : q;
    sum += barycentric[i] = double(sideValue<N>(m, fromQ ? q : p)) / double(fromQ ? dq : dp);
  }
  for (double& b : barycentric) b = std::clamp(b / sum, 0.0, 1.0);
  return true;
}

// True where the closed segment meets the closed simplex. Where both ends lie in its plane the answer errs to true: the boxes meet.
template <int N>
bool crosses(const LatticeSimplex<N>& s, LatticePoint<N> p, LatticePoint<N> q) {
  for (std::size_t k = 0; k < N; ++k) {
    std::int64_t lo = s[0][k], hi = lo;
    for (std::size_t i = 1; i < N; ++i) lo = std::min(lo, s[i][k]), hi = std::max(hi, s[i][k]);
    if (std::max(p[k], q[k]) < lo || std::min(p[k], q[k]) > hi) return false;
  }
  const int sp = signOf(sideValue<N>(s, p));
  int sq = signOf(sideValue<N>(s, q));
  if (sp * sq > 0) return false;
  if (sp == 0 && sq == 0) return true;
  if (sq == 0) std::swap(p, q), sq = sp;
  for (std::size_t i = 0; i < N; ++i) {
    LatticeSimplex<N> m = s;
    m[i] = p;
    if (signOf(sideValue<N>(m, q)) * sq < 0) return false;
  }
  return true;
}

// True where the line along the missing axis through p, moved as perturbedSide moves it, passes through the simplex: s and p
// without that coordinate. Each line is in exactly one of the triangles around it, whatever their rounding was before they were
// snapped.
template <int D>
bool lineThrough(const std::array<LatticePoint<D - 1>, D>& s, const LatticePoint<D - 1>& p) {
  int first = 0;
  for (std::size_t i = 0; i < D; ++i) {
    LatticeSimplex<D - 1> others;
    for (std::size_t j = 0, k = 0; j < D; ++j)
      if (j != i) others[k++] = s[j];
    const int side = perturbedSide<D - 1>(others, p) * (i % 2 == 0 ? 1 : -1);
    if (side == 0 || (i > 0 && side != first)) return false;
    first = side;
  }
  return true;
}

}  // namespace meniscus

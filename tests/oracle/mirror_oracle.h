// The particle operators in double, written out over all pairs: the reference for the engine's lists and passes. It knows nothing
// of cells, lists or packing, and takes every particle's boundary features as given.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/core/vec.h"

namespace meniscus::oracle {

constexpr double kPi = 3.14159265358979323846;

inline double kernelW(double r, double H) {
  const double q = r / H;
  return q < 1 ? 378 / (41 * kPi * H * H * H) * std::pow(1 - q, 3) * (1 + 3 * q - 4 * q * q + 5. / 3 * q * q * q) : 0;
}
// -W'(r)/r
inline double kernelF(double r, double H) {
  const double q = r / H;
  return q < 1 ? 7560 / (41 * kPi * std::pow(H, 5)) * (1 - q) * (1 - q) * (1 - 1.25 * q + 0.5 * q * q) : 0;
}

struct Surface {  // a feature: the solid's nearest point lies at x - d n
  Vec3d n;
  double d, w;
};
struct Particle {
  Vec3d x;
  std::vector<Surface> features;
};
// One mirror image of a pair: the features it is reflected at (number of a's, number of b's) and its weight.
struct Image {
  double weight;
  std::vector<std::pair<int, int>> at;
};

// Share of the images beyond the first in a wedge: 2 alpha / (pi - alpha), alpha between the walls' normals; facing walls have
// none.
inline double wedge(const Particle& a, const Particle& b, std::pair<int, int> s, std::pair<int, int> t) {
  const double c = std::clamp(
      0.5 * (dot(a.features[s.first].n, a.features[t.first].n) + dot(b.features[s.second].n, b.features[t.second].n)), -1.0, 1.0);
  return c < -0.95 ? 1 : 2 * std::acos(c) / (kPi - std::acos(c));
}

inline std::vector<Image> imagesOf(const Particle& a, const Particle& b) {
  // greedy matching of like normals, nearest first
  std::vector<std::pair<int, int>> m, all;
  for (int i = 0; i < int(a.features.size()); ++i)
    for (int j = 0; j < int(b.features.size()); ++j)
      if (dot(a.features[i].n, b.features[j].n) > 0.5) all.push_back({i, j});
  std::stable_sort(all.begin(), all.end(), [&](const auto& p, const auto& q) {
    return a.features[p.first].d + b.features[p.second].d < a.features[q.first].d + b.features[q.second].d;
  });
  for (const auto& p : all)
    if (std::none_of(m.begin(), m.end(), [&](const auto& q) { return q.first == p.first || q.second == p.second; })) m.push_back(p);
  // subsets of one, two and three
  const int n = int(m.size());
  const auto w = [&](int s) { return std::sqrt(a.features[m[s].first].w * b.features[m[s].second].w); };
  const auto share = [&](int s, int t) { return wedge(a, b, m[s], m[t]); };
  const auto both = [&](int s, int t) { return std::clamp(share(std::min(s, t), std::max(s, t)) - 1, 0.0, 1.0); };
  std::vector<Image> images;
  for (int s = 0; s < n; ++s) {
    double single = 1;
    // the weight of a wall is lessened by those nearer than it
    for (int t = 0; t < s; ++t) single = std::min(single, share(t, s));
    images.push_back({single * w(s), {m[s]}});
    for (int t = s + 1; t < n; ++t) {
      images.push_back({both(s, t) * w(s) * w(t), {m[s], m[t]}});
      for (int q = t + 1; q < n; ++q)
        images.push_back({both(s, t) * both(s, q) * both(t, q) * w(s) * w(t) * w(q), {m[s], m[t], m[q]}});
    }
  }
  return images;
}

// Squared distance from a to b's image.
inline double imageDistance2(const Particle& a, const Particle& b, const Image& image) {
  double r2 = norm2(a.x - b.x);
  for (const auto& [i, j] : image.at) r2 += 4 * a.features[i].d * b.features[j].d;
  return r2;
}

class Fluid {
 public:
  Fluid(std::vector<Particle> particles, double H, double V) : p(std::move(particles)), H_(H), V_(V) {}
  std::vector<Particle> p;

  int n() const { return int(p.size()); }
  double c(double r) const { return V_ * kernelF(r, H_); }

  // V sum W over particles and images; the own image once.
  double density(int a) const {
    double s = kernelW(0, H_);
    for (int b = 0; b < n(); ++b) {
      if (b != a) s += kernelW(norm(p[a].x - p[b].x), H_);
      for (const Image& i : imagesOf(p[a], p[b])) s += i.weight * kernelW(std::sqrt(imageDistance2(p[a], p[b], i)), H_);
    }
    return V_ * s;
  }

  // (D u)_a. nu[b][i]: normal velocity of the solid at feature i of particle b.
  double divergence(int a, const std::vector<Vec3d>& u, const std::vector<std::vector<double>>& nu) const {
    double d = 0;
    for (int b = 0; b < n(); ++b) {
      const Vec3d x = p[a].x - p[b].x;
      if (b != a) d += c(norm(x)) * dot(x, u[a] - u[b]);
      for (const Image& i : imagesOf(p[a], p[b])) {
        // half the rate of r'^2 = |x|^2 + 4 sum d_a d_b
        double rate = dot(x, u[a] - u[b]);
        for (const auto& [f, g] : i.at)
          rate += 2 * p[b].features[g].d * (dot(p[a].features[f].n, u[a]) - nu[a][f]) +
                  2 * p[a].features[f].d * (dot(p[b].features[g].n, u[b]) - nu[b][g]);
        d += i.weight * c(std::sqrt(imageDistance2(p[a], p[b], i))) * rate;
      }
    }
    return d;
  }

  // (D^T q): on particles, as forces of pairs with q_a + q_b, and on the surfaces' normal velocities.
  void transpose(const std::vector<double>& q, std::vector<Vec3d>& onFluid, std::vector<std::vector<double>>& onSurface) const {
    onFluid.assign(p.size(), {});
    onSurface.clear();
    for (const Particle& a : p) onSurface.emplace_back(a.features.size(), 0.0);
    for (int a = 0; a < n(); ++a)
      for (int b = 0; b < n(); ++b) {
        const Vec3d x = p[a].x - p[b].x;
        const double sum = q[a] + q[b];
        if (b != a) onFluid[a] += x * (c(norm(x)) * sum);
        for (const Image& i : imagesOf(p[a], p[b])) {
          const double k = i.weight * c(std::sqrt(imageDistance2(p[a], p[b], i))) * sum;
          onFluid[a] += x * k;
          for (const auto& [f, g] : i.at) {
            onFluid[a] += p[a].features[f].n * (2 * p[b].features[g].d * k);
            onSurface[a][f] -= 2 * p[b].features[g].d * k;
          }
        }
      }
  }

  // Sum of c over images of b seen from a.
  double mirroredC(int a, int b) const {
    double s = 0;
    for (const Image& i : imagesOf(p[a], p[b])) s += i.weight * c(std::sqrt(imageDistance2(p[a], p[b], i)));
    return s;
  }

 private:
  double H_, V_;
};

// Sum of c = V |F| over the other points of the cubic lattice.
inline double latticeC(double dx, double H) {
  double s = 0;
  const int m = int(H / dx) + 1;
  for (int z = -m; z <= m; ++z)
    for (int y = -m; y <= m; ++y)
      for (int x = -m; x <= m; ++x)
        if (x || y || z) s += dx * dx * dx * kernelF(dx * std::sqrt(double(x * x + y * y + z * z)), H);
  return s;
}

}  // namespace meniscus::oracle

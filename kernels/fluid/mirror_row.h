// What the images in the solids' surfaces add to the row of a near particle: coefficients, sums, links.
#pragma once

#include "kernels/fluid/mirror_kernel.h"
#include "kernels/fluid/pressure_pass.h"
#include "kernels/fluid/single_images.h"

MNS_NS_BEGIN

struct MirrorRows {
  const Index* nearIndex;
  const std::uint8_t* featureCount;  // per near row
  const Index* slotBegin;            // per near row
  const Feature* features;           // per slot
  const Vec4f* x;
  SmoothingKernel<float> kernel;
  float V, cW;
  // out, per slot: normal and twice the distance, K and push of PairLists
  Vec4f* plane;
  float *slotK, *slotPush;
  // added to, per particle: the direct pairs' sums are there
  Vec4f* T;
  float *sumC, *c2r2, *density;
  CoefficientGrid grid = {};

  // What a near particle and one neighbour see of each other in the mirrors.
  struct Image {
    float c = 0, W = 0;
    int n = 0;  // matched features
    int own[kMaxFeatures] = {}, other[kMaxFeatures] = {};
    float k[kMaxFeatures] = {};
  };
  struct Sums {
    Vec3f t{};
    float c = 0, W = 0, c2r2 = 0, own = 0;
    float K[kMaxFeatures] = {}, push[kMaxFeatures] = {};
    Index n[kMaxFeatures] = {};  // links of each feature
  };

  MNS_HD static void add(const SingleImages& m, Index l, Sums& s) {
    s.t += Vec3f{m.tx[l], m.ty[l], m.tz[l]};
    s.t += Vec3f{m.nx[l], m.ny[l], m.nz[l]};
    s.K[0] += m.K[l];
    s.push[0] += m.K[l] + m.push[l];
    s.c += m.c[l];
    s.W += m.W[l];
    s.c2r2 += m.c2r2[l];
  }

  // b = a: D_aa += 4 w c' sum d n, counted once in the density
  MNS_HD void selfImage(Index k, Sums& s) const {
    const Feature* A = features + slotBegin[k];
    forEachImage(
        A, featureCount[k], A, featureCount[k], 0.f, V, kernel,
        [&](const MirrorTerm& m) {
          s.W += m.W;
          s.own += m.c;
          for (int i = 0; i < m.count; ++i) {
            const float K = 4.f * m.c * A[m.fa[i]].d;
            s.K[m.fa[i]] += K;
            s.push[m.fa[i]] += K;
            s.t += A[m.fa[i]].n * K;
          }
        },
        grid);
  }

  // The sums are always evaluated with the lower particle number first, so that both particles of a pair see the same bits and the
  // forces cancel exactly.
  MNS_HD bool imagesOf(Index k, Index a, Index kb, Index b, Image& image) const {
    const bool swap = b < a;
    const Index lo = swap ? b : a, hi = swap ? a : b, kLo = swap ? kb : k, kHi = swap ? k : kb;
    const Feature *L = features + slotBegin[kLo], *H = features + slotBegin[kHi];
    const float r2 = norm2(x[lo].xyz() - x[hi].xyz());
    int seen[kMaxFeatures];  // match of a feature of the lower particle
    for (int i = 0; i < featureCount[kLo]; ++i) seen[i] = -1;
    forEachImage(
        L, featureCount[kLo], H, featureCount[kHi], r2, V, kernel,
        [&](const MirrorTerm& m) {
          image.c += m.c;
          image.W += m.W;
          for (int i = 0; i < m.count; ++i) {
            int& match = seen[m.fa[i]];
            if (match < 0) {
              match = image.n++;
              image.own[match] = swap ? m.fb[i] : m.fa[i];
              image.other[match] = swap ? m.fa[i] : m.fb[i];
            }
            image.k[match] += m.c;
          }
        },
        grid);
    return image.n > 0;
  }

  // found(f, link) for each matched pair of features, f of a's.
  template <class Found>
  MNS_HD void add(Index k, Index a, Index kb, const Pair& pair, const Image& image, Sums& s, const Found& found) const {
    const Feature *A = features + slotBegin[k], *B = features + slotBegin[kb];
    const Vec3f xab = x[a].xyz() - x[pair.j()].xyz();
    Vec3f gb = xab * -image.c;  // weight of u_b in div_a
    s.t += xab * image.c;
    for (int i = 0; i < image.n; ++i) {
      const int fa = image.own[i], fb = image.other[i];
      const float K = 2.f * image.k[i] * B[fb].d, push = 2.f * image.k[i] * A[fa].d;
      s.t += A[fa].n * K;
      gb += B[fb].n * push;
      s.K[fa] += K;
      s.push[fa] += K + push;
      found(fa, MirrorLink{image.k[i], slotBegin[kb] + fb});
    }
    s.c += image.c;
    s.W += image.W;
    // |coefficient of u_b|^2 = |c x_ab - g_b|^2 = c^2 r^2 (already in) - 2 c x_ab . g_b + |g_b|^2
    s.c2r2 += norm2(gb) - 2.f * pair.c * dot(xab, gb);
  }

  MNS_HD void store(Index k, Index a, const Sums& s) const {
    for (int f = 0; f < featureCount[k]; ++f) {
      const Index slot = slotBegin[k] + f;
      const Feature& feature = features[slot];
      plane[slot] = Vec4f(feature.n, 2.f * feature.d);
      slotK[slot] = s.K[f];
      slotPush[slot] = s.push[f];
    }
    T[a] = Vec4f(T[a].xyz() + s.t, T[a].w + s.c);
    sumC[a] += s.c + s.own;
    c2r2[a] += s.c2r2;
    density[a] += cW * V * s.W;
  }
};

MNS_NS_END

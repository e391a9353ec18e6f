// The images that several particles have in the one surface each shares with a particle a: forEachImage for features that come
// alone, with what the sums over a's row take from each. Eight at a time where the processor has AVX2.
#pragma once

#include "kernels/core/float8.h"
#include "kernels/core/lanes.h"
#include "kernels/core/smoothing_kernel.h"
#include "kernels/fluid/coefficient_grid.h"
#include "kernels/fluid/pressure_pass.h"

MNS_NS_BEGIN

struct ImagePartner {
  const Feature* feature;
  const Vec4f* x;
  float c;  // of the direct pair [1/m^2]
};

struct SingleImages {
  alignas(32) float c[kLanes], W[kLanes];                // V |F(r')| [1/m^2], W(r') [1/m^3], weighted
  alignas(32) float K[kLanes], push[kLanes];             // 2 c d_b, 2 c d_a [1/m]
  alignas(32) float tx[kLanes], ty[kLanes], tz[kLanes];  // c x_ab [1/m]
  alignas(32) float nx[kLanes], ny[kLanes], nz[kLanes];  // K n_a [1/m]
  alignas(32) float c2r2[kLanes];                        // change of the square of the coefficient of u_b in div_a [1/m^2]
};

// Bit l: partner l < count has an image within the support. Reference.
MNS_HD inline unsigned singleImagesScalar(const Feature& A, const Vec3f& x, const ImagePartner* partner, Index count, float V,
                                          const SmoothingKernel<float>& kernel, SingleImages& out,
                                          const CoefficientGrid& grid = {}) {
  unsigned mask = 0;
  for (Index l = 0; l < count; ++l) {
    const Feature& B = *partner[l].feature;
    const Vec3f xab = x - partner[l].x->xyz();
    const float rp2 = norm2(xab) + 4.f * A.d * B.d, weight = std::sqrt(A.w * B.w);
    if (!(dot(A.n, B.n) > 0.5f) || rp2 >= kernel.H * kernel.H || weight <= 0.f) continue;
    const float rp = std::sqrt(rp2), c = grid.nearest(weight * V * kernel.absF(rp)), K = 2.f * c * B.d, push = 2.f * c * A.d;
    const Vec3f t = xab * c, n = A.n * K, gb = xab * -c + B.n * push;  // gb: weight of u_b in div_a
    out.c[l] = c;
    out.W[l] = weight * kernel.W(rp);
    out.K[l] = K;
    out.push[l] = push;
    out.tx[l] = t.x;
    out.ty[l] = t.y;
    out.tz[l] = t.z;
    out.nx[l] = n.x;
    out.ny[l] = n.y;
    out.nz[l] = n.z;
    // |c x_ab - g_b|^2 = c^2 r^2 (already in) - 2 c x_ab . g_b + |g_b|^2
    out.c2r2[l] = norm2(gb) - 2.f * partner[l].c * dot(xab, gb);
    mask |= 1u << l;
  }
  return mask;
}

#if defined(__AVX2__) && !defined(__CUDACC__)
// As singleImagesScalar; `partner` has kLanes entries that can be read.
inline unsigned singleImages(const Feature& A, const Vec3f& x, const ImagePartner* partner, Index count, float V,
                             const SmoothingKernel<float>& kernel, SingleImages& out, const CoefficientGrid& grid = {}) {
  const auto all = [](float v) { return _mm256_set1_ps(v); };
  const auto mul = [](__m256 a, __m256 b) { return _mm256_mul_ps(a, b); };
  const auto add = [](__m256 a, __m256 b) { return _mm256_add_ps(a, b); };
  __m256 b[8];
  for (int l = 0; l < 8; ++l) b[l] = _mm256_loadu_ps(&partner[l].feature->n.x);
  transposeLanes(b);
  const __m256 bx = b[0], by = b[1], bz = b[2], bd = b[3], bw = b[4];
  // two particles a register, four registers: columns after the transpose within the halves
  __m256 r[4];
  for (int l = 0; l < 4; ++l)
    r[l] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_load_ps(&partner[l].x->x)), _mm_load_ps(&partner[l + 4].x->x), 1);
  const __m256 xy0 = _mm256_unpacklo_ps(r[0], r[1]), xy1 = _mm256_unpacklo_ps(r[2], r[3]), z0 = _mm256_unpackhi_ps(r[0], r[1]),
               z1 = _mm256_unpackhi_ps(r[2], r[3]);
  const __m256 dx = _mm256_sub_ps(all(x.x), _mm256_shuffle_ps(xy0, xy1, 0x44)),
               dy = _mm256_sub_ps(all(x.y), _mm256_shuffle_ps(xy0, xy1, 0xee)),
               dz = _mm256_sub_ps(all(x.z), _mm256_shuffle_ps(z0, z1, 0x44));
  const auto dot3 = [&](__m256 ax, __m256 ay, __m256 az, __m256 cx, __m256 cy, __m256 cz) {
    return add(add(mul(ax, cx), mul(ay, cy)), mul(az, cz));
  };
  const __m256 rp2 = add(dot3(dx, dy, dz, dx, dy, dz), mul(all(4.f * A.d), bd)), weight = _mm256_sqrt_ps(mul(all(A.w), bw));
  const __m256 alike = _mm256_cmp_ps(dot3(all(A.n.x), all(A.n.y), all(A.n.z), bx, by, bz), all(0.5f), _CMP_GT_OQ),
               far = _mm256_or_ps(_mm256_cmp_ps(rp2, all(kernel.H * kernel.H), _CMP_GE_OQ),
                                  _mm256_cmp_ps(weight, _mm256_setzero_ps(), _CMP_LE_OQ));
  const unsigned mask = unsigned(_mm256_movemask_ps(_mm256_andnot_ps(far, alike))) & ((1u << count) - 1u);
  if (!mask) return 0;
  const __m256 q = mul(_mm256_sqrt_ps(rp2), all(kernel.invH)), a = _mm256_sub_ps(all(1.f), q);
  const __m256 exact = mul(mul(weight, all(V)), mul(all(kernel.f0), kernel.shapeF(Float8(q), Float8(a)).v));
  const __m256 round = all(grid.round), c = _mm256_sub_ps(add(exact, round), round);
  const __m256 W = mul(weight, mul(all(kernel.w0), kernel.shapeW(Float8(q), Float8(a)).v));
  const __m256 c2 = mul(all(2.f), c), K = mul(c2, bd), push = mul(c2, all(A.d)), minus = _mm256_xor_ps(c, all(-0.f));
  const __m256 gx = add(mul(dx, minus), mul(bx, push)), gy = add(mul(dy, minus), mul(by, push)),
               gz = add(mul(dz, minus), mul(bz, push));
  alignas(32) float direct[kLanes];
  for (int l = 0; l < 8; ++l) direct[l] = partner[l].c;
  _mm256_store_ps(out.c, c);
  _mm256_store_ps(out.W, W);
  _mm256_store_ps(out.K, K);
  _mm256_store_ps(out.push, push);
  _mm256_store_ps(out.tx, mul(dx, c));
  _mm256_store_ps(out.ty, mul(dy, c));
  _mm256_store_ps(out.tz, mul(dz, c));
  _mm256_store_ps(out.nx, mul(all(A.n.x), K));
  _mm256_store_ps(out.ny, mul(all(A.n.y), K));
  _mm256_store_ps(out.nz, mul(all(A.n.z), K));
  _mm256_store_ps(out.c2r2, _mm256_sub_ps(dot3(gx, gy, gz, gx, gy, gz),
                                          mul(mul(all(2.f), _mm256_load_ps(direct)), dot3(dx, dy, dz, gx, gy, gz))));
  return mask;
}
#else
MNS_HD inline unsigned singleImages(const Feature& A, const Vec3f& x, const ImagePartner* partner, Index count, float V,
                                    const SmoothingKernel<float>& kernel, SingleImages& out, const CoefficientGrid& grid = {}) {
  return singleImagesScalar(A, x, partner, count, V, kernel, out, grid);
}
#endif

MNS_NS_END

// Images of particles with one feature each: eight lanes against one, and against the general sum over images.
#include "kernels/fluid/single_images.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "kernels/fluid/mirror_kernel.h"

namespace meniscus {
namespace {

struct Partners {
  std::mt19937 rng{5};
  std::vector<Feature> feature;
  std::vector<Vec4f> x;
  std::vector<ImagePartner> partner;

  float uniform(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(rng); }
  Vec3f vector(float lo, float hi) {
    const float a = uniform(lo, hi), b = uniform(lo, hi), c = uniform(lo, hi);
    return {a, b, c};
  }
  explicit Partners(int n) {
    for (int i = 0; i < n; ++i) {
      const Vec3f n0 = normalized(Vec3f{0, 0, 1} + vector(-0.9f, 0.9f));
      feature.push_back({n0, uniform(0.01f, 0.9f), i % 11 == 0 ? 0.f : uniform(0.2f, 1.f), 0.3f, 0.2f, i});
      x.push_back(Vec4f(vector(-0.8f, 0.8f), 0.f));
    }
    for (int i = 0; i < n; ++i) partner.push_back({&feature[std::size_t(i)], &x[std::size_t(i)], uniform(0.f, 3.f)});
  }
};

TEST(SingleImages, HaveTheBitsOfTheScalarOnesAndOfTheGeneralSum) {
  const SmoothingKernel<float> kernel = SmoothingKernel<float>::make(1.f);
  const float V = 0.1f;
  Partners p(800);
  int found = 0;
  for (int group = 0; group < 100; ++group) {
    const Index count = 1 + group % 8;
    const ImagePartner* partner = &p.partner[std::size_t(8 * group)];
    const Feature A{normalized(Vec3f{0, 0, 1} + p.vector(-0.4f, 0.4f)), p.uniform(0.01f, 0.6f), p.uniform(0.3f, 1.f), 0, 0, 0};
    const Vec3f x = p.vector(-0.3f, 0.3f);
    SingleImages lanes, scalar;
    const unsigned mask = singleImages(A, x, partner, count, V, kernel, lanes);
    ASSERT_EQ(mask, singleImagesScalar(A, x, partner, count, V, kernel, scalar));
    for (Index l = 0; l < count; ++l) {
      MirrorTerm term{};
      int terms = 0;
      forEachImage(&A, 1, partner[l].feature, 1, norm2(x - partner[l].x->xyz()), V, kernel, [&](const MirrorTerm& m) {
        term = m;
        ++terms;
      });
      ASSERT_EQ(terms, int(mask >> l & 1));
      if (!terms) continue;
      ++found;
      EXPECT_EQ(lanes.c[l], term.c);
      EXPECT_EQ(lanes.W[l], term.W);
      for (const auto field :
           {&SingleImages::c, &SingleImages::W, &SingleImages::K, &SingleImages::push, &SingleImages::tx, &SingleImages::ty,
            &SingleImages::tz, &SingleImages::nx, &SingleImages::ny, &SingleImages::nz, &SingleImages::c2r2})
        EXPECT_EQ((lanes.*field)[l], (scalar.*field)[l]);
    }
  }
  EXPECT_GT(found, 60);
  EXPECT_LT(found, 440);
}

// c2r2: with it, the square of what u_b is multiplied by in the divergence at a, written out.
TEST(SingleImages, SquareOfTheCoefficient) {
  const SmoothingKernel<float> kernel = SmoothingKernel<float>::make(1.f);
  Partners p(80);
  for (int group = 0; group < 10; ++group) {
    const ImagePartner* partner = &p.partner[std::size_t(8 * group)];
    const Feature A{normalized(Vec3f{0.1f, 0, 1}), 0.1f, 1.f, 0, 0, 0};
    SingleImages m;
    const unsigned mask = singleImages(A, {}, partner, 8, 0.1f, kernel, m);
    for (Index l = 0; l < kLanes; ++l) {
      if (!(mask >> l & 1)) continue;
      const Vec3f xab = -partner[l].x->xyz(), direct = xab * partner[l].c;
      const Vec3f whole = direct + xab * m.c[l] - partner[l].feature->n * (2.f * m.c[l] * A.d);
      EXPECT_NEAR(m.c2r2[l], norm2(whole) - norm2(direct), 1e-4f * (1.f + norm2(whole)));
    }
  }
}

}  // namespace
}  // namespace meniscus

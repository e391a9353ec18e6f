// Do sheets, or obstacles thinner than the support, stand between two particles?
#include "engine/particle/boundary_impl.h"
#include "engine/particle/sheets_near.h"
#include "kernels/contact/segment.h"

namespace meniscus {
namespace {

bool entersThinPrimitive(const Boundary::Impl& im, const Vec3f& x, const Vec3f& y) {
  for (const Primitive& p : im.primitives) {
    if (!p.thin) continue;
    const Mat3d toBody = p.start.rotation.transposed();
    const Vec3d from = toBody * (Vec3d(x) - p.start.origin);
    double inside;
    if (pathEnters(p, from, toBody * (Vec3d(y) - p.start.origin) - from, im.roundoff, inside)) return true;
  }
  return false;
}

}  // namespace

bool Boundary::separatedBySheet(Index a, Index b) const {
  const Impl& im = *impl_;
  const Vec3f x = positions_[a < b ? a : b].xyz(), y = positions_[a < b ? b : a].xyz();
  const Index cell = im.grid->indexOf(im.grid->cellOf(x));
  return im.crossesTriangle(im.triangles.start, im.moving(cell), x, y, true) ||
         im.crossesTriangle(im.triangles.start, im.still(cell), x, y, true) || entersThinPrimitive(im, x, y);
}

void SheetsNear::enterCell(const Boundary& boundary, Index cell, const Vec3f& lo, const Vec3f& hi) {
  boundary_ = &boundary;
  const Boundary::Impl& im = boundary.impl();
  const CandidateSpan spans[2] = {im.moving(cell), im.still(cell)};
  cell_.prepare(std::size_t(spans[0].n + spans[1].n));
  for (const CandidateSpan& s : spans)
    triangle_lanes::append(im.triangles.filter.data(), s.data, s.n, lo, hi, im.support, cell_.lanes());
}

void SheetsNear::enterParticle(Index a, const Vec3f& x) {
  a_ = a;
  particle_.prepare(std::size_t(cell_.lanes().n));
  triangle_lanes::appendSheets(cell_.lanes(), x, boundary_->impl().support, particle_.lanes());
}

bool SheetsNear::separated(Index b, const Vec3f& d, float length) const {
  const Boundary::Impl& im = boundary_->impl();
  const TriangleLanes& t = particle_.lanes();
  for (Index k = 0; k < t.n; k += kLanes) {
    const unsigned mask = triangle_lanes::meets(t, k, d, length, im.roundoff);
    if (mask && meetsAny(b, t.tri + k, mask)) return boundary_->mayBeSeparated(a_, b);
  }
  return im.anyThinPrimitive && boundary_->mayBeSeparated(a_, b) &&
         entersThinPrimitive(im, position(a_ < b ? a_ : b), position(a_ < b ? b : a_));
}

Vec3f SheetsNear::position(Index i) const { return boundary_->positions_[i].xyz(); }

// Both particles of a pair ask the same question: from the lower number to the higher.
bool SheetsNear::meetsAny(Index b, const Index* tri, unsigned mask) const {
  const Vec3f x = position(a_ < b ? a_ : b), y = position(a_ < b ? b : a_);
  for (; mask; mask &= mask - 1) {
    const PackedTriangle& t = boundary_->impl().triangles.start.tri[std::size_t(tri[__builtin_ctz(mask)])];
    if (segmentMeetsTriangle(t, x - t.a.xyz(), y - t.a.xyz())) return true;
  }
  return false;
}

}  // namespace meniscus

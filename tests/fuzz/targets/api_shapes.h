// Shapes and names as bytes choose them.
#pragma once

#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {

// Takes away what the shape's kind does not take, which would be refused at once.
inline void keepOwnFields(mnsShape& s) {
  const bool round = s.kind == MNS_SHAPE_CYLINDER || s.kind == MNS_SHAPE_CAPSULE;
  if (s.kind != MNS_SHAPE_BOX && s.kind != MNS_SHAPE_SHEET) s.size = {0, 0, 0};
  if (s.kind == MNS_SHAPE_SHEET) s.size.z = 0;
  if (s.kind != MNS_SHAPE_SPHERE && !round) s.radius = 0;
  if (!round) s.height = 0;
  if (s.kind == MNS_SHAPE_PLANE) {
    s.resolution = 0;
    s.container = false;
  }
  if (s.kind != MNS_SHAPE_MESH) s.open = false;
}

// For a body of this kind, and sometimes not fit for it.
inline mnsShape shapeOf(ApiSession& session, mnsBodyKind kind) {
  static float x[] = {-.03f, -.03f, -.03f, .03f, -.03f, -.03f, 0, .03f, -.03f, 0, 0, .03f};
  static std::int32_t t[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  Bytes& b = session.b;
  mnsShape s = mnsDefaultShape();
  s.kind = mnsShapeKind(kind == MNS_BODY_CLOTH && b.below(4) ? int(MNS_SHAPE_SHEET) : b.below(8));
  s.size = {b.number(0.02, 0.08), b.number(0.02, 0.08), b.number(0.02, 0.08)};
  s.radius = b.number(0.01, 0.04);
  s.height = b.number(0.01, 0.04);
  s.resolution = b.below(2) ? 0 : b.number(0.015, 0.04);
  if (s.resolution > 0 && s.resolution < 0.01) s.resolution = 0.01;
  s.container = b.byte() > 230;
  const std::uint8_t open = b.byte();
  s.open = open > 200;
  if (open < 250) keepOwnFields(s);
  if (s.kind != MNS_SHAPE_MESH) return s;
  s.vertices = x;
  s.vertexCount = b.seldom() ? b.byte() % 5 : 4;
  s.triangles = t;
  s.triangleCount = b.seldom() ? b.byte() % 5 : 4;
  s.scale = b.number(0.5, 1.5);
  return s;
}

// Mostly the library's own; seldom a text that is none.
inline const char* nameOf(ApiSession& s, const char* name) { return s.b.byte() < 200 ? nullptr : s.b.seldom() ? "\xc3(" : name; }

}  // namespace meniscus::fuzz

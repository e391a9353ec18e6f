// An edge of a mesh in the joint system of pressures and multipliers. Its multiplier is a vector X: the tension along the edge,
// with the compliance of the material, and across it the turning of that tension (geometric stiffness), with the compliance length
// over tension. Along and across stand for one and two rows with the gradients n and -n, t and -t; taken together their sum over
// the directions is the identity, so the edge acts on its nodes with X and -X and sees the difference of their velocities, whatever
// n is. Only compliance and preconditioner tell the directions apart.
#pragma once

#include "kernels/core/vec4.h"

MNS_NS_BEGIN

struct alignas(64) EdgeRow {
  enum Part { along, across, parts };
  Vec4f n;                  // unit, from node b to node a; w: 0
  float on[parts];          // 1 where the row acts, 0 where X has no such part
  float compliance[parts];  // s^2 alpha~ V
  float diag[parts];        // of A
  float inverse[parts];     // of the preconditioner's diagonal; 0 where the row does not act
  float inNodes[parts];     // the same where the preconditioner solves for the nodes, else 0
  Index a, b;

  // f[along] of v's part along the edge and f[across] of the rest
  MNS_HD Vec4f scaled(Vec4f v, const float (&f)[parts]) const {
    return (v * f[across]).addScaled(n, (v * n).sum() * (f[along] - f[across]));
  }
};

MNS_NS_END

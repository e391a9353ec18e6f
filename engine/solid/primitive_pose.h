// A rigid body's primitive in the world.
#pragma once

#include "engine/solid/rigid.h"
#include "kernels/contact/primitives.h"

namespace meniscus {

struct PrimitivePose {
  PrimitiveShape<double> shape;
  Quatd turn;  // from the shape's frame to the world, about the body's x
};

PrimitiveShape<double> primitiveOf(const ShapeDef& shape);
// From the shape's frame to the body's: planes have theirs along z.
Quatd frameOf(const ShapeDef& shape);

// Of a body without a mesh.
inline PrimitivePose primitivePose(const RigidBody& b) {
  const ShapeDef shape = scaledShape(b.shape, b.scale, b.name);
  return {primitiveOf(shape), b.q * frameOf(shape)};
}

}  // namespace meniscus

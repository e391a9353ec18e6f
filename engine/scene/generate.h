// Triangle meshes of primitive shapes, in their local frames; closed ones wound outwards. edge: length aimed at [m].
#pragma once

#include "engine/scene/mesh.h"
#include "engine/scene/scene.h"

namespace meniscus {

SurfaceMesh makeSheet(double sizeX, double sizeY, double edge);  // xy plane, normal +z, alternating diagonals
SurfaceMesh makeBox(const Vec3d& size, double edge);
SurfaceMesh makeSphere(double radius, double edge);  // geodesic: the icosahedron's faces divided and projected
// Without the cap that a plane across local z cuts off below, where its section has the radius `mouth`; rings about z.
SurfaceMesh makeOpenSphere(double radius, double mouth, double edge);
SurfaceMesh makeCylinder(double radius, double height, double edge);
SurfaceMesh makeCapsule(double radius, double height, double edge);

// Mesh of a primitive shape other than a plane.
SurfaceMesh makeSurface(const ShapeDef& shape, double edge);

// x -> rotate(x * scale) + translate
void place(std::vector<Vec3d>& x, const Transform& t);

double enclosedVolume(const SurfaceMesh& m);  // m^3, positive where wound outwards

}  // namespace meniscus

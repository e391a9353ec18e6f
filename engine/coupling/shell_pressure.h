// Forces of the fluid's pressure on the nodes of a shell: what a partitioned method without impulses exchanges.
//
// A node takes the mean of the pressure jumps at the faces around it, weighted by their distance and by the angle of their axis to
// the node's normal, times its area. The sum over the nodes is not the sum over the faces: momentum is not conserved, and a tilted
// shell loses a part of its force. Impulses do neither (SmokeFluidBox).
//
// Based on: Akbay et al. 2018, section 4.5; the kernel 1 - r / (2 dx) and the normals and areas of nodes are choices of this file.
#pragma once

#include "engine/grid/smoke/shell_faces.h"

namespace meniscus::coupling {

// Outward normals of the nodes times their areas, D a node [m^(D-1)]: a D-th of each element's. In the plane the normal is right of
// the way from the first node of an edge to the second.
template <int D>
std::vector<double> nodeAreas(const ShellMesh<D>& mesh, const std::vector<double>& x);

// jump: p_L - p_R at each of the faces [Pa, or Pa s for impulses]. Returns D a node [N, N s].
template <int D>
std::vector<double> shellPressureLoad(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                      const ShellFaces<D>& faces, const std::vector<double>& jump);

}  // namespace meniscus::coupling

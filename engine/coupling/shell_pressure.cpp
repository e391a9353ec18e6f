#include "engine/coupling/shell_pressure.h"

#include <Eigen/Dense>

namespace meniscus::coupling {
namespace {

constexpr double kReach = 2;  // [dx] of the kernel

template <int D>
using Coordinates = Eigen::Matrix<double, D, 1>;

template <int D>
Coordinates<D> at(const std::vector<double>& x, Index node) {
  return Eigen::Map<const Coordinates<D>>(x.data() + std::size_t(node) * D);
}

// The element's normal times its area.
template <int D>
Coordinates<D> areaOf(const std::array<Index, D>& e, const std::vector<double>& x) {
  const Coordinates<D> edge = at<D>(x, e[1]) - at<D>(x, e[0]);
  if constexpr (D == 2)
    return {edge[1], -edge[0]};
  else
    return 0.5 * edge.cross(at<D>(x, e[2]) - at<D>(x, e[0]));
}

// sum over the faces near x of K (n_f . n) jump, and of K
template <int D>
void gather(const MacGrid<D>& g, const ShellFaces<D>& faces, const std::vector<double>& jump, const Coordinates<D>& x,
            const Coordinates<D>& normal, double& force, double& weights) {
  for (int axis = 0; axis < D; ++axis) {
    Cell<D> lower, upper;
    for (std::size_t a = 0; a < D; ++a) {
      const double index = (x[Eigen::Index(a)] - g.origin[a]) / g.dx - (int(a) == axis ? 0 : 0.5), last = g.faceExtent(axis)[a] - 1;
      if (!(index > -kReach) || !(index < last + kReach)) return;
      lower[a] = Index(std::clamp(std::ceil(index - kReach), 0.0, last));
      upper[a] = Index(std::clamp(std::floor(index + kReach), 0.0, last));
    }
    for (Cell<D> c = lower;;) {
      const Index r = faces.row[axis][std::size_t(g.face(axis, c))];
      if (r >= 0) {
        const Point<D> centre = g.faceCentre(axis, c);
        const double distance = (Eigen::Map<const Coordinates<D>>(centre.data()) - x).norm(), k = 1 - distance / (kReach * g.dx);
        if (k > 0) {
          force += k * normal[axis] * jump[std::size_t(r)];
          weights += k;
        }
      }
      std::size_t a = 0;
      for (; a < D && c[a] == upper[a]; ++a) c[a] = lower[a];
      if (a == D) break;
      ++c[a];
    }
  }
}

}  // namespace

template <int D>
std::vector<double> nodeAreas(const ShellMesh<D>& mesh, const std::vector<double>& x) {
  std::vector<double> area(std::size_t(mesh.nodes) * D, 0);
  for (const std::array<Index, D>& e : mesh.elements) {
    const Coordinates<D> a = areaOf<D>(e, x) / D;
    for (const Index i : e) Eigen::Map<Coordinates<D>>(area.data() + std::size_t(i) * D) += a;
  }
  return area;
}

template <int D>
std::vector<double> shellPressureLoad(const MacGrid<D>& grid, const ShellMesh<D>& mesh, const std::vector<double>& x,
                                      const ShellFaces<D>& faces, const std::vector<double>& jump) {
  const std::vector<double> area = nodeAreas(mesh, x);
  std::vector<double> load(area.size(), 0);
  for (Index i = 0; i < mesh.nodes; ++i) {
    const Coordinates<D> a = at<D>(area, i);
    const double size = a.norm();
    if (!(size > 0)) continue;
    double force = 0, weights = 0;
    gather<D>(grid, faces, jump, at<D>(x, i), a / size, force, weights);
    // f_i = sum_f w_if dp_f (n_f . n_i) A_i, along n_i
    if (weights > 0) Eigen::Map<Coordinates<D>>(load.data() + std::size_t(i) * D) = force / weights * a;
  }
  return load;
}

template std::vector<double> nodeAreas<2>(const ShellMesh<2>&, const std::vector<double>&);
template std::vector<double> nodeAreas<3>(const ShellMesh<3>&, const std::vector<double>&);
template std::vector<double> shellPressureLoad<2>(const MacGrid<2>&, const ShellMesh<2>&, const std::vector<double>&,
                                                  const ShellFaces<2>&, const std::vector<double>&);
template std::vector<double> shellPressureLoad<3>(const MacGrid<3>&, const ShellMesh<3>&, const std::vector<double>&,
                                                  const ShellFaces<3>&, const std::vector<double>&);

}  // namespace meniscus::coupling

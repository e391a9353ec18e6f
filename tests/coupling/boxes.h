// Small fluids and solids whose coupled answer is known.
#pragma once

#include <Eigen/Dense>
#include <functional>
#include <utility>
#include <vector>

#include "engine/coupling/coupling.h"

namespace meniscus::testing {

using coupling::FluidBox;
using coupling::Load;
using coupling::LoadKind;
using coupling::Motion;
using coupling::SolidBox;
using Eigen::MatrixXd;
using Eigen::VectorXd;

inline std::vector<double> doubles(const VectorXd& v) { return {v.data(), v.data() + v.size()}; }
inline VectorXd vectorOf(const std::vector<double>& v) {
  return Eigen::Map<const VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
}

// Entries in [-1, 1] of a fixed sequence, the same on every machine.
inline MatrixXd scattered(int rows, int columns, unsigned seed) {
  MatrixXd m(rows, columns);
  unsigned long long s = seed * 2654435761ULL + 1;
  for (int j = 0; j < columns; ++j)
    for (int i = 0; i < rows; ++i) {
      s = s * 6364136223846793005ULL + 1442695040888963407ULL;
      m(i, j) = static_cast<double>(s >> 11) / static_cast<double>(1ULL << 52) - 1;
    }
  return m;
}

// load = f(x) without a state; counts its solves and keeps what it was asked.
struct FunctionFluid : FluidBox {
  explicit FunctionFluid(std::function<VectorXd(const VectorXd&)> function) : f(std::move(function)) {}
  void save() override {}
  void restore() override {}
  void setBoundary(const Motion&) override {}
  LoadKind loadKind() const override { return kind; }
  Load solve(const Motion& end, double) override {
    asked.push_back(vectorOf(end.position));
    return {kind, doubles(f(asked.back()))};
  }
  std::function<VectorXd(const VectorXd&)> f;
  std::vector<VectorXd> asked;
  LoadKind kind = LoadKind::force;
};

// x = s(load) without a state, from rest at `start`.
struct FunctionSolid : SolidBox {
  FunctionSolid(VectorXd x0, std::function<VectorXd(const VectorXd&)> function) : start(std::move(x0)), s(std::move(function)) {}
  void save() override {}
  void restore() override {}
  LoadKind loadKind() const override { return kind; }
  Motion motion() const override { return {doubles(start), std::vector<double>(static_cast<size_t>(start.size()), 0.0)}; }
  Motion solve(const Load& load, double) override {
    asked.push_back(vectorOf(load.value));
    const VectorXd x = s(asked.back());
    return {doubles(x), doubles(VectorXd::Zero(x.size()))};
  }
  VectorXd start;
  std::function<VectorXd(const VectorXd&)> s;
  std::vector<VectorXd> asked;
  LoadKind kind = LoadKind::force;
};

// Columns of fluid of mass m_f [kg], one before each piston, that move with it. The impulse on a piston is what its column loses.
struct ColumnFluid : FluidBox {
  explicit ColumnFluid(VectorXd columnMass) : mass(std::move(columnMass)), v(VectorXd::Zero(mass.size())), savedV(v) {}
  void save() override { savedV = v; }
  void restore() override { v = savedV; }
  void setBoundary(const Motion&) override {}
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Load solve(const Motion& end, double) override {
    const VectorXd after = vectorOf(end.velocity);
    const VectorXd impulse = -(mass.array() * (after - v).array()).matrix();
    v = after;
    return {LoadKind::impulse, doubles(impulse)};
  }
  VectorXd mass, v, savedV;
};

// Pistons of mass m [kg] under constant forces [N], each by itself: v = v^n + (J + f dt) / m, x = x^n + dt v.
struct PistonSolid : SolidBox {
  PistonSolid(VectorXd pistonMass, VectorXd constantForce)
      : mass(std::move(pistonMass)), force(std::move(constantForce)), x(VectorXd::Zero(mass.size())), v(x), savedX(x), savedV(x) {}
  void save() override {
    savedX = x;
    savedV = v;
  }
  void restore() override {
    x = savedX;
    v = savedV;
  }
  LoadKind loadKind() const override { return LoadKind::impulse; }
  Motion motion() const override { return {doubles(x), doubles(v)}; }
  Motion solve(const Load& load, double dt) override {
    v += ((vectorOf(load.value) + force * dt).array() / mass.array()).matrix();
    x += dt * v;
    ++solves;
    return motion();
  }
  VectorXd mass, force, x, v, savedX, savedV;
  int solves = 0;
};

}  // namespace meniscus::testing

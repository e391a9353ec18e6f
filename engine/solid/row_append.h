// The parts of the list of rows of the joint solve.
#pragma once

#include "engine/solid/solid.h"

namespace meniscus {

// Elements with an energy: element_rows.cpp.

// Constraints that enter through the rows of an element, and among them those that stand for one.
bool hasModes(const Constraint& c);
bool isElement(const Constraint& c);
// The hydrostatic part of each deviatoric constraint: the two share their rest data.
void findPartners(const SolidState& s, std::vector<Index>& partner);
void addElements(Exec& exec, const SolidState& s, double dt, RowList& out);
// Multipliers of the element's constraints that come closest to its stress in the solve, at s.x.
void storeElement(SolidState& s, const RowList& rows, const ElasticElement& e, double dt, const double* lambda);

}  // namespace meniscus

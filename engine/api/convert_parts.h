// Parts of definitions of the C interface that several of them share, and the words in which they are refused.
#pragma once

#include <set>

#include "engine/api/call.h"
#include "engine/scene/table.h"

namespace meniscus::api {

MaterialDef toMaterial(const mnsMaterial& material);
PinDef toPin(const mnsPin& pin, int number);
// Throws where a field is set that the shape's kind does not take: as a rule the kind was forgotten, and a box is the default.
void needOwnFields(const mnsShape& shape);

// Names of all keys of a table of the scene format, and of the objects in it.
void addKeys(std::set<std::string>& keys, const ObjectSchema& schema);
// A sentence about these keys, in the names that their fields have in C: "max_substeps" is maxSubsteps there.
std::string inFieldNames(const std::string& text, const std::set<std::string>& keys);

}  // namespace meniscus::api

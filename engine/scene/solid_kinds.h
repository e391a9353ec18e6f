// What kinds of solids have in common.
#pragma once

#include "engine/scene/scene.h"

namespace meniscus {

inline bool isShell(const SolidDef& s) { return s.kind == SolidKind::cloth || s.kind == SolidKind::inflatable; }
inline bool deforms(const SolidDef& s) { return isShell(s) || s.kind == SolidKind::soft; }

}  // namespace meniscus

// Definitions as they come from the caller: recognised by their cookie, filled up to today's size with the defaults, so that a
// caller compiled with an older header goes on working.
#pragma once

#include <algorithm>
#include <cstring>

#include "engine/api/call.h"
#include "meniscus/meniscus_gl.h"

namespace meniscus::api {

constexpr std::uint32_t kCookie = 0x534e4d01;
constexpr std::uint32_t kLargestStruct = 1 << 16;  // bytes; more than any version will have

inline void initDef(mnsContextDef& d) { mnsInitContextDef(&d, sizeof d); }
inline void initDef(mnsSceneDef& d) { mnsInitSceneDef(&d, sizeof d); }
inline void initDef(mnsShape& d) { mnsInitShape(&d, sizeof d); }
inline void initDef(mnsMaterial& d) { mnsInitMaterial(&d, sizeof d); }
inline void initDef(mnsFluidDef& d) { mnsInitFluidDef(&d, sizeof d); }
inline void initDef(mnsEmitterDef& d) { mnsInitEmitterDef(&d, sizeof d); }
inline void initDef(mnsDrainDef& d) { mnsInitDrainDef(&d, sizeof d); }
inline void initDef(mnsBodyDef& d) { mnsInitBodyDef(&d, sizeof d); }
inline void initDef(mnsGlBufferDef& d) { mnsInitGlBufferDef(&d, sizeof d); }

// name: the type's, for the sentence.
template <class Def>
Def checked(const Def* given, const char* name) {
  needPointer(given, name);
  Def def;
  initDef(def);
  std::uint32_t head[2];
  std::memcpy(head, given, sizeof head);
  // no version's struct ends within a pointer, half of which would lead nowhere
  if (head[1] != kCookie || head[0] < sizeof head || head[0] > kLargestStruct || head[0] % alignof(Def) != 0)
    fail(MNS_ERROR_INVALID_DEFINITION, "this {} was not made by mnsDefault{}()", name, name + 3);
  std::memcpy(static_cast<void*>(&def), given, std::min(std::size_t(head[0]), sizeof def));
  def.structSize = sizeof def;
  return def;
}

// Of a struct of the caller's that begins with its structSize, what it has.
template <class In>
void takeIn(In& full, const In* given, const char* name) {
  needPointer(given, name);
  std::uint32_t size;
  std::memcpy(&size, given, sizeof size);
  if (size < sizeof size || size > kLargestStruct)
    fail(MNS_ERROR_INVALID_ARGUMENT, "structSize of the {} is {}; set it to sizeof({})", name, size, name);
  std::memcpy(static_cast<void*>(&full), given, std::min(std::size_t(size), sizeof full));
}

// Writes `full` into a struct of the caller's that begins with its structSize.
template <class Out>
void giveOut(Out* to, Out full, const char* name) {
  needPointer(to, name);
  std::uint32_t size;
  std::memcpy(&size, to, sizeof size);
  if (size < sizeof size || size > kLargestStruct)
    fail(MNS_ERROR_INVALID_ARGUMENT, "structSize of the {} is {}; set it to sizeof({})", name, size, name);
  full.structSize = size;
  std::memcpy(static_cast<void*>(to), &full, std::min(std::size_t(size), sizeof full));
}

}  // namespace meniscus::api

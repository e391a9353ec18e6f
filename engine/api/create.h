// What creating any object shares.
#pragma once

#include "engine/api/objects.h"
#include "engine/scene/diagnostic.h"

namespace meniscus::api {

// The name given, or one that is made ("body 3"); free among those of the list. made: how many names were made before; count with
// noteName() once the object is there. Throws Failure(INVALID_ARGUMENT).
template <class List>
std::string nameFor(const char* given, const char* kind, int made, const List& list) {
  const auto taken = [&](const std::string& name) {
    for (const auto& other : list)
      if (other.name == name) return true;
    return false;
  };
  needUtf8(given, "the name");
  if (given && *given) {
    if (taken(given)) fail(MNS_ERROR_INVALID_ARGUMENT, "there is a {} of the name \"{}\" already", kind, given);
    return given;
  }
  std::string name;
  do name = fmt::format("{} {}", kind, ++made);
  while (taken(name));
  return name;
}

// scene.cpp: that there are emitters, and room for the particles of the start only; "" where that is not so.
std::string noRoomNote(const mnsScene& scene, const World& world);

inline void noteName(mnsScene& s, const char* given) noexcept {
  if (!given || !*given) ++s.namesMade;
}

// Throws Failure(NOT_FOUND), with the nearest name there is.
template <class Id, class List>
Id findByName(const IdTable& table, const List& list, const char* name, std::uint16_t scene, const char* kind) {
  std::vector<std::string> names;
  for (std::size_t k = 0; k < list.size(); ++k) {
    if (list[k].name == name) return table.idOfOrder<Id>(std::int32_t(k), scene);
    names.push_back(list[k].name);
  }
  const std::string near = nearestSpelling(name, names);
  fail(MNS_ERROR_NOT_FOUND, "there is no {} \"{}\"{}", kind, name, near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
}

}  // namespace meniscus::api

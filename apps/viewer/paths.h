// Where the program keeps and finds things.
#pragma once

#include <string>
#include <vector>

namespace meniscus::viewer {

std::string stateFolder();  // settings: $XDG_STATE_HOME/meniscus or ~/.local/state/meniscus
std::string cacheFolder();  // thumbnails: $XDG_CACHE_HOME/meniscus or ~/.cache/meniscus
std::string homeFolder();
std::string scenesFolder();  // the scenes that come along; "" where they are not found
std::string fontFile();      // "" where none of those known is installed

// folder/stem-0001.ext, with the first number that is free.
std::string freeName(const std::string& folder, const std::string& stem, const std::string& extension);

std::string absolutePath(const std::string& path);

}  // namespace meniscus::viewer

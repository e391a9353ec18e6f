// What the public headers declare, read from their text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

struct Header {
  std::set<std::string> functions;                                        // exported ones
  std::vector<std::pair<std::string, std::vector<std::string>>> structs;  // name, names of fields in order
  std::vector<std::string> constants;                                     // enumerators
  std::set<std::string> growing;  // structs that may get fields at their end: the caller says their size
};

Header parseHeader(const std::string& text);
Header readHeaders();  // all of engine/include/meniscus

// A C program that prints "struct NAME SIZE", "field NAME.FIELD OFFSET SIZE" and "constant NAME VALUE", a line each.
std::string layoutProgram(const Header& header);

// What programs compiled against the layout `before` would get wrong with the layout `now`, a line each.
std::vector<std::string> layoutBreaks(const std::string& before, const std::string& now, const std::set<std::string>& growing);

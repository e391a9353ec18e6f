#include "engine/output/series_index.h"

#include <fmt/format.h>

#include <cstdlib>

namespace meniscus {

std::string frameName(const std::string& kind, std::uint64_t number, const char* ending) {
  return fmt::format("frames/{}-{:05d}.{}", kind, number, ending);
}

std::string SeriesIndex::text() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  <Collection>\n";
  for (const Entry& e : entries) text += fmt::format("    <DataSet timestep=\"{:.9g}\" part=\"0\" file=\"{}\"/>\n", e.time, e.file);
  return text + "  </Collection>\n</VTKFile>\n";
}

// The text is whole if its entries make the same one.
bool SeriesIndex::parse(const std::string& whole) {
  const std::string before = "<DataSet timestep=\"", between = "file=\"";
  for (std::size_t at = whole.find(before); at != std::string::npos; at = whole.find(before, at)) {
    at += before.size();
    const double time = std::strtod(whole.c_str() + at, nullptr);
    const std::size_t file = whole.find(between, at);
    if (file == std::string::npos) break;
    const std::size_t begin = file + between.size(), end = whole.find('"', begin);
    if (end == std::string::npos) break;
    entries.push_back({time, whole.substr(begin, end - begin)});
  }
  return text() == whole;
}

}  // namespace meniscus

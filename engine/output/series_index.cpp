#include "engine/output/series_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/vtk.h"

namespace meniscus {
namespace {

namespace fs = std::filesystem;

void rebuild(SeriesIndex& index, const std::string& folder, std::uint64_t count) {
  index.entries.clear();
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::string file = frameName(index.kind, k, index.format), path = folder + "/" + file;
    if (!fs::exists(path)) continue;
    const std::optional<double> time = vtkTime(path);
    if (!time)
      throw Error(ErrorKind::input, fmt::format("{}: is damaged or gone and cannot be made anew, for {} does not say its time; "
                                                "remove that frame or choose another --out",
                                                index.path(folder), path));
    index.entries.push_back({*time, file});
  }
}

// The number in KIND-00012.ENDING; none of another name.
std::optional<std::uint64_t> numberOf(const std::string& name) {
  const std::size_t dash = name.find('-'), dot = name.find('.');
  if (dash == std::string::npos || dot == std::string::npos || dot < dash + 6 || dot > dash + 19) return {};
  const std::string kind = name.substr(0, dash), digits = name.substr(dash + 1, dot - dash - 1), ending = name.substr(dot + 1);
  if (std::find(kFrameKinds.begin(), kFrameKinds.end(), kind) == kFrameKinds.end() ||
      std::find(kFrameEndings.begin(), kFrameEndings.end(), ending) == kFrameEndings.end() ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return {};
  return std::strtoull(digits.c_str(), nullptr, 10);
}

void dropFromIndex(FrameKind kind, const std::string& folder, std::uint64_t from) {
  SeriesIndex index{kind, {}};
  const std::string path = index.path(folder);
  if (!fs::is_regular_file(path) || !index.parse(readWholeFile(path))) return;  // a damaged one is made anew by whoever needs it
  const std::size_t before = index.entries.size();
  const auto gone = [&](const SeriesIndex::Entry& e) { return numberOf(fs::path(e.file).filename().string()).value_or(0) >= from; };
  index.entries.erase(std::remove_if(index.entries.begin(), index.entries.end(), gone), index.entries.end());
  if (index.entries.size() == before) return;
  if (index.entries.empty()) {
    fs::remove(path);
  } else {
    writeWholeFile(path, index.text());
  }
}

}  // namespace

std::string frameName(FrameKind kind, std::uint64_t number, FrameFormat format) {
  return fmt::format("frames/{}-{:05d}.{}", kFrameKinds[std::size_t(kind)], number, kFrameEndings[std::size_t(format)]);
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

void addToIndex(SeriesIndex& index, const std::string& folder, double time, const std::string& file) {
  index.entries.push_back({time, file});
  writeWholeFile(index.path(folder), index.text());
}

// Times in an index have nine digits: those of the frame at `from` may be rounded up.
void loadIndex(SeriesIndex& index, const std::string& folder, double from, std::uint64_t count, std::vector<std::string>* notes) {
  const std::string path = index.path(folder);
  const bool there = fs::exists(path);
  if (!there || !index.parse(readWholeFile(path))) {
    rebuild(index, folder, count);
    if (there || !index.entries.empty()) {
      writeWholeFile(path, index.text());
      if (notes)
        notes->push_back(fmt::format("{}: was {} and has been made anew from the {} frames there are", path,
                                     there ? "damaged" : "gone", index.entries.size()));
    }
  }
  const auto late = [from](const SeriesIndex::Entry& e) { return e.time > from * (1 + 1e-8) + 1e-9; };
  index.entries.erase(std::remove_if(index.entries.begin(), index.entries.end(), late), index.entries.end());
}

// The indices first: they name whole files only, whatever happens meanwhile.
std::size_t removeFrames(const std::string& folder, std::uint64_t from) {
  std::vector<fs::path> old;
  std::error_code error;
  for (fs::directory_iterator it(folder + "/frames", error), end; !error && it != end; it.increment(error)) {
    const std::optional<std::uint64_t> number = numberOf(it->path().filename().string());
    if (number && *number >= from && it->is_regular_file()) old.push_back(it->path());
  }
  for (std::size_t k = 0; k < kFrameKinds.size(); ++k) dropFromIndex(FrameKind(k), folder, from);
  for (const fs::path& path : old)
    if (!fs::remove(path, error) && error)
      throw Error(ErrorKind::input, fmt::format("{}: is of an earlier run and cannot be removed: {}; choose another --out",
                                                path.string(), error.message()));
  return old.size();
}

}  // namespace meniscus

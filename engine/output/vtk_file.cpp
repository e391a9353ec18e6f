#include "engine/output/vtk_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/output/vtk.h"

namespace meniscus {
namespace {

constexpr std::size_t kChecksumLine = 35;  // characters: <!-- checksum 0123456789abcdef -->

// What stands in quotes after NAME= in an XML tag.
std::optional<std::string> attribute(const std::string& tag, const std::string& name) {
  const std::string before = " " + name + "=\"";
  const std::size_t at = tag.find(before);
  if (at == std::string::npos) return {};
  const std::size_t begin = at + before.size(), end = tag.find('"', begin);
  if (end == std::string::npos) return {};
  return tag.substr(begin, end - begin);
}

// A whole number that is small enough to be counted with; none where the text is anything else.
std::optional<std::size_t> number(const std::optional<std::string>& text) {
  if (!text || text->empty() || text->size() > 15) return {};
  if (text->find_first_not_of("0123456789") != std::string::npos) return {};
  return std::size_t(std::strtoull(text->c_str(), nullptr, 10));
}

// Cells of the extent "0 NX 0 NY 0 NZ", along each axis; 0 where it is no such text.
std::size_t cellsOf(const std::string& extent, int (&along)[3]) {
  std::size_t cells = 1;
  const char* at = extent.c_str();
  for (int axis = 0; axis < 3; ++axis) {
    char* stop = nullptr;
    const long long first = std::strtoll(at, &stop, 10), last = std::strtoll(stop, &stop, 10);
    if (first != 0 || last < 1 || last > 1000000) return 0;
    along[axis] = int(last);
    cells *= std::size_t(last);
    at = stop;
  }
  return *at == 0 ? cells : 0;
}

template <class T>
constexpr const char* typeName() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "UInt32";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

}  // namespace

void VtkFile::damaged(const std::string& how) const {
  throw Error(
      ErrorKind::input,
      fmt::format("{}: is damaged, or is no frame of a run: {}; run the scene again, or from a checkpoint before it", path_, how));
}

VtkFile::VtkFile(const std::string& path) : VtkFile(path, readWholeFile(path)) {}

VtkFile::VtkFile(const std::string& path, std::string bytes) : path_(path), bytes_(std::move(bytes)) {
  const std::string begin = "  <AppendedData encoding=\"raw\">\n_", end = "\n  </AppendedData>\n</VTKFile>\n";
  const std::size_t at = bytes_.find(begin);
  if (bytes_.rfind("<?xml", 0) != 0 || at == std::string::npos) damaged("it does not begin as one");
  data_ = at + begin.size();
  const std::string last = bytes_.size() < kChecksumLine ? "" : bytes_.substr(bytes_.size() - kChecksumLine);
  bytes_.resize(bytes_.size() - last.size());
  if (bytes_.size() < data_ + end.size() || bytes_.compare(bytes_.size() - end.size(), end.size(), end) != 0)
    damaged("its end is missing");
  if (last != vtkChecksum(bytes_)) damaged("its checksum is of other data");
  end_ = bytes_.size() - end.size();
  readHead(bytes_.substr(0, at));
}

// Cubic cells.
void VtkFile::readImage(const std::string& tag) {
  double v[6];
  int k = 0;
  for (const char* name : {"Origin", "Spacing"}) {
    const std::string text = attribute(tag, name).value_or("");
    const char* at = text.c_str();
    for (int axis = 0; axis < 3; ++axis, ++k) {
      char* stop = nullptr;
      v[k] = std::strtod(at, &stop);
      if (stop == at || !std::isfinite(v[k])) damaged("it does not say where its cells are");
      at = stop;
    }
  }
  if (!(v[3] > 0) || v[4] != v[3] || v[5] != v[3]) damaged("its cells are no cubes");
  for (int axis = 0; axis < 3; ++axis) image_.origin[axis] = v[axis];
  image_.spacing = v[3];
}

// Tag by tag: pieces say how many points and triangles there are, arrays where they lie.
void VtkFile::readHead(const std::string& head) {
  bool piece = false;
  for (std::size_t at = head.find('<'); at != std::string::npos; at = head.find('<', at + 1)) {
    const std::size_t close = head.find('>', at);
    if (close == std::string::npos) damaged("a tag is not closed");
    const std::string tag = head.substr(at, close - at);
    if (const auto extent = attribute(tag, "Extent"); extent && tag.rfind("<Piece ", 0) == 0) {
      cells_ = cellsOf(*extent, image_.cells);
      if (cells_ == 0) damaged("its extent is none of a grid");
      piece = true;
    } else if (tag.rfind("<Piece ", 0) == 0) {
      const auto points = number(attribute(tag, "NumberOfPoints"));
      if (!points) damaged("it does not say how many points there are");
      points_ = *points;
      polys_ = number(attribute(tag, "NumberOfPolys")).value_or(0);
      lines_ = number(attribute(tag, "NumberOfLines")).value_or(0);
      piece = true;
    }
    if (tag.rfind("<ImageData ", 0) == 0) readImage(tag);
    if (tag.rfind("<DataArray ", 0) != 0) continue;
    Array a;
    a.name = attribute(tag, "Name").value_or("");
    a.type = attribute(tag, "type").value_or("");
    a.components = number(attribute(tag, "NumberOfComponents")).value_or(1);
    a.offset = number(attribute(tag, "offset")).value_or(std::numeric_limits<std::size_t>::max());
    if (const std::size_t next = head.find('<', close); next != std::string::npos)
      a.text = head.substr(close + 1, next - close - 1);
    arrays_.push_back(std::move(a));
  }
  const Array* time = find("TimeValue");
  char* stop = nullptr;
  if (time) time_ = std::strtod(time->text.c_str(), &stop);
  if (!time || stop == time->text.c_str() || !std::isfinite(time_)) damaged("it does not say its time");
  if (!piece) damaged("there is no piece in it");
}

const VtkFile::Array* VtkFile::find(const std::string& name) const {
  const auto a = std::find_if(arrays_.begin(), arrays_.end(), [&](const Array& x) { return x.name == name; });
  return a == arrays_.end() ? nullptr : &*a;
}

const char* VtkFile::dataOf(const std::string& name, const char* type, std::size_t size, int components, std::size_t count) const {
  const Array* a = find(name);
  if (!a) damaged(fmt::format("it has no \"{}\"", name));
  if (a->type != type || a->components != std::size_t(components))
    damaged(fmt::format("\"{}\" is not of {} components of {}", name, components, type));
  const std::size_t room = end_ - data_;
  std::uint64_t bytes = 0;
  if (a->offset > room || room - a->offset < sizeof bytes) damaged(fmt::format("\"{}\" lies outside of it", name));
  std::memcpy(&bytes, bytes_.data() + data_ + a->offset, sizeof bytes);
  if (bytes > room - a->offset - sizeof bytes) damaged(fmt::format("\"{}\" lies outside of it", name));
  if (bytes / size / std::size_t(components) != count || bytes % (size * std::size_t(components)) != 0)
    damaged(fmt::format("\"{}\" is not of {} items", name, count));
  return bytes_.data() + data_ + a->offset + sizeof bytes;
}

template <class T>
std::vector<T> VtkFile::array(const std::string& name, int components, std::size_t count) const {
  const char* from = dataOf(name, typeName<T>(), sizeof(T), components, count);
  std::vector<T> values(std::size_t(components) * count);
  if (!values.empty()) std::memcpy(values.data(), from, values.size() * sizeof(T));
  if constexpr (std::is_same_v<T, float>)
    for (const float v : values)
      if (!std::isfinite(v)) damaged(fmt::format("a number of \"{}\" is not finite", name));
  return values;
}

template std::vector<float> VtkFile::array(const std::string&, int, std::size_t) const;
template std::vector<std::int32_t> VtkFile::array(const std::string&, int, std::size_t) const;
template std::vector<std::uint32_t> VtkFile::array(const std::string&, int, std::size_t) const;
template std::vector<std::uint8_t> VtkFile::array(const std::string&, int, std::size_t) const;

std::vector<std::string> VtkFile::names(const std::string& name) const {
  const Array* a = find(name);
  if (!a || a->type != "String") damaged(fmt::format("it has no \"{}\"", name));
  std::vector<std::string> list;
  std::string word;
  const char* at = a->text.c_str();
  for (char* stop = nullptr;; at = stop) {
    const long code = std::strtol(at, &stop, 10);
    if (stop == at) break;
    if (code < 0 || code > 255) damaged(fmt::format("\"{}\" is no text", name));
    if (code != 0) {
      word += char(code);
      continue;
    }
    list.push_back(word);
    word.clear();
  }
  if (!word.empty() || at[std::strspn(at, " ")] != 0) damaged(fmt::format("\"{}\" is no text", name));
  return list;
}

}  // namespace meniscus

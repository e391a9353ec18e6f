// Collects the XML part of a VTK file and its appended binary part side by side.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/output/vtk.h"

namespace meniscus {

template <class T>
constexpr const char* vtkType() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, std::int32_t>) return "Int32";
  if constexpr (std::is_same_v<T, std::uint32_t>) return "UInt32";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

// Collects the XML part and the appended binary part side by side.
class VtkWriter {
 public:
  explicit VtkWriter(double time) {  // s; readers show it, and an index of frames can be made anew from it
    xml_ = fmt::format(
        "    <FieldData>\n      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
        "format=\"ascii\">{:.17g}</DataArray>\n    </FieldData>\n",
        time);
  }
  void xml(const std::string& text) { xml_ += text; }

  // Beside the time, as VTK writes text: the codes of each one's bytes and a zero.
  void names(const char* name, const std::vector<std::string>& list) {
    std::string codes;
    for (const std::string& text : list) {
      for (const char c : text) codes += fmt::format("{} ", int(static_cast<unsigned char>(c)));
      codes += "0 ";
    }
    const std::string end = "    </FieldData>\n";
    xml_.insert(xml_.rfind(end), fmt::format("      <DataArray type=\"String\" Name=\"{}\" NumberOfTuples=\"{}\" "
                                             "format=\"ascii\">{}</DataArray>\n",
                                             name, list.size(), codes));
  }

  // n values; each call of value(i) gives one number.
  template <class T, class Value>
  void array(const char* name, int components, std::size_t n, const Value& value) {
    xml_ +=
        fmt::format("        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                    vtkType<T>(), name, components, data_.size());
    const std::uint64_t bytes = n * sizeof(T);
    const std::size_t at = data_.size();
    data_.resize(at + sizeof bytes + bytes);
    std::memcpy(&data_[at], &bytes, sizeof bytes);
    char* out = data_.data() + at + sizeof bytes;
    for (std::size_t i = 0; i < n; ++i) {
      const T v = value(i);
      std::memcpy(out + i * sizeof(T), &v, sizeof(T));
    }
  }

  // type: of the data set, "PolyData" or "ImageData"; attributes: of its element.
  std::string finish(const std::string& type, const std::string& attributes = "") {
    std::string file = fmt::format(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"{0}\" version=\"1.0\" byte_order=\"LittleEndian\" "
        "header_type=\"UInt64\">\n  <{0}{1}>\n{2}  </{0}>\n  <AppendedData encoding=\"raw\">\n_",
        type, attributes, xml_);
    file += data_;
    file += "\n  </AppendedData>\n</VTKFile>\n";
    return file += vtkChecksum(file);
  }

 private:
  std::string xml_, data_;
};

}  // namespace meniscus

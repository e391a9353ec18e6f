// The files of vtk.h, read back. Whatever is not whole in them is refused, naming the file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace meniscus {

// Where the cells of image data lie.
struct VtkImage {
  int cells[3] = {0, 0, 0};      // along x, y, z
  double origin[3] = {0, 0, 0};  // m, lower corner of the first one
  double spacing = 0;            // m
};

class VtkFile {
 public:
  // Throws Error(input) where it cannot be read, was not written by vtk.h, or was cut off.
  explicit VtkFile(const std::string& path);
  // The same of the file's bytes.
  VtkFile(const std::string& path, std::string bytes);

  const std::string& path() const { return path_; }
  double time() const { return time_; }  // s
  std::size_t points() const { return points_; }
  std::size_t triangles() const { return polys_; }
  std::size_t lines() const { return lines_; }
  std::size_t cells() const { return cells_; }  // of image data
  const VtkImage& image() const { return image_; }
  bool has(const std::string& name) const { return find(name) != nullptr; }

  // `count` tuples of `components` numbers of T: float, std::int32_t, std::uint32_t, std::uint8_t. Throws Error(input) where the
  // file has no such array, or a float is not finite.
  template <class T>
  std::vector<T> array(const std::string& name, int components, std::size_t count) const;
  // A text array of the field data.
  std::vector<std::string> names(const std::string& name) const;

  // Throws Error(input): the file is damaged, in this way.
  [[noreturn]] void damaged(const std::string& how) const;

 private:
  struct Array {
    std::string name, type, text;  // text: what stands in the element
    std::size_t components = 1, offset = 0;
  };
  void readHead(const std::string& head);
  const Array* find(const std::string& name) const;
  const char* dataOf(const std::string& name, const char* type, std::size_t size, int components, std::size_t count) const;

  std::string path_, bytes_;
  std::size_t data_ = 0, end_ = 0;  // of the appended data in bytes_
  double time_ = 0;
  void readImage(const std::string& tag);
  std::size_t points_ = 0, polys_ = 0, lines_ = 0, cells_ = 0;
  VtkImage image_;
  std::vector<Array> arrays_;
};

}  // namespace meniscus

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine/base/error.h"
#include "engine/render/renderer.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#include <stb/stb_image_write.h>
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_PNG
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

namespace meniscus::render {

namespace {

struct Sink {
  std::FILE* file;
  bool failed = false;
};

void put(void* context, void* data, int size) {
  auto* sink = static_cast<Sink*>(context);
  if (std::fwrite(data, 1, static_cast<std::size_t>(size), sink->file) != static_cast<std::size_t>(size)) sink->failed = true;
}

[[noreturn]] void refuse(const std::string& path, int code) {
  throw Error(ErrorKind::input, path + ": the picture cannot be written: " + std::strerror(code));
}

}  // namespace

void writePng(const std::string& path, const Image& image) {
  if (image.width < 1 || image.height < 1 || image.rgb.size() < static_cast<std::size_t>(image.width) * image.height * 3) {
    throw Error(ErrorKind::internal, path + ": the picture is empty");
  }
  // another name first, so that who watches the folder never reads half a picture
  const std::string part = path + "." + std::to_string(::getpid()) + ".part";
  Sink sink{std::fopen(part.c_str(), "wb")};
  if (!sink.file) refuse(path, errno);
  errno = 0;
  const bool packed = stbi_write_png_to_func(put, &sink, image.width, image.height, 3, image.rgb.data(), image.width * 3);
  const int code = errno;
  const bool closed = std::fclose(sink.file) == 0;
  if (!packed || sink.failed || !closed) {
    std::remove(part.c_str());
    refuse(path, sink.failed ? code : closed ? ENOMEM : errno);
  }
  if (std::rename(part.c_str(), path.c_str()) != 0) {
    const int why = errno;
    std::remove(part.c_str());
    refuse(path, why);
  }
}

Image readPng(const std::string& path) {
  Image image;
  int channels = 0;
  unsigned char* rgb = stbi_load(path.c_str(), &image.width, &image.height, &channels, 3);
  if (!rgb) throw Error(ErrorKind::input, path + ": the picture cannot be read: " + stbi_failure_reason());
  image.rgb.assign(rgb, rgb + static_cast<std::size_t>(image.width) * image.height * 3);
  stbi_image_free(rgb);
  return image;
}

}  // namespace meniscus::render

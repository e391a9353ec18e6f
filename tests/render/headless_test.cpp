// A picture without a window.
#include <filesystem>
#include <fstream>

#include "tests/render/scene.h"

namespace meniscus::render {
namespace {

TEST(Headless, NamesItsRenderer) {
  NEEDS_OPENGL();
  EXPECT_NE(context()->description().find("OpenGL 4."), std::string::npos) << context()->description();
}

// Without anything to draw the studio's floor and backdrop are there: grey, and no two rows from top to bottom need be the same.
TEST(Headless, AnEmptyPictureIsTheStudio) {
  NEEDS_OPENGL();
  Renderer renderer;
  Image image;
  Camera camera;
  camera.frame({0, 0, 0}, {1, 1, 1}, 1.5f);
  renderer.drawImage({}, {}, camera, 48, 32, image);
  ASSERT_EQ(image.rgb.size(), 48u * 32 * 3);
  EXPECT_EQ(context()->takeErrors(), "");
  for (std::size_t i = 0; i < image.rgb.size(); i += 3) {
    ASSERT_GT(image.rgb[i], 100);  // bright
    ASSERT_NEAR(image.rgb[i], image.rgb[i + 2], 40);
  }
}

TEST(Headless, AnImageIsWrittenWholeOrNotAtAll) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / "meniscus-png-test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  Image image;
  image.width = 2;
  image.height = 1;
  image.rgb = {255, 0, 0, 0, 0, 255};
  writePng((folder / "a.png").string(), image);
  std::ifstream in(folder / "a.png", std::ios::binary);
  const Image read = readPng((folder / "a.png").string());
  EXPECT_EQ(read.width, 2);
  EXPECT_EQ(read.height, 1);
  EXPECT_EQ(read.rgb, image.rgb);
  char head[8] = {};
  in.read(head, 8);
  EXPECT_EQ(std::string(head + 1, 3), "PNG");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);  // no part is left behind
  try {
    writePng((folder / "missing" / "a.png").string(), image);
    FAIL() << "a folder that does not exist was written to";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find("No such file"), std::string::npos) << e.what();
  }
  fs::remove_all(folder);
}

TEST(Headless, WhatIsNoPictureIsNotRead) {
  namespace fs = std::filesystem;
  const fs::path file = fs::temp_directory_path() / "meniscus-no-picture.png";
  fs::remove(file);
  EXPECT_THROW(readPng(file.string()), Error);
  std::ofstream(file) << "no picture";
  try {
    readPng(file.string());
    FAIL() << "it was read";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find(file.string() + ": the picture cannot be read"), std::string::npos) << e.what();
  }
  fs::remove(file);
}

}  // namespace
}  // namespace meniscus::render

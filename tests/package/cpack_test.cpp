// The tarball and the Debian package that `cpack` makes.
#include <gtest/gtest.h>

#include <filesystem>

#include "meniscus/meniscus.h"
#include "tests/package/shell.h"

namespace {

namespace fs = std::filesystem;

const std::string kVersion = mnsGetVersionText();

// The file that a generator of cpack made in `folder`.
fs::path package(const std::string& generator, const TemporaryFolder& folder) {
  const Output output = sh("cd '" MENISCUS_BINARY_DIR "' && cpack -G " + generator + " -B '" + folder.string() + "'");
  EXPECT_EQ(output.status, 0) << output.text;
  const std::string ending = generator == "DEB" ? ".deb" : ".gz";
  for (const auto& entry : fs::directory_iterator(folder.string()))
    if (entry.path().extension() == ending) return entry.path();
  ADD_FAILURE() << "no " << ending << "\n" << output.text;
  return {};
}

TEST(Packages, SlowTarballRunsWhereItIsUnpacked) {
  const TemporaryFolder folder, place;
  const fs::path file = package("TGZ", folder);
  EXPECT_EQ(file.filename().string().find("meniscus-" + kVersion + "-Linux-"), 0u) << file;
  const Output unpacked = sh("tar -xzf '" + file.string() + "' -C '" + place.string() + "' --strip-components=1");
  ASSERT_EQ(unpacked.status, 0) << unpacked.text;
  for (const char* name : {"bin/meniscus", "lib/libmeniscus.so.0", "lib/pkgconfig/meniscus.pc", "include/meniscus/meniscus.h"})
    EXPECT_TRUE(fs::exists(place / name)) << name;
  const Output check = sh("'" + (place / "bin/meniscus").string() + "' check '" +
                          (place / "share/meniscus/scenes/three-spheres.json").string() + "'");
  EXPECT_EQ(check.status, 0) << check.text;
}

TEST(Packages, SlowDebianPackageSaysWhatItNeeds) {
  if (!programExists("dpkg-shlibdeps")) GTEST_SKIP() << "dpkg-shlibdeps is not on this machine";
  const TemporaryFolder folder;
  const fs::path file = package("DEB", folder);
  const Output contents = sh("dpkg-deb -c '" + file.string() + "'");
  for (const char* name : {"./usr/bin/meniscus\n", "./usr/lib/libmeniscus.so.0 -> ", "./usr/include/meniscus/meniscus.h\n",
                           "./usr/lib/pkgconfig/meniscus.pc\n", "./usr/lib/cmake/meniscus/meniscusConfig.cmake\n",
                           "./usr/share/meniscus/scenes/water-balloon.json\n", "./usr/share/doc/meniscus/LICENSE\n"})
    EXPECT_NE(contents.text.find(name), std::string::npos) << name << contents.text;
  const auto field = [&](const char* name) { return sh("dpkg-deb -f '" + file.string() + "' " + name).text; };
  EXPECT_EQ(field("Package"), "meniscus\n");
  EXPECT_EQ(field("Version"), kVersion + "\n");
  EXPECT_EQ(field("Recommends"), "tetgen\n");
  EXPECT_NE(field("Depends").find("libc6 (>= "), std::string::npos) << field("Depends");
  EXPECT_NE(field("Depends").find("libstdc++6 (>= "), std::string::npos) << field("Depends");
}

}  // namespace

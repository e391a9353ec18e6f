// What `cmake --install` writes: complete, movable, and naming nothing of the machine it was built on.
#include <set>

#include "meniscus/meniscus.h"
#include "tests/package/installed.h"

namespace {

namespace fs = std::filesystem;

class Installed : public InstalledTest {};

TEST_F(Installed, HasWhatAUserNeeds) {
  for (const char* file :
       {"bin/meniscus", "lib/libmeniscus.so", "lib/libmeniscus.so.0", "include/meniscus/meniscus.h", "lib/pkgconfig/meniscus.pc",
        "lib/cmake/meniscus/meniscusConfig.cmake", "lib/cmake/meniscus/meniscusConfigVersion.cmake",
        "share/meniscus/scenes/water-balloon.json", "share/meniscus/meshes/cup.obj", "share/meniscus/schema/scene.schema.json",
        "share/doc/meniscus/LICENSE", "share/doc/meniscus/README.md", "share/doc/meniscus/examples/CMakeLists.txt",
        "share/doc/meniscus/examples/game/README.md"})
    EXPECT_TRUE(fs::exists(prefix / file)) << file;
  EXPECT_EQ(fs::exists(MENISCUS_BINARY_DIR "/bin/meniscus_cuda.so"), fs::exists(prefix / "lib/meniscus_cuda.so"));
  std::set<std::string> top;
  for (const auto& entry : fs::directory_iterator(prefix)) top.insert(entry.path().filename());
  EXPECT_EQ(top, (std::set<std::string>{"bin", "include", "lib", "share"}));
}

// Where the programs were not built, they are not asked for.
TEST_F(Installed, LibraryAlone) {
  const std::string alone = (folder / "alone").string();
  const Output output = sh("cmake --install '" MENISCUS_BINARY_DIR "' --component library --prefix '" + alone + "'");
  ASSERT_EQ(output.status, 0) << output.text;
  EXPECT_TRUE(fs::exists(alone + "/lib/libmeniscus.so"));
  EXPECT_TRUE(fs::exists(alone + "/include/meniscus/meniscus.h"));
  EXPECT_TRUE(fs::exists(alone + "/lib/cmake/meniscus/meniscusConfig.cmake"));
  EXPECT_FALSE(fs::exists(alone + "/bin"));
  EXPECT_FALSE(fs::exists(alone + "/lib/meniscus_cuda.so"));
}

// The first prefix too: what is moved must not point back.
TEST_F(Installed, NamesNoFolderOfTheBuild) {
  for (const std::string& path : {std::string(MENISCUS_SOURCE_DIR "/"), std::string(MENISCUS_BINARY_DIR), firstPrefix}) {
    const Output found = sh("grep -rlaF -e '" + path + "' " + quoted(""));
    EXPECT_EQ(found.status, 1) << path << " is named in\n" << found.text;
  }
  const Output headers = sh("grep -rnE '/usr/(local/)?include' " + quoted("lib/cmake") + " " + quoted("lib/pkgconfig"));
  EXPECT_EQ(headers.status, 1) << headers.text;
}

TEST_F(Installed, LibraryNeedsTheCLibraryOnly) {
  const Output dynamic = sh("readelf -dW " + quoted("lib/libmeniscus.so"));
  ASSERT_EQ(dynamic.status, 0) << dynamic.text;
  EXPECT_NE(dynamic.text.find("soname: [libmeniscus.so.0]"), std::string::npos) << dynamic.text;
  EXPECT_EQ(dynamic.text.find("RUNPATH"), std::string::npos) << dynamic.text;
  const Output ldd = sh("ldd " + quoted("lib/libmeniscus.so"));
  std::istringstream lines(ldd.text);
  int libraries = 0;
  for (std::string line; std::getline(lines, line); ++libraries) {
    const bool expected = line.find("linux-vdso.so.1") != std::string::npos || line.find("libc.so.6") != std::string::npos ||
                          line.find("libm.so.6") != std::string::npos || line.find("/ld-linux") != std::string::npos;
    EXPECT_TRUE(expected) << line;
  }
  EXPECT_GE(libraries, 2) << ldd.text;
}

// The schema and the mesh are found in the moved tree, the plug-in in lib/.
TEST_F(Installed, ProgramRunsWhereItWasMoved) {
  const Output check = sh("cd / && " + quoted("bin/meniscus") + " check " + quoted("share/meniscus/scenes/shaken-cup.json"));
  EXPECT_EQ(check.status, 0) << check.text;
  const Output info = sh(quoted("bin/meniscus") + " info");
  EXPECT_EQ(info.status, 0) << info.text;
  EXPECT_NE(info.text.find(mnsGetVersionText()), std::string::npos) << info.text;
  const bool plugin = fs::exists(prefix / "lib/meniscus_cuda.so");
  EXPECT_EQ(info.text.find("has no CUDA plug-in") == std::string::npos, plugin) << info.text;
}

// A host program may be anywhere: the library looks beside itself.
TEST_F(Installed, LibraryFindsThePluginBesideIt) {
  const std::string program = (folder / "devices").string();
  std::ofstream(program + ".c") << R"(#include <meniscus/meniscus.h>
#include <stdio.h>
int main(void) {
  mnsDeviceInfo infos[8];
  int32_t count = 0;
  for (int k = 0; k < 8; ++k) infos[k].structSize = sizeof infos[k];
  if (mnsGetDevices(infos, sizeof infos[0], 8, &count) != MNS_OK) return puts(mnsGetLastError()), 1;
  for (int32_t k = 0; k < count; ++k) printf("%s: %s\n", infos[k].name, infos[k].reason);
  return 0;
}
)";
  const Output built =
      sh("cc -std=c99 -o " + program + " " + program + ".c -I" + quoted("include") + " -L" + quoted("lib") + " -lmeniscus");
  ASSERT_EQ(built.status, 0) << built.text;
  const Output run = sh("LD_LIBRARY_PATH=" + quoted("lib") + " " + program);
  ASSERT_EQ(run.status, 0) << run.text;
  const bool plugin = fs::exists(prefix / "lib/meniscus_cuda.so");
  EXPECT_EQ(run.text.find("has no CUDA plug-in") == std::string::npos, plugin) << run.text;
}

}  // namespace

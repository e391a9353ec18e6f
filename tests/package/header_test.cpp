// The public headers are compiled alone by the compilers and standards of those who embed Meniscus, every warning an error.
#include <gtest/gtest.h>

#include <filesystem>
#include <tuple>

#include "tests/package/shell.h"

namespace {

namespace fs = std::filesystem;

class Headers : public ::testing::TestWithParam<std::tuple<const char*, const char*>> {
 protected:
  static Output compile(const std::string& text) {
    const std::string compiler = std::get<0>(GetParam()), standard = std::get<1>(GetParam());
    const bool c = standard.find("++") == std::string::npos;
    const TemporaryFolder folder;
    const fs::path source = folder / (c ? "only.c" : "only.cpp");
    std::ofstream(source) << text;
    const std::string language = c ? " -Wstrict-prototypes" : compiler == "gcc" ? " -x c++" : " --driver-mode=g++";
    return sh(compiler + language + " -std=" + standard +
              " -Wall -Wextra -pedantic -Werror -fsyntax-only -I" MENISCUS_SOURCE_DIR "/engine/include " + source.string());
  }
};

TEST_P(Headers, CompileAloneWithoutWarnings) {
  if (!programExists(std::get<0>(GetParam()))) GTEST_SKIP() << std::get<0>(GetParam()) << " is not on this machine";
  int headers = 0;
  for (const auto& entry : fs::directory_iterator(MENISCUS_SOURCE_DIR "/engine/include/meniscus")) {
    const Output output = compile("#include \"meniscus/" + entry.path().filename().string() + "\"\nint main(void) { return 0; }\n");
    EXPECT_EQ(output.status, 0) << entry.path() << "\n" << output.text;
    ++headers;
  }
  EXPECT_GE(headers, 3);
  EXPECT_NE(compile("#include \"meniscus/meniscus.h\"\nint main(void) { int unused; return 0; }\n").status, 0)
      << "warnings are not errors";
}

// Every default, id and shape the header makes itself, so that its inline functions are compiled and not only read.
TEST_P(Headers, InlineFunctionsCompileWithoutWarnings) {
  if (!programExists(std::get<0>(GetParam()))) GTEST_SKIP() << std::get<0>(GetParam()) << " is not on this machine";
  const Output output = compile(R"(#include "meniscus/meniscus_cuda.h"
#include "meniscus/meniscus_gl.h"
int main(void) {
  mnsContextDef context = mnsDefaultContextDef();
  mnsSceneDef scene = mnsDefaultSceneDef();
  mnsFluidDef fluid = mnsDefaultFluidDef();
  mnsEmitterDef emitter = mnsDefaultEmitterDef();
  mnsDrainDef drain = mnsDefaultDrainDef();
  mnsBodyDef body = mnsDefaultBodyDef();
  mnsMaterial material = mnsDefaultMaterial();
  mnsShape box = mnsBoxShape(1, 2, 3), sphere = mnsSphereShape(1), sheet = mnsSheetShape(1, 2);
  mnsGlBufferDef buffer = mnsDefaultGlBufferDef();
  mnsGlBufferId bufferId = mnsLoadGlBufferId(MNS_STORE_ID(buffer.body));
  mnsCudaView onCard = {sizeof(mnsCudaView), 0, mnsHostView(0, MNS_FORMAT_FLOAT, 0), 0, 0};
  mnsView view = mnsHostView(&box, MNS_FORMAT_FLOAT3, 0);
  mnsBodyId id = mnsLoadBodyId(MNS_STORE_ID(body.shape ? fluid.inside : mnsLoadBodyId(1)));
  return MNS_IS_NULL(id) + MNS_SAME_ID(id, id) + (context.threads + scene.maxSubsteps + emitter.kind + drain.kind > 0) +
         (material.density + sphere.radius + sheet.size.x > 0) + (view.count > 0) +
         MNS_IS_NULL(bufferId) + (onCard.device > 0);
}
)");
  EXPECT_EQ(output.status, 0) << output.text;
}

std::string nameOf(const ::testing::TestParamInfo<Headers::ParamType>& info) {
  std::string name = std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
  for (char& c : name)
    if (c == '+') c = 'x';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Compilers, Headers,
                         ::testing::Combine(::testing::Values("gcc", "clang"), ::testing::Values("c99", "c11", "c++17")), nameOf);

}  // namespace

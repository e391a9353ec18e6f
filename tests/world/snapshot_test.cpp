#include "engine/world/snapshot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/solid/prescribed.h"
#include "engine/world/fields.h"
#include "engine/world/hash.h"
#include "engine/world/snapshot_file.h"
#include "tests/shared/error_of.h"
#include "tests/shared/small_world.h"
#include "tests/shared/temporary_folder.h"

namespace meniscus {
namespace {

using testing::errorOf;
using testing::readText;
using testing::smallWorld;
using testing::TemporaryFolder;
using testing::writeText;

// Another state of the same scene: every state field differs, or may.
World laterWorld() {
  World w = smallWorld();
  w.time = 9;
  w.steps = 99;
  testing::addParticles(w, 2);
  w.fluid.x[0].x = 42.f;
  w.solid.x[1] = {7, 7, 7};
  w.solid.rigid[0].q = {0.5, 0.5, 0.5, 0.5};
  w.solid.constraints.lambda[0] = 3;
  w.emitters[0].carry = 1;
  w.drains[0].removed = 1;
  return w;
}

std::string loadError(World& w, const std::string& path) {
  return errorOf([&] { loadSnapshot(w, path); });
}
std::string unpackError(World& w, const std::string& bytes) {
  return errorOf([&] { unpackSnapshot(w, bytes, "bytes"); });
}

TEST(Snapshot, BringsBackEveryStateField) {
  const TemporaryFolder folder;
  const World saved = smallWorld();
  saveSnapshot(saved, folder / "a.snapshot");
  World w = laterWorld();
  ASSERT_NE(stateHash(w), stateHash(saved));
  loadSnapshot(w, folder / "a.snapshot");
  EXPECT_EQ(stateHash(w), stateHash(saved));
  EXPECT_EQ(w.fluid.n, 3);
  EXPECT_EQ(w.fluid.x.size(), 3u);
  EXPECT_EQ(w.fluid.e.size(), 3u);  // derived fields have the right length
  EXPECT_EQ(w.steps, 12u);
  EXPECT_EQ(w.solid.constraints.lambda[0], -0.125);
  // saving again gives the same file: nothing was lost or added
  saveSnapshot(w, folder / "b.snapshot");
  EXPECT_EQ(readText(folder / "a.snapshot"), readText(folder / "b.snapshot"));
}

TEST(Snapshot, WorldWithoutParticlesOrSolids) {
  const TemporaryFolder folder;
  World empty;
  empty.scene.domain.max = {1, 1, 1};
  empty.time = 2;
  saveSnapshot(empty, folder / "a.snapshot");
  World w;
  w.scene.domain.max = {1, 1, 1};
  loadSnapshot(w, folder / "a.snapshot");
  EXPECT_EQ(w.time, 2);
}

TEST(Snapshot, LeavesNoTemporaryFile) {
  const TemporaryFolder folder;
  saveSnapshot(smallWorld(), folder / "a.snapshot");
  int files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 1);
}

TEST(Snapshot, RefusesEveryTruncationAndChangesNothing) {
  const std::string whole = packSnapshot(smallWorld());
  World w = laterWorld();
  const std::uint64_t before = stateHash(w);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    ASSERT_NE(unpackError(w, whole.substr(0, length)), "") << "length " << length;
    ASSERT_EQ(stateHash(w), before) << "length " << length;
  }
}

TEST(Snapshot, RefusesEveryChangedByteAndChangesNothing) {
  std::string bytes = packSnapshot(smallWorld());
  World w = laterWorld();
  const std::uint64_t before = stateHash(w);
  for (char& byte : bytes)
    for (const int flip : {0x01, 0x80, 0xff}) {
      const char good = byte;
      byte = char(good ^ flip);
      ASSERT_NE(unpackError(w, bytes), "") << "byte " << &byte - bytes.data() << " flip " << flip;
      ASSERT_EQ(stateHash(w), before) << "byte " << &byte - bytes.data() << " flip " << flip;
      byte = good;
    }
  EXPECT_EQ(unpackError(w, bytes), "");  // with every byte put right again
}

// The scene has lost a fluid since: its particles would name properties that are not there.
TEST(Snapshot, RefusesParticlesOfAFluidThatIsNotThere) {
  World saved = smallWorld();
  saved.scene.fluids.resize(2);
  saved.fluid.kind[2] = 1;
  World w = smallWorld();
  EXPECT_NE(unpackError(w, packSnapshot(saved)).find("particles of fluid 1, but this scene has 1 fluids"), std::string::npos);
  w.scene.fluids.resize(2);
  EXPECT_EQ(unpackError(w, packSnapshot(saved)), "");
}

// Nodes that were taken or let go since, and where they and bodies were on their way to.
TEST(Snapshot, BringsBackWhatIsHeldAndTold) {
  World saved = smallWorld();
  saved.solid.rigid[0].invMass = 0;
  World w = saved;
  carryNode(saved.solid, 2, {0, 1, 2}, 0.75, 0.5);
  moveBody(saved.solid.rigid[0], {{0, 0, 0}, {}}, 0.75, 0.5);
  ASSERT_NE(stateHash(w), stateHash(saved));
  const Index held = 0;
  releaseNodes(w.solid, &held, 1);
  ASSERT_EQ(unpackError(w, packSnapshot(saved)), "");
  EXPECT_EQ(stateHash(w), stateHash(saved));
  ASSERT_EQ(w.solid.pins.size(), 2u);
  EXPECT_EQ(w.solid.pins[1].node, 2);
  EXPECT_EQ(w.solid.motions.at(0).at(1).translate.z, 1);
  EXPECT_EQ(w.solid.rigid[0].motion.at(1).time, 1.25);
}

// A still solid that has been moved or resized since is another scene, though its state has the same fields.
TEST(Snapshot, RefusesAMovedOrResizedSolid) {
  const std::string bytes = packSnapshot(smallWorld());
  World moved = smallWorld(), resized = smallWorld();
  moved.solid.rigid[0].start.translate.x += 0.1;
  resized.solid.rigid[0].shape.radius *= 1.1;
  EXPECT_NE(unpackError(moved, bytes).find("of another scene"), std::string::npos);
  EXPECT_NE(unpackError(resized, bytes).find("of another scene"), std::string::npos);
}

// Of the same scene, but of a program that keeps other data: that is said, by name.
TEST(Snapshot, OfAnotherVersionNamesWhatItKeeps) {
  World w = smallWorld();
  const std::uint64_t before = stateHash(w), model = modelHash(w);
  const std::string bytes = packSnapshot(w);
  const auto refusal = [&](const std::string& left, const char* more) {
    SnapshotWriter file;
    for (const auto& [key, s] : readSections(bytes, "s", model))
      if (key.first != left) file.append(key.first.c_str(), s.type.c_str(), key.second, s.elementSize, s.count, s.payload);
    if (more) file.append(more, "double", -1, sizeof(double), 1, &before);
    return unpackError(w, file.finish(model));
  };
  const std::string version = "the snapshot is of another version of the program, which ";
  EXPECT_EQ(refusal("", nullptr), "");
  EXPECT_NE(refusal("fluid.u", nullptr).find(version + "did not keep \"fluid.u\"; begin"), std::string::npos);
  EXPECT_NE(refusal("prescribed", nullptr).find(version + "did not keep \"prescribed\"; begin"), std::string::npos);
  EXPECT_NE(refusal("", "fluid.spin").find(version + "kept \"fluid.spin\" too; begin"), std::string::npos);
  EXPECT_EQ(stateHash(w), before);
}

TEST(Snapshot, RefusesDataBehindTheEnd) {
  const TemporaryFolder folder;
  saveSnapshot(smallWorld(), folder / "a.snapshot");
  writeText(folder / "long", readText(folder / "a.snapshot") + "x");
  World w = smallWorld();
  EXPECT_NE(loadError(w, folder / "long"), "");
}

TEST(Snapshot, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  World w = smallWorld();
  EXPECT_NE(loadError(w, folder / "none").find("no such file"), std::string::npos);
  writeText(folder / "text", "this is a letter, and a long one, longer than any header would be");
  EXPECT_NE(loadError(w, folder / "text").find("not a snapshot"), std::string::npos);
  EXPECT_NE(loadError(w, folder.path()).find("is not a file"), std::string::npos);

  saveSnapshot(w, folder / "a.snapshot");
  std::string other = readText(folder / "a.snapshot");
  const std::uint32_t version = 7;
  std::memcpy(&other[8], &version, sizeof version);
  writeText(folder / "version", other);
  EXPECT_NE(loadError(w, folder / "version").find("format 7"), std::string::npos);
}

TEST(Snapshot, RefusesAnotherScene) {
  const TemporaryFolder folder;
  saveSnapshot(smallWorld(), folder / "a.snapshot");
  World finer = smallWorld();
  finer.dx = 0.05;
  EXPECT_NE(loadError(finer, folder / "a.snapshot").find("another scene"), std::string::npos);
  World heavier = smallWorld();
  heavier.solid.mass[2] = 4;
  EXPECT_NE(loadError(heavier, folder / "a.snapshot").find("another scene"), std::string::npos);
  World twoBalls = smallWorld();
  testing::addSphere(twoBalls.solid);
  EXPECT_NE(loadError(twoBalls, folder / "a.snapshot"), "");
}

TEST(Snapshot, RefusesMoreParticlesThanTheSceneHasRoomFor) {
  const TemporaryFolder folder;
  saveSnapshot(smallWorld(10), folder / "a.snapshot");
  World w = smallWorld();
  w.fluid.capacity = 9;
  EXPECT_NE(loadError(w, folder / "a.snapshot").find("room for 9"), std::string::npos);
  EXPECT_EQ(w.fluid.n, 3);
}

TEST(Snapshot, UnwritableFolderIsAnErrorThatNamesThePath) {
  const TemporaryFolder folder;
  try {
    saveSnapshot(smallWorld(), folder / "missing/a.snapshot");
    FAIL() << "was written";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind, ErrorKind::input);
    EXPECT_NE(std::string(e.what()).find("missing/a.snapshot"), std::string::npos);
  }
}

// Flips one bit of the state field number `target`, but for the count of particles, which is not free to change.
struct BitFlip {
  int target = 0, at = 0;
  bool found = false;
  std::string name;

  void bit(const FieldInfo& info, void* data, std::size_t bytes) {
    if (info.keep != Keep::state || bytes == 0 || std::strcmp(info.name, "fluid.n") == 0 || at++ != target) return;
    static_cast<unsigned char*>(data)[bytes - 1] ^= 1;
    found = true;
    name = info.name;
  }
  template <class T>
  void value(const FieldInfo& info, T& field) {
    bit(info, &field, sizeof field);
  }
  template <class T>
  void array(const FieldInfo& info, Buffer<T>& b, Index n) {
    bit(info, b.data(), std::size_t(n) * sizeof(T));
  }
};

TEST(StateHash, SeesEveryStateFieldAndNoDerivedOne) {
  const World w = smallWorld();
  const std::uint64_t before = stateHash(w);
  World changed = w;
  changed.fluid.e[0] = 9;
  EXPECT_EQ(stateHash(changed), before);

  // one bit of each state field in turn
  int fields = 0;
  for (;; ++fields) {
    World one = w;
    BitFlip flip;
    flip.target = fields;
    forEachField(one, flip);
    if (!flip.found) break;
    EXPECT_NE(stateHash(one), before) << flip.name;
  }
  EXPECT_GT(fields, 30);
}

TEST(StateHash, SeesTheOrderOfParticles) {
  World w = smallWorld(), swapped = w;
  std::swap(swapped.fluid.id[0], swapped.fluid.id[1]);
  EXPECT_NE(stateHash(w), stateHash(swapped));
}

TEST(Hash64, TellsLengthsAndWordsApart) {
  const auto of = [](const std::string& s) {
    Hash64 h;
    h.bytes(s.data(), s.size());
    return h.value();
  };
  EXPECT_NE(of(""), of(std::string(1, '\0')));
  EXPECT_NE(of(std::string(7, '\0')), of(std::string(8, '\0')));
  EXPECT_NE(of("abcdefgh12345678"), of("12345678abcdefgh"));
  EXPECT_EQ(hexHash(0x1fu), "000000000000001f");
}

TEST(Fields, NotFiniteIsFoundByNameAndPlace) {
  World w = smallWorld();
  EXPECT_EQ(findNotFinite(w), "");
  w.fluid.e[0] = NAN;  // derived: does not decide
  EXPECT_EQ(findNotFinite(w), "");
  w.solid.rigid[0].omega.y = INFINITY;
  EXPECT_EQ(findNotFinite(w), "rigid.omega of number 0, of solid \"ball\"");
  w.solid.bodies[0].material.youngsModulus = 1e13;
  w.solid.x[1].z = NAN;
  EXPECT_EQ(findNotFinite(w), "solid.x of number 1 of 3, of solid \"cloth\" (Young's modulus 1e+13 Pa)");
  w.fluid.u[2].y = NAN;
  EXPECT_EQ(findNotFinite(w), "fluid.u of number 2 of 3");
}

TEST(Fields, ListingNamesTypeCountUnitAndRange) {
  const std::string text = describeFields(smallWorld());
  EXPECT_NE(text.find("fluid.p                 float                3  Pa      state    1000 .. 1002"), std::string::npos) << text;
  EXPECT_NE(text.find("rigid.x [0]             double3              1  m       state    0.5 .. 1"), std::string::npos) << text;
}

}  // namespace
}  // namespace meniscus

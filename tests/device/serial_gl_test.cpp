// Buffer objects (meniscus_gl.h) written by a device and from the host, with an OpenGL in memory that fails where it is told to.
#include "meniscus/meniscus_gl.h"

#include "tests/shared/fake_gl.h"
#include "tests/shared/steps_on_device.h"

namespace meniscus {
namespace {

using testing::FakeGl;
using testing::StepsOnDevice;

constexpr std::size_t kRoom = 1 << 16;  // bytes; the dam's 1200 particles take 19200 for positions

mnsGlBufferInfo infoOf(const StepsOnDevice& s, mnsGlBufferId id) {
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  EXPECT_EQ(mnsGlBuffer_GetInfo(s.scene, id, &info), MNS_OK) << mnsGetLastError();
  return info;
}

class GlBuffers : public ::testing::Test {
 protected:
  FakeGl gl;
  SerialGraphics door = gl.door();
  DeviceOptions options() const {
    DeviceOptions o;
    o.graphics = &door;
    return o;
  }
  mnsGlBufferId registered(const StepsOnDevice& s, const mnsGlBufferDef& def) const {
    mnsGlBufferId id{};
    EXPECT_EQ(mnsRegisterGlBuffer(s.scene, &def, &id), MNS_OK) << mnsGetLastError();
    return id;
  }
  // That many bytes of the buffer are those of the host's view.
  void expectHost(const StepsOnDevice& s, unsigned buffer, mnsParticleField field, std::size_t offset = 0) {
    const std::vector<char> host = s.host(field);
    ASSERT_GE(gl.buffers[buffer].bytes.size(), offset + host.size());
    EXPECT_EQ(std::memcmp(gl.buffers[buffer].bytes.data() + offset, host.data(), host.size()), 0) << "field " << int(field);
  }
  void expectRefused(mnsResult result, mnsResult expected, const char* text) const {
    EXPECT_EQ(result, expected) << mnsGetLastError();
    EXPECT_NE(std::string(mnsGetLastError()).find(text), std::string::npos) << mnsGetLastError();
  }
};

TEST_F(GlBuffers, DeviceWritesThemWithoutTheHost) {
  const StepsOnDevice s(&serialFluidCalls(), true, options());
  const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
  for (int k = 0; k < 3; ++k) {
    s.steps(2);
    std::int64_t written = 0;
    ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, &written), MNS_OK) << mnsGetLastError();
    EXPECT_EQ(written, api::worldOf(s.scene).fluid.n);
    expectHost(s, 5, MNS_PARTICLE_POSITION);
  }
  const mnsGlBufferInfo info = infoOf(s, id);
  EXPECT_EQ(info.way, MNS_GL_SHARED);
  EXPECT_STREQ(info.reason, "");
  EXPECT_EQ(info.updates, 3u);
  EXPECT_EQ(info.needed, 16 * info.count);
  EXPECT_EQ(gl.maps, 0);  // OpenGL's own
  EXPECT_EQ(gl.deviceMaps, 3);
  EXPECT_EQ(gl.deviceUnmaps, 3);
  EXPECT_EQ(gl.opened, 1);  // once for all
  EXPECT_EQ(mnsUnregisterGlBuffer(s.scene, id), MNS_OK);
  EXPECT_EQ(gl.opened, 0);
  EXPECT_FALSE(mnsGlBuffer_IsValid(s.scene, id));
}

TEST_F(GlBuffers, EveryFieldIsTheHosts) {
  for (const bool share : {true, false}) {
    const StepsOnDevice s(&serialFluidCalls(), true, options());
    std::vector<mnsGlBufferId> ids;
    for (int k = 0; k <= MNS_PARTICLE_VORTICITY; ++k) {
      mnsGlBufferDef def = gl.def(unsigned(10 + k), kRoom);
      def.particleField = mnsParticleField(k);
      def.offset = 16 * k;
      def.share = share;
      ids.push_back(registered(s, def));
    }
    s.steps(3);
    for (int k = 0; k <= MNS_PARTICLE_VORTICITY; ++k) {
      ASSERT_EQ(mnsGlBuffer_Update(s.scene, ids[std::size_t(k)], nullptr), MNS_OK) << mnsGetLastError();
      expectHost(s, unsigned(10 + k), mnsParticleField(k), std::size_t(16 * k));
      const mnsGlBufferInfo info = infoOf(s, ids[std::size_t(k)]);
      const bool device = share && k != MNS_PARTICLE_VORTICITY;
      EXPECT_EQ(info.way, device ? MNS_GL_SHARED : MNS_GL_UPLOAD) << k;
      if (!share) { EXPECT_STREQ(info.reason, "sharing was not asked for (mnsGlBufferDef::share)"); }
    }
  }
}

TEST_F(GlBuffers, OnTheCpuTheyAreUploaded) {
  const StepsOnDevice s(nullptr);
  const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
  gl.bound = 77;
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_NOT_STARTED, "not been started");
  s.steps(2);
  ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
  expectHost(s, 5, MNS_PARTICLE_POSITION);
  const mnsGlBufferInfo info = infoOf(s, id);
  EXPECT_EQ(info.way, MNS_GL_UPLOAD);
  EXPECT_STREQ(info.reason, "the scene runs on the CPU, because its context was made for the CPU (mnsContextDef::device)");
  EXPECT_EQ(info.format, MNS_FORMAT_FLOAT4);
  EXPECT_EQ(gl.bound, 77u);  // as before
  EXPECT_EQ(gl.opened, 0);
}

TEST_F(GlBuffers, FailingDoorsFallBackToUploads) {
  for (const char* failing : {"open", "map", "unmap"}) {
    gl.failing = failing;
    const StepsOnDevice s(&serialFluidCalls(), true, options());
    const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
    s.steps(1);
    for (int k = 0; k < 2; ++k) ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
    expectHost(s, 5, MNS_PARTICLE_POSITION);
    const mnsGlBufferInfo info = infoOf(s, id);
    EXPECT_EQ(info.way, MNS_GL_UPLOAD) << failing;
    EXPECT_NE(std::string(info.reason).find("buffer 5"), std::string::npos) << info.reason;
    EXPECT_EQ(gl.opened, 0) << failing;
    const std::size_t first = s.log.find("OpenGL buffer 5 is uploaded, because");
    EXPECT_NE(first, std::string::npos) << s.log;
    EXPECT_EQ(s.log.find("OpenGL buffer 5 is uploaded, because", first + 1), std::string::npos) << "said twice";
    gl.failing = "";
    gl.buffers[5].bytes.resize(2 * kRoom);  // made anew by the host: it is tried again
    ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK);
    EXPECT_EQ(infoOf(s, id).way, MNS_GL_SHARED);
    expectHost(s, 5, MNS_PARTICLE_POSITION);
  }
}

TEST_F(GlBuffers, DeviceWithoutADoorUploads) {
  const StepsOnDevice s(&serialFluidCalls(), true);
  const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
  s.steps(1);
  ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
  expectHost(s, 5, MNS_PARTICLE_POSITION);
  EXPECT_STREQ(infoOf(s, id).reason, "the serial device shares no memory with a graphics context");
}

TEST_F(GlBuffers, TooSmallOnesAreRefusedOrGrow) {
  for (const DeviceFluidCalls* calls : {static_cast<const DeviceFluidCalls*>(nullptr), &serialFluidCalls()}) {
    const StepsOnDevice s(calls, false, options());
    s.steps(1);
    const std::int64_t needed = 16 * std::int64_t(api::worldOf(s.scene).fluid.n);
    mnsGlBufferDef def = gl.def(5, std::size_t(needed) - 1);
    const mnsGlBufferId id = registered(s, def);
    const std::vector<char> before = gl.buffers[5].bytes;
    std::int64_t written = -1;
    expectRefused(mnsGlBuffer_Update(s.scene, id, &written), MNS_ERROR_BUFFER_TOO_SMALL,
                  ("takes " + std::to_string(needed) + " bytes").c_str());
    EXPECT_EQ(written, -1);
    EXPECT_EQ(gl.buffers[5].bytes, before);
    EXPECT_EQ(infoOf(s, id).needed, needed);
    EXPECT_EQ(infoOf(s, id).room, needed - 1);
    def.grow = true;
    const mnsGlBufferId growing = registered(s, def);
    ASSERT_EQ(mnsGlBuffer_Update(s.scene, growing, &written), MNS_OK) << mnsGetLastError();
    EXPECT_EQ(written, needed / 16);
    EXPECT_EQ(gl.buffers[5].bytes.size(), std::size_t(needed + needed / 4));
    expectHost(s, 5, MNS_PARTICLE_POSITION);
    def = gl.def(6, 16);
    def.grow = true;
    gl.buffers[6].immutable = true;
    expectRefused(mnsGlBuffer_Update(s.scene, registered(s, def), nullptr), MNS_ERROR_OUT_OF_MEMORY, "immutable");
  }
}

// Several arrays in one buffer: none touches the others.
TEST_F(GlBuffers, ArraysShareABuffer) {
  for (const DeviceFluidCalls* calls : {static_cast<const DeviceFluidCalls*>(nullptr), &serialFluidCalls()}) {
    const StepsOnDevice s(calls, false, options());
    s.steps(1);
    const std::int64_t n = api::worldOf(s.scene).fluid.n;
    mnsGlBufferDef def = gl.def(5, std::size_t(36 * n + 4));
    def.bytes = 16 * n;
    const mnsGlBufferId positions = registered(s, def);
    def.offset = 16 * n;
    def.particleField = MNS_PARTICLE_VELOCITY;
    const mnsGlBufferId velocities = registered(s, def);
    def.offset = 32 * n;
    def.bytes = 4 * n;
    def.particleField = MNS_PARTICLE_PRESSURE;
    const mnsGlBufferId pressures = registered(s, def);
    for (const mnsGlBufferId id : {positions, pressures, velocities}) ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK);
    expectHost(s, 5, MNS_PARTICLE_POSITION, 0);
    expectHost(s, 5, MNS_PARTICLE_VELOCITY, std::size_t(16 * n));
    expectHost(s, 5, MNS_PARTICLE_PRESSURE, std::size_t(32 * n));
    EXPECT_EQ(std::vector<char>(gl.buffers[5].bytes.end() - 4, gl.buffers[5].bytes.end()), std::vector<char>(4, 0));
  }
}

TEST_F(GlBuffers, LostBuffersAndWrongContextsAreRefused) {
  const StepsOnDevice s(nullptr);
  const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
  s.steps(1);
  gl.group = 2;
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_DEVICE_MISMATCH, "another OpenGL context");
  gl.group = 1;
  gl.current = false;
  EXPECT_LT(mnsGlBuffer_Update(s.scene, id, nullptr), 0);
  gl.current = true;
  gl.buffers[5].mapped = true;
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_ARGUMENT, "it is mapped");
  gl.buffers[5].mapped = false;
  gl.losses = 1;
  ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
  expectHost(s, 5, MNS_PARTICLE_POSITION);
  gl.losses = 2;
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_HANDLE, "lost");
  gl.buffers.erase(5);
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_HANDLE, "5 is no buffer object");
  EXPECT_EQ(mnsUnregisterGlBuffer(s.scene, id), MNS_OK);
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_HANDLE, "destroyed");
}

TEST_F(GlBuffers, DefinitionsAreChecked) {
  const StepsOnDevice s(nullptr);
  mnsGlBufferId id{};
  const auto refused = [&](const mnsGlBufferDef& def, mnsResult expected, const char* text) {
    expectRefused(mnsRegisterGlBuffer(s.scene, &def, &id), expected, text);
    EXPECT_TRUE(MNS_IS_NULL(id));
  };
  const mnsGlBufferDef good = gl.def(5, kRoom);
  mnsGlBufferDef d = good;
  d.cookie = 0;
  refused(d, MNS_ERROR_INVALID_DEFINITION, "mnsDefaultGlBufferDef()");
  d = good;
  d.load = nullptr;
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "load is null");
  d = good;
  d.buffer = 99;
  refused(d, MNS_ERROR_INVALID_HANDLE, "99 is no buffer object");
  d = good;
  d.offset = 24;
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "offset is 24");
  d.offset = -16;
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "offset is -16");
  d = good;
  d.bytes = -1;
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "bytes is -1");
  d = good;
  d.grow = true;
  d.offset = 16;
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "grows");
  d = good;
  d.particleField = mnsParticleField(50);
  refused(d, MNS_ERROR_INVALID_ARGUMENT, "50 is no field of particles");
  d = good;
  d.body = mnsLoadBodyId(1ull << 32);
  refused(d, MNS_ERROR_INVALID_HANDLE, "another scene");
  gl.missing = "glMapBufferRange";
  refused(good, MNS_ERROR_INVALID_ARGUMENT, "the loader has no glMapBufferRange");
  gl.missing = "";
  gl.current = false;
  refused(good, MNS_ERROR_INVALID_HANDLE, "no OpenGL context is current");
  gl.current = true;
  EXPECT_EQ(mnsRegisterGlBuffer(s.scene, &good, nullptr), MNS_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(mnsRegisterGlBuffer(nullptr, &good, &id), MNS_ERROR_INVALID_HANDLE);
  const StepsOnDevice other(nullptr);
  ASSERT_EQ(mnsRegisterGlBuffer(s.scene, &good, &id), MNS_OK);
  expectRefused(mnsGlBuffer_Update(other.scene, id, nullptr), MNS_ERROR_INVALID_HANDLE, "another scene");
}

TEST_F(GlBuffers, BodiesMovePointsOfTheirs) {
  SceneDef def = testing::damScene();
  SolidDef ball;
  ball.name = "ball";
  ball.kind = SolidKind::rigid;
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.04;
  ball.material.density = 500;
  ball.transform.translate = {0.3, 0.1, 0.1};
  def.solids.push_back(ball);
  const StepsOnDevice s(nullptr, false, {}, def);
  mnsBodyId body{};
  ASSERT_EQ(mnsScene_FindBody(s.scene, "ball", &body), MNS_OK);
  mnsGlBufferDef d = gl.def(5, 16);
  d.body = body;
  d.bodyField = MNS_SURFACE_POSITION;
  d.grow = true;
  const mnsGlBufferId id = registered(s, d);
  s.steps(3);
  std::int64_t written = 0;
  ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, &written), MNS_OK) << mnsGetLastError();
  mnsView view{};
  ASSERT_EQ(mnsBody_GetArray(s.scene, body, MNS_SURFACE_POSITION, &view), MNS_OK);
  ASSERT_EQ(written, view.count);
  ASSERT_GT(written, 100);
  EXPECT_EQ(std::memcmp(gl.buffers[5].bytes.data(), view.data, std::size_t(16 * view.count)), 0);
  ASSERT_EQ(mnsDestroyBody(s.scene, body), MNS_OK) << mnsGetLastError();
  expectRefused(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_HANDLE, "body");
}

TEST_F(GlBuffers, LostDeviceGoesOnAsUpload) {
  static int stepsLeft;
  stepsLeft = 2;
  DeviceFluidCalls calls = serialFluidCalls();
  calls.step = [](void* fluid, double dt, const DeviceBodies* bodies, const DeviceOpenings* openings, DeviceStepReport* report,
                  char* reason, int n) {
    if (stepsLeft-- > 0) return serialFluidCalls().step(fluid, dt, bodies, openings, report, reason, n);
    std::snprintf(reason, std::size_t(n), "the device is lost");
    return 4;
  };
  const StepsOnDevice s(&calls, false, options());
  const mnsGlBufferId id = registered(s, gl.def(5, kRoom));
  for (int k = 0; k < 4; ++k) {
    s.steps(1);
    ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
    expectHost(s, 5, MNS_PARTICLE_POSITION);
    EXPECT_EQ(infoOf(s, id).way, k < 2 ? MNS_GL_SHARED : MNS_GL_UPLOAD);
  }
  EXPECT_STREQ(infoOf(s, id).reason, "the scene runs on the CPU, because the device is lost");
}

}  // namespace
}  // namespace meniscus

// Arrays of scenes in buffer objects of a real context (meniscus_gl.h), read back through OpenGL: from the host's views, and
// written by a device, here the serial one, whose door to the context maps the buffers.
#include <meniscus/meniscus_gl.h>

// epoxy first: its EGL declarations clash with those of the system
#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include "apps/picture/scene_picture.h"
#include "tests/render/scene.h"
#include "tests/shared/gl_door.h"
#include "tests/shared/steps_on_device.h"

namespace meniscus::render {
namespace {

using testing::StepsOnDevice;

mnsGlFunction* load(void*, const char* name) { return eglGetProcAddress(name); }
void* current(void*) { return eglGetCurrentContext(); }

struct BufferObject {
  unsigned name = 0;
  explicit BufferObject(std::size_t bytes) {
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferData(GL_ARRAY_BUFFER, GLsizeiptr(bytes), nullptr, GL_STREAM_DRAW);
  }
  ~BufferObject() { glDeleteBuffers(1, &name); }
  BufferObject(const BufferObject&) = delete;
  std::vector<char> read(std::size_t bytes) const {
    std::vector<char> data(bytes);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glGetBufferSubData(GL_ARRAY_BUFFER, 0, GLsizeiptr(bytes), data.data());
    return data;
  }
};

mnsGlBufferDef defOf(const BufferObject& b) {
  mnsGlBufferDef def = mnsDefaultGlBufferDef();
  def.load = load;
  def.current = current;
  def.buffer = b.name;
  return def;
}

mnsGlBufferId registered(const StepsOnDevice& s, const mnsGlBufferDef& def) {
  mnsGlBufferId id{};
  EXPECT_EQ(mnsRegisterGlBuffer(s.scene, &def, &id), MNS_OK) << mnsGetLastError();
  return id;
}

mnsGlWay wayOf(const StepsOnDevice& s, mnsGlBufferId id) {
  mnsGlBufferInfo info{};
  info.structSize = sizeof info;
  EXPECT_EQ(mnsGlBuffer_GetInfo(s.scene, id, &info), MNS_OK) << mnsGetLastError();
  return info.way;
}

DeviceOptions withDoor() {
  DeviceOptions options;
  options.graphics = &testing::kGlDoor;
  return options;
}

// Particles in a buffer are not drawn from the nearer half on, as the host does not see them: sums of light through the fluid have
// another order, which a step of a colour shows.
constexpr int kOrder = 1;

TEST(GlBuffer, HasWhatTheHostsViewHas) {
  NEEDS_OPENGL();
  for (const bool device : {false, true}) {
    const StepsOnDevice s(device ? &serialFluidCalls() : nullptr, device, withDoor());
    const BufferObject positions(16), velocities(1 << 20);
    mnsGlBufferDef def = defOf(positions);
    def.grow = true;
    const mnsGlBufferId x = registered(s, def);
    def = defOf(velocities);
    def.particleField = MNS_PARTICLE_VELOCITY;
    const mnsGlBufferId u = registered(s, def);
    for (int k = 0; k < 3; ++k) {
      s.steps(2);
      if (k == 2) {
        const std::uint32_t gone[] = {0, 7, 1001};
        ASSERT_EQ(mnsScene_RemoveParticles(s.scene, gone, 3, nullptr), MNS_OK);
      }
      std::int64_t written = 0;
      ASSERT_EQ(mnsGlBuffer_Update(s.scene, x, &written), MNS_OK) << mnsGetLastError();
      ASSERT_EQ(mnsGlBuffer_Update(s.scene, u, nullptr), MNS_OK) << mnsGetLastError();
      const std::vector<char> host = s.host(MNS_PARTICLE_POSITION), hostVelocity = s.host(MNS_PARTICLE_VELOCITY);
      EXPECT_EQ(std::size_t(written) * 16, host.size());
      EXPECT_EQ(positions.read(host.size()), host);
      EXPECT_EQ(velocities.read(hostVelocity.size()), hostVelocity);
    }
    EXPECT_EQ(wayOf(s, x), device ? MNS_GL_SHARED : MNS_GL_UPLOAD);
    EXPECT_EQ(mnsUnregisterGlBuffer(s.scene, x), MNS_OK);
    EXPECT_EQ(glIsBuffer(positions.name), GL_TRUE);  // the host's
  }
  EXPECT_EQ(context()->takeErrors(), "");
}

TEST(GlBuffer, WhatOpenGlRefusesIsSaid) {
  NEEDS_OPENGL();
  const StepsOnDevice s(nullptr);
  s.steps(1);
  auto lost = std::make_unique<BufferObject>(1 << 20);
  const mnsGlBufferId deleted = registered(s, defOf(*lost));
  lost.reset();
  EXPECT_EQ(mnsGlBuffer_Update(s.scene, deleted, nullptr), MNS_ERROR_INVALID_HANDLE) << mnsGetLastError();
  const BufferObject mapped(1 << 20);
  const mnsGlBufferId id = registered(s, defOf(mapped));
  glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
  ASSERT_NE(glMapBuffer(GL_ARRAY_BUFFER, GL_WRITE_ONLY), nullptr);
  EXPECT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_ERROR_INVALID_ARGUMENT) << mnsGetLastError();
  glBindBuffer(GL_ARRAY_BUFFER, mapped.name);
  glUnmapBuffer(GL_ARRAY_BUFFER);
  EXPECT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
  if (epoxy_has_gl_extension("GL_ARB_buffer_storage")) {
    unsigned name = 0;
    glGenBuffers(1, &name);
    glBindBuffer(GL_ARRAY_BUFFER, name);
    glBufferStorage(GL_ARRAY_BUFFER, 16, nullptr, GL_MAP_WRITE_BIT);
    mnsGlBufferDef def = defOf(mapped);
    def.buffer = name;
    def.grow = true;
    EXPECT_EQ(mnsGlBuffer_Update(s.scene, registered(s, def), nullptr), MNS_ERROR_OUT_OF_MEMORY) << mnsGetLastError();
    glDeleteBuffers(1, &name);
  }
  while (glGetError() != GL_NO_ERROR) {}
  context()->takeErrors();  // of what was provoked
}

// Bindings that the host has made are there afterwards.
TEST(GlBuffer, LeavesBindingsAsTheyWere) {
  NEEDS_OPENGL();
  const StepsOnDevice s(nullptr);
  s.steps(1);
  const BufferObject other(64), target(1 << 20);
  const mnsGlBufferId id = registered(s, defOf(target));
  for (const GLenum t : {GL_ARRAY_BUFFER, GL_COPY_WRITE_BUFFER, GL_COPY_READ_BUFFER}) glBindBuffer(t, other.name);
  ASSERT_EQ(mnsGlBuffer_Update(s.scene, id, nullptr), MNS_OK) << mnsGetLastError();
  for (const GLenum binding : {GL_ARRAY_BUFFER_BINDING, GL_COPY_WRITE_BUFFER, GL_COPY_READ_BUFFER}) {
    GLint bound = 0;
    glGetIntegerv(binding, &bound);
    EXPECT_EQ(unsigned(bound), other.name);
  }
  EXPECT_EQ(context()->takeErrors(), "");
}

// Twice the same film, once with positions that were copied and once with those that the device has written.
TEST(GlBuffer, PicturesAreTheSameByBothWays) {
  NEEDS_OPENGL();
  std::vector<Image> films[2];
  for (const bool door : {false, true}) {
    const StepsOnDevice s(&serialFluidCalls(), true, door ? withDoor() : DeviceOptions{});
    ASSERT_EQ(mnsScene_Start(s.scene), MNS_OK);
    Renderer renderer;
    picture::ScenePicture picture(s.scene);
    for (int k = 0; k < 3; ++k) {
      Image image;
      picture.draw(renderer, 120, 80, image);
      films[door].push_back(image);
      s.steps(8);
    }
    picture::GlPositions positions;
    EXPECT_EQ(positions.update(s.scene), door);
  }
  for (std::size_t k = 0; k < films[0].size(); ++k) {
    int most = 0, differing = 0;
    for (std::size_t i = 0; i < films[0][k].rgb.size(); ++i) {
      const int d = std::abs(int(films[0][k].rgb[i]) - int(films[1][k].rgb[i]));
      most = std::max(most, d);
      differing += d > 0;
    }
    EXPECT_LE(most, kOrder) << "picture " << k << ", " << differing << " of " << films[0][k].rgb.size() << " values";
  }
  EXPECT_NE(films[0][0].rgb, films[0][2].rgb);
  EXPECT_EQ(context()->takeErrors(), "");
}

}  // namespace
}  // namespace meniscus::render

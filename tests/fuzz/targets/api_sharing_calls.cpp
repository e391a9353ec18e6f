// Arrays beside OpenGL, which is one in memory that fails where it is told to, and beside CUDA, which is there where the serial
// device steps the scene.
#include "tests/fuzz/targets/api_session.h"

namespace meniscus::fuzz {
namespace {

constexpr unsigned kName = 5;

void registerBuffer(ApiSession& s) {
  Bytes& b = s.b;
  mnsGlBufferDef def = s.gl->def(kName + unsigned(b.below(2)), std::size_t(b.byte()) * 256);
  if (b.seldom()) def.buffer = b.byte();
  if (b.seldom()) def.load = nullptr;
  if (b.seldom()) def.current = nullptr;
  def.particleField = mnsParticleField(b.seldom() ? b.byte() - 9 : b.below(9));
  if (b.below(3) == 0) def.body = s.pick(s.bodies);
  def.bodyField = mnsBodyField(b.seldom() ? b.byte() - 9 : b.below(11));
  def.grow = b.below(2) == 0;
  if (!def.grow || b.seldom()) def.offset = b.seldom() ? b.byte() - 99 : 16 * b.below(64);
  if (!def.grow && b.below(2)) def.bytes = b.seldom() ? -b.byte() : 64 * b.byte();
  def.share = b.below(4) != 0;
  mnsGlBufferId id{};
  s.keep(MNS_TRY(s, mnsRegisterGlBuffer, s.scene(), s.damaged(def), &id), id, s.buffers);
}
void updateBuffer(ApiSession& s) {
  std::int64_t written = 0;
  MNS_TRY(s, mnsGlBuffer_Update, s.scene(), s.pick(s.buffers), s.to(written));
}
void bufferInfo(ApiSession& s) {
  mnsGlBufferInfo info{};
  s.used("mnsGlBuffer_IsValid", MNS_CALL(mnsGlBuffer_IsValid, s.scene(), s.pick(s.buffers)));
  if (MNS_TRY(s, mnsGlBuffer_GetInfo, s.scene(), s.pick(s.buffers), s.sized(info)) == MNS_OK) s.touch(MNS_OK, info.reason);
}
void unregisterBuffer(ApiSession& s) { MNS_TRY(s, mnsUnregisterGlBuffer, s.scene(), s.pick(s.buffers)); }

// The host's OpenGL: contexts and buffers come and go.
void disturb(ApiSession& s) {
  testing::FakeGl& gl = *s.gl;
  testing::FakeGl::Buffer& buffer = gl.buffers[kName];
  switch (s.b.below(8)) {
    case 0:
      gl.current = !gl.current;
      break;
    case 1:
      gl.group = 1 + s.b.below(2);
      break;
    case 2:
      gl.losses = s.b.below(4);
      break;
    case 3:
      gl.buffers.erase(kName);
      break;
    case 4:
      buffer.mapped = !buffer.mapped;
      break;
    case 5:
      buffer.immutable = !buffer.immutable;
      break;
    case 6:
      buffer.bytes.resize(std::size_t(s.b.byte()) * 64);
      break;
    default:
      gl.missing = s.b.below(2) ? "glMapBufferRange" : "";
  }
}

void cudaParticles(ApiSession& s) {
  mnsCudaView view{};
  MNS_TRY(s, mnsScene_GetCudaParticles, s.scene(), mnsParticleField(s.b.below(11) - 1), s.sized(view));
}
void cudaArray(ApiSession& s) {
  mnsCudaView view{};
  MNS_TRY(s, mnsBody_GetCudaArray, s.scene(), s.pick(s.bodies), mnsBodyField(s.b.below(13) - 1), s.sized(view));
}
void cudaStream(ApiSession& s) {
  std::int32_t device = 0;
  void* stream = nullptr;
  MNS_TRY(s, mnsScene_GetCudaStream, s.scene(), s.to(device), s.to(stream));
  MNS_TRY(s, mnsScene_WaitForCuda, s.scene(), s.b.seldom() ? nullptr : &device);  // the serial device does not look at events
}

}  // namespace

ApiCalls sharingCalls() {
  return {{registerBuffer, 4, kReads}, {updateBuffer, 4, kReads},  {bufferInfo, 2, kReads}, {unregisterBuffer, 1, kReads},
          {disturb, 2, kReads},        {cudaParticles, 2, kReads}, {cudaArray, 4, kReads},  {cudaStream, 1, kReads}};
}

}  // namespace meniscus::fuzz

// For the plug-in with the serial device in the place of a card that the viewer opens as it opens the real one: OpenGL shares its
// buffers with it. MENISCUS_TEST_DOOR in the environment: "closed" shares nothing, "scratch" writes positions where nobody draws
// from.
#include <cstdlib>
#include <cstring>
#include <vector>

#include "engine/exec/device_fluid.h"
#include "tests/shared/gl_door.h"

namespace meniscus {
namespace {

bool asked(const char* what) {
  const char* const door = std::getenv("MENISCUS_TEST_DOOR");
  return door && std::strcmp(door, what) == 0;
}

// As kGlDoor, but for what is handed out.
const SerialGraphics kScratch = {nullptr, testing::kGlDoor.open,
                                 [](void*, std::uint32_t name, std::size_t* bytes) -> void* {
                                   static std::vector<char> memory;
                                   testing::kGlDoor.map(nullptr, name, bytes);
                                   testing::kGlDoor.unmap(nullptr, name);
                                   memory.resize(*bytes);
                                   return memory.data();
                                 },
                                 [](void*, std::uint32_t) { return true; }, testing::kGlDoor.close};

int registerBuffer(const DeviceOptions* options, std::uint32_t buffer, void** resource, char* reason, int n) {
  static const SerialGraphics* const door = asked("closed") ? nullptr : asked("scratch") ? &kScratch : &testing::kGlDoor;
  DeviceOptions own = *options;
  own.graphics = door;
  return deviceFluidCalls().arrays->registerBuffer(&own, buffer, resource, reason, n);
}

}  // namespace

const DeviceFluidCalls& callsWithDoor() {
  static DeviceArrayCalls arrays = *deviceFluidCalls().arrays;
  static DeviceFluidCalls calls = deviceFluidCalls();
  arrays.registerBuffer = registerBuffer;
  calls.arrays = &arrays;
  return calls;
}

}  // namespace meniscus

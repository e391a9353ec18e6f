// For programs that are built with the engine, and need of a scene of the C interface what that does not offer: definitions that
// are not in a file, the record that a run keeps beside its state, and the state itself, to write frames and measure it.
#pragma once

#include <string>
#include <string_view>

#include "engine/exec/device_fluid.h"
#include "engine/scene/scene.h"
#include "engine/world/world.h"
#include "meniscus/meniscus.h"

namespace meniscus::api {

// As mnsLoadScene, of definitions in hand.
mnsResult adoptScene(mnsContext* context, SceneDef&& def, mnsScene** scene);
// As mnsScene_LoadSnapshot of a scene that is not started; record gets what was saved beside the state.
mnsResult startFrom(mnsScene* scene, const std::string& snapshot, std::string* record);
// As mnsScene_SaveSnapshot, with a record beside the state.
mnsResult saveWithRecord(mnsScene* scene, const std::string& path, std::string_view record);
// Of a started scene of particles, while no call changes it.
const World& worldOf(const mnsScene* scene);
int threadCountOf(const mnsScene* scene);
// Whether a device has made its last step.
bool onDevice(const mnsScene* scene);
// The device for the scenes of a context, as a probe would have found it; needed: they may not go to the CPU.
void useDevice(mnsContext* context, const DeviceFluidCalls* calls, bool needed, const DeviceOptions& options = {});
// Bytes that an mnsCudaView points to.
void readDeviceOf(const mnsScene* scene, void* to, const void* from, std::int64_t bytes);

}  // namespace meniscus::api

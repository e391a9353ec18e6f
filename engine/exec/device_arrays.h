// Arrays of the fluid that stay on the device, for callers who read them there or draw them: behind plain C types, like the calls
// of engine/exec/device_fluid.h.
#pragma once

#include <cstdint>

#include "engine/exec/device_options.h"
#include "kernels/core/macros.h"

namespace meniscus {

enum class DeviceField : std::int32_t {
  position = 0,      // 4 floats: xyz in the world frame [m], inverse mass [1/kg]
  velocity = 1,      // 4 floats: xyz [m/s], 0
  pressure = 2,      // float [Pa]
  densityError = 3,  // float
  deficiency = 4,    // float
  id = 5,            // 32 bits
  fluid = 6,         // 32 bits, from 1
  leaked = 7         // a byte
};
constexpr int kDeviceFields = 8;

// A field by particle in the order of ascending ids, and what it takes of the scene to make it.
struct DeviceFieldDef {
  DeviceField field;
  double origin[3];          // of the domain in the world frame [m]
  int kinds;                 // of fluids
  const float* inverseMass;  // a kind [1/kg]
  int idBits;                // ids are below 2^idBits; at most 31
};

// Where an array is. Pointers are the device's own.
struct DeviceArray {
  void* data;
  std::int64_t count;
  int device;    // number of the graphics card
  void* stream;  // that writes it; null: the default one
  void* ready;   // an event behind what writes it; null: it is written
};

// A call that can fail returns 0, or an ErrorKind and writes a text of at most n bytes. `fluid` is of DeviceFluidCalls::create; its
// next step or upload makes arrays stale.
struct DeviceArrayCalls {
  int (*gather)(void* fluid, const DeviceFieldDef* def, DeviceArray* array, char* reason, int n);
  // An array that the host has made; slot: which of them, any number.
  int (*put)(void* fluid, std::int32_t slot, const void* from, std::int64_t bytes, DeviceArray* array, char* reason, int n);
  // The device and its stream; data and ready are null.
  void (*where)(void* fluid, DeviceArray* array);
  // What is launched from now on comes behind an event of the caller's.
  int (*waitFor)(void* fluid, void* event, char* reason, int n);
  // Bytes of device memory to the host, behind all that has been launched.
  int (*read)(void* fluid, void* to, const void* from, std::int64_t bytes, char* reason, int n);
  // A buffer of the graphics context that is current on this thread; null: none.
  int (*registerBuffer)(const DeviceOptions* options, std::uint32_t buffer, void** resource, char* reason, int n);
  void (*unregisterBuffer)(void* resource);
  // Writes a field from `offset` on; count gets the items. Fails where `bytes` or the buffer do not hold them.
  int (*writeBuffer)(void* fluid, void* resource, std::int64_t offset, std::int64_t bytes, const DeviceFieldDef* def,
                     std::int64_t* count, char* reason, int n);
};

// Bytes of an item.
inline std::int64_t itemBytes(DeviceField field) {
  return field == DeviceField::position || field == DeviceField::velocity ? 16 : field == DeviceField::leaked ? 1 : 4;
}

}  // namespace meniscus

MNS_NS_BEGIN

// Of the device that the asking file is built for; engine/particle/device has them.
const DeviceArrayCalls& deviceArrayCalls();

MNS_NS_END

// How pictures show the scene: kept for those who make them.
#include <cmath>

#include "engine/api/convert.h"
#include "engine/api/defs.h"
#include "engine/api/objects.h"
#include "engine/scene/view.h"

using namespace meniscus;
using namespace meniscus::api;

namespace {

mnsLook lookOf(const ViewDef& v) {
  mnsLook look{};
  look.fluid = mnsFluidLook(int(v.fluid));
  look.colour = mnsFluidColour(int(v.colour));
  if (!v.range.empty()) {
    look.low = v.range[0];
    look.high = v.range[1];
  }
  look.stretch = v.stretch;
  look.sky = v.sky;
  look.dark = v.dark;
  look.shadows = v.shadows;
  look.tank = v.tank;
  look.sheetOpacity = v.sheetOpacity;
  look.slice = mnsSlice(v.slice.axis + 1);
  look.slicePosition = v.slice.axis < 0 ? 0 : v.slice.position;
  return look;
}

void setLook(ViewDef& v, const mnsLook& look) {
  if (look.fluid < MNS_FLUID_SURFACE || look.fluid > MNS_FLUID_HIDDEN)
    fail(MNS_ERROR_INVALID_ARGUMENT, "fluid is {}, which is none of MNS_FLUID_...", int(look.fluid));
  if (look.colour < MNS_COLOUR_NONE || look.colour > MNS_COLOUR_SMOKE)
    fail(MNS_ERROR_INVALID_ARGUMENT, "colour is {}, which is none of MNS_COLOUR_...", int(look.colour));
  needFinite(look.low, "low");
  needFinite(look.high, "high");
  if (!(look.sheetOpacity >= 0 && look.sheetOpacity <= 1))
    fail(MNS_ERROR_INVALID_ARGUMENT, "sheetOpacity is {}; it must be in 0..1", look.sheetOpacity);
  if (look.slice < MNS_SLICE_NONE || look.slice > MNS_SLICE_Z)
    fail(MNS_ERROR_INVALID_ARGUMENT, "slice is {}, which is none of MNS_SLICE_...", int(look.slice));
  needFinite(look.slicePosition, "slicePosition");
  v.slice = {int(look.slice) - 1, look.slicePosition};
  v.range.clear();
  if (look.high > look.low) v.range = {look.low, look.high};
  v.fluid = FluidLook(int(look.fluid));
  v.colour = FluidColour(int(look.colour));
  v.stretch = look.stretch;
  v.sky = look.sky;
  v.dark = look.dark;
  v.shadows = look.shadows;
  v.tank = look.tank;
  v.sheetOpacity = look.sheetOpacity;
}

CameraDef toCamera(const mnsCamera& c) {
  CameraDef d;
  needNotNegative(c.time, "time of a camera");
  d.time = c.time;
  d.eye = toPlace(c.eye, "eye");
  d.target = toPlace(c.target, "target");
  if (d.eye == d.target) fail(MNS_ERROR_INVALID_ARGUMENT, "eye and target are the same point; there is no direction to look in");
  if (!(c.fieldOfView >= 1 && c.fieldOfView <= 170))
    fail(MNS_ERROR_INVALID_ARGUMENT, "fieldOfView is {} degrees; it must be in 1..170", c.fieldOfView);
  d.fieldOfView = c.fieldOfView;
  return d;
}

}  // namespace

extern "C" {

mnsResult mnsScene_GetLook(mnsScene* scene, mnsLook* look) {
  return read(scene, [&](mnsScene& s) {
    giveOut(look, lookOf(s.current().output.view), "mnsLook");
    return MNS_OK;
  });
}

mnsResult mnsScene_SetLook(mnsScene* scene, const mnsLook* look) {
  return write(scene, [&](mnsScene& s) {
    ViewDef view = s.current().output.view;
    mnsLook full = lookOf(view);
    takeIn(full, look, "mnsLook");
    setLook(view, full);
    s.current().output.view = std::move(view);
    return MNS_OK;
  });
}

mnsResult mnsScene_GetCamera(mnsScene* scene, double time, mnsCamera* camera) {
  return read(scene, [&](mnsScene& s) {
    needPointer(camera, "camera");
    needFinite(time, "time");
    const std::vector<CameraDef>& path = s.current().output.view.camera;
    if (path.empty()) fail(MNS_ERROR_NOT_FOUND, "the scene has no camera");
    const CameraDef c = cameraAt(path, time);
    *camera = {c.time, fromVec(c.eye), fromVec(c.target), c.fieldOfView};
    return MNS_OK;
  });
}

mnsResult mnsScene_SetCameras(mnsScene* scene, const mnsCamera* cameras, int32_t count) {
  return write(scene, [&](mnsScene& s) {
    if (count < 0) fail(MNS_ERROR_INVALID_ARGUMENT, "the number of cameras is {}", count);
    if (count > 0) needPointer(cameras, "cameras");
    std::vector<CameraDef> path;
    for (std::int32_t k = 0; k < count; ++k) {
      path.push_back(toCamera(cameras[k]));
      if (k > 0 && !(path[std::size_t(k) - 1].time < path.back().time))
        fail(MNS_ERROR_INVALID_ARGUMENT, "the cameras must follow each other in time: {} s comes after {} s", path.back().time,
             path[std::size_t(k) - 1].time);
    }
    s.current().output.view.camera = std::move(path);
    return MNS_OK;
  });
}

}  // extern "C"

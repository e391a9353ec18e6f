#include "apps/viewer/device_menu.h"

#include <imgui.h>

#include <cstring>

#include "apps/picture/check.h"
#include "apps/viewer/app.h"
#include "apps/viewer/text.h"

namespace meniscus::viewer {

const std::vector<mnsDeviceInfo>& devices() {
  static const std::vector<mnsDeviceInfo> found = [] {
    std::int32_t count = 0;
    picture::check(mnsGetDevices(nullptr, sizeof(mnsDeviceInfo), 0, &count));
    std::vector<mnsDeviceInfo> infos(std::size_t(count), mnsDeviceInfo{});
    for (mnsDeviceInfo& info : infos) info.structSize = sizeof info;
    picture::check(mnsGetDevices(infos.data(), sizeof(mnsDeviceInfo), count, &count));
    return infos;
  }();
  return found;
}

void deviceMenu(App& app) {
  const bool open = ImGui::BeginMenu("Device");
  app.mark("menu", "Device");
  if (!open) return;
  const auto choice = [&](const char* name, mnsDevice device, bool usable) {
    if (ImGui::MenuItem(name, nullptr, app.device() == device, usable)) app.chooseDevice(device);
  };
  choice("Automatic", MNS_DEVICE_AUTO, true);
  app.mark("device", "Automatic");
  // no wider than a menu has room beside another one: the rest of a long name is wrapped below it
  const float room = ImGui::GetFontSize() * 18;
  const auto wrapped = [&](const char* words) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
    ImGui::TextDisabled("%s", words);
    ImGui::PopTextWrapPos();
  };
  for (const mnsDeviceInfo& info : devices()) {
    const bool cpu = info.device == MNS_DEVICE_CPU;
    const char* const name = info.usable ? info.name : "not available";
    const int length = int(std::strcspn(name, ",;"));
    choice(Line("%s: %.*s", cpu ? "CPU" : "CUDA", length, name).c_str(), info.device, info.usable);
    app.mark("device", cpu ? "CPU" : "CUDA");
    if (name[length]) wrapped(name + length + 1 + std::strspn(name + length + 1, " "));
    if (info.usable || !*info.reason) continue;
    wrapped(info.reason);
    app.mark("device", "reason");
  }
  ImGui::Separator();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
  if (app.hasScene()) {
    ImGui::TextUnformatted(app.state->device.c_str());
    app.mark("device", "now");
  }
  ImGui::TextDisabled("Another device loads the scene again, from its start.");
  ImGui::PopTextWrapPos();
  ImGui::EndMenu();
}

}  // namespace meniscus::viewer

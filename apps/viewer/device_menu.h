// What steps scenes: the devices of this machine, as the menu offers them.
#pragma once

#include <meniscus/meniscus.h>

#include <vector>

namespace meniscus::viewer {

// Of this machine, the CPU first; asked for once, as a card answers slowly. Throws Error where the library refuses.
const std::vector<mnsDeviceInfo>& devices();

class App;
// A choice of them within a menu. One that cannot be used says why.
void deviceMenu(App& app);

}  // namespace meniscus::viewer

// Colours and sizes of the panels.
#pragma once

#include <imgui.h>

namespace meniscus::viewer {

void applyTheme(bool dark, float scale);

// Of the theme in use.
ImU32 accentColour();  // what is chosen or changed
ImU32 warningColour();
ImU32 errorColour();
ImU32 dimColour();  // units, hints
ImVec4 toVector(ImU32 colour);

// The next button (or check box) comes beside the last item where there is room for its label, else below it.
void besideIfRoom(const char* label, bool box = false);

}  // namespace meniscus::viewer

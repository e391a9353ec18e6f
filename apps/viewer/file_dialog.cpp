#include "apps/viewer/file_dialog.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "apps/viewer/paths.h"
#include "apps/viewer/text.h"
#include "apps/viewer/theme.h"

namespace meniscus::viewer {

namespace fs = std::filesystem;

void FileDialog::ask(Purpose purpose, const std::string& title, const std::string& folder, const std::string& name,
                     const std::string& extension, Answer answer) {
  purpose_ = purpose;
  title_ = title;
  name_ = name;
  extension_ = extension;
  answer_ = std::move(answer);
  overwriting_ = false;
  open_ = fresh_ = true;
  places_ = {{"Home", homeFolder()}, {"Example scenes", scenesFolder()}, {"Started from", absolutePath(".")}, {"File system", "/"}};
  goTo(folder.empty() ? homeFolder() : folder);
}

void FileDialog::goTo(const std::string& folder) {
  folder_ = absolutePath(folder);
  pathText_ = folder_;
  read();
}

void FileDialog::read() {
  entries_.clear();
  error_.clear();
  std::error_code error;
  for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    Entry e;
    std::error_code ignored;
    e.name = it->path().filename().string();
    e.folder = it->is_directory(ignored);
    if (e.name.empty() || e.name[0] == '.') continue;
    if (!e.folder && (purpose_ == Purpose::folder || it->path().extension() != extension_)) continue;
    if (!e.folder) e.bytes = it->file_size(ignored);
    entries_.push_back(e);
  }
  if (error) error_ = folder_ + ": " + error.message();
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.folder != b.folder ? a.folder : a.name < b.name; });
}

void FileDialog::showPlaces(float width) {
  ImGui::BeginChild("places", {width, 0}, true);
  for (const Place& place : places_)
    if (!place.folder.empty() && ImGui::Selectable(place.label, place.folder == folder_)) goTo(place.folder);
  ImGui::EndChild();
}

void FileDialog::showEntries() {
  std::string enter;
  ImGui::BeginChild("entries", {0, 0}, true);
  if (!error_.empty()) ImGui::TextColored(toVector(errorColour()), "%s", error_.c_str());
  if (entries_.empty() && error_.empty())
    purpose_ == Purpose::folder ? ImGui::TextDisabled("No folders here.")
                                : ImGui::TextDisabled("No folders and no *%s files here.", extension_.c_str());
  for (const Entry& e : entries_) {
    const Line label(e.folder ? "%s/" : "%s", e.name.c_str());
    if (ImGui::Selectable(label.c_str(), !e.folder && e.name == name_, ImGuiSelectableFlags_AllowDoubleClick)) {
      if (!e.folder) name_ = e.name;
      if (e.folder) enter = (fs::path(folder_) / e.name).string();
      if (!e.folder && ImGui::IsMouseDoubleClicked(0)) choose();
    }
    if (!e.folder) {
      const Line size = e.bytes < 10000 ? Line("%ju B", e.bytes) : Line("%.0f kB", double(e.bytes) / 1000);
      ImGui::SameLine(ImGui::GetContentRegionMax().x - ImGui::CalcTextSize(size.c_str()).x);
      ImGui::TextDisabled("%s", size.c_str());
    }
  }
  ImGui::EndChild();
  if (!enter.empty()) goTo(enter);
}

void FileDialog::choose() {
  std::string path = folder_;
  if (purpose_ != Purpose::folder) {
    if (name_.empty()) return;
    path = (fs::path(folder_) / name_).string();
    if (purpose_ == Purpose::save && fs::path(path).extension() != extension_) path += extension_;
  }
  std::error_code error;
  if (purpose_ == Purpose::open && !fs::is_regular_file(path, error)) {
    error_ = path + ": there is no such file";
    return;
  }
  if (purpose_ == Purpose::save && fs::exists(path, error) && !overwriting_) {
    overwriting_ = refocus_ = true;  // with the keyboard too: Enter again
    return;
  }
  open_ = false;
  answer_(path);
}

void FileDialog::showQuestion() {
  if (!overwriting_) return;
  ImGui::TextColored(toVector(warningColour()), "%s is there already.", name_.c_str());
  ImGui::SameLine();
  if (ImGui::Button("Replace it (Enter)")) choose();
  ImGui::SameLine();
  if (ImGui::Button("Keep it")) overwriting_ = false;
}

void FileDialog::show(float scale) {
  if (!open_) return;
  if (fresh_) ImGui::OpenPopup(title_.c_str());
  const ImVec2 room = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({room.x / 2, room.y / 2}, ImGuiCond_Appearing, {.5f, .5f});
  ImGui::SetNextWindowSize({std::min(720 * scale, room.x * .92f), std::min(480 * scale, room.y * .88f)}, ImGuiCond_Appearing);
  if (!ImGui::BeginPopupModal(title_.c_str(), &open_, ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoCollapse)) return;
  if (ImGui::Button("Up")) goTo(fs::path(folder_).parent_path().string());
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputText("##folder", &pathText_, ImGuiInputTextFlags_EnterReturnsTrue)) goTo(pathText_);
  const float below = (overwriting_ ? 2 : 1) * ImGui::GetFrameHeightWithSpacing();
  ImGui::BeginChild("middle", {0, -below});
  showPlaces(150 * scale);
  ImGui::SameLine();
  showEntries();
  ImGui::EndChild();
  showQuestion();
  bool done = false;
  if (purpose_ != Purpose::folder) {
    ImGui::SetNextItemWidth(-200 * scale);
    if (fresh_ || refocus_) ImGui::SetKeyboardFocusHere();
    refocus_ = false;
    done = ImGui::InputTextWithHint("##name", "file name", &name_, ImGuiInputTextFlags_EnterReturnsTrue);
    if (ImGui::IsItemEdited()) overwriting_ = false;
    ImGui::SameLine();
  }
  fresh_ = false;
  const char* const verbs[] = {"Open", "Save", "Use this folder"};
  done |= ImGui::Button(verbs[int(purpose_)], {110 * scale, 0});
  ImGui::SameLine();
  if (ImGui::Button("Cancel", {-1, 0}) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape))) open_ = false;
  if (done && open_) choose();
  if (!open_) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

}  // namespace meniscus::viewer

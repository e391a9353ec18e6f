// Asks for a file: folders and files of an extension, with the folders one mostly wants at hand.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace meniscus::viewer {

class FileDialog {
 public:
  enum class Purpose { open, save, folder };
  using Answer = std::function<void(const std::string& path)>;

  void ask(Purpose purpose, const std::string& title, const std::string& folder, const std::string& name,
           const std::string& extension, Answer answer);
  bool open() const { return open_; }
  void show(float scale);
  const std::string& folder() const { return folder_; }

 private:
  struct Entry {
    std::string name;
    bool folder = false;
    std::uintmax_t bytes = 0;
  };
  struct Place {
    const char* label;
    std::string folder;
  };
  void read();
  void goTo(const std::string& folder);
  void showPlaces(float width);
  void showEntries();
  void choose();
  void showQuestion();

  Purpose purpose_ = Purpose::open;
  Answer answer_;
  std::string title_, folder_, name_, extension_, error_, pathText_;
  std::vector<Entry> entries_;
  std::vector<Place> places_;
  bool open_ = false, fresh_ = false, overwriting_ = false;
  bool refocus_ = false;  // the name is to have the keyboard
};

}  // namespace meniscus::viewer

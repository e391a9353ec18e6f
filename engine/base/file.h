// Whole files: written under a temporary name and renamed, so that a reader never meets half a file, whatever happens.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace meniscus {

// Replaces the file `path`, or the one it links to, by the given bytes; a device or pipe is written to. The data is on the disk
// when this returns. Throws Error(input) naming path and cause (disk full, folder missing or not writable); then `path` is as it
// was and nothing temporary is left.
void writeWholeFile(const std::string& path, std::string_view data);

// Removes from a folder the temporary files of writeWholeFile whose process is no more: it was killed while it wrote. What belongs
// to a process that lives, and what cannot be removed, stays. Nothing where there is no such folder.
void removeAbandonedParts(const std::string& folder);

// Throws Error(input) naming path and cause.
std::string readWholeFile(const std::string& path);

// "UTF-16" or "UTF-32" where a text is in that: by the mark before it, or by the bytes 0 in its first character, which is one of
// ASCII in every text that is read here. Null where it may be UTF-8.
const char* wideEncodingOf(std::string_view text);

// Throws Error(input) that says of a file in which encoding it is and to save it as UTF-8.
[[noreturn]] void refuseEncoding(const std::string& path, const char* encoding);

// The same of a file of text, without the mark that some editors put before UTF-8. Throws Error(input) for UTF-16 and UTF-32,
// saying so.
std::string readTextFile(const std::string& path);

// Makes the folder and those above it. Throws Error(input) where that cannot be, or where files cannot be created in it.
void makeFolder(const std::string& path);

// The absolute path of a file or folder; of an empty one, as a name without a folder has it for a parent, the folder of work.
// Throws Error(input) where that is no more.
std::filesystem::path absolutePath(const std::filesystem::path& path);

// Throws what makeFolder would throw, as far as that can be known without making anything.
void checkFolder(const std::string& path);

// Throws Error(input) naming the folder where it is not there or no files can be created in it.
void checkFolderExists(const std::string& path);

}  // namespace meniscus

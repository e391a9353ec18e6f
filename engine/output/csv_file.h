// A CSV file that grows by a whole line a step.
#pragma once

#include <cstdint>
#include <string>

namespace meniscus {

// Without commas, quotes and ends of lines, which would end a column.
std::string csvName(const std::string& name);

class CsvFile {
 public:
  // header: its first line, with the line's end. Starts the file anew, or keeps the lines whose first number is up to `keep` where
  // the file exists with this header and a run goes on.
  CsvFile(const std::string& path, const std::string& header, std::uint64_t keep);
  ~CsvFile();
  CsvFile(const CsvFile&) = delete;
  CsvFile& operator=(const CsvFile&) = delete;

  // A line with its end. Throws Error(input) where it cannot be written; the file then ends with the last whole line.
  void add(const std::string& line);

 private:
  std::string path_;
  int fd_ = -1;
};

}  // namespace meniscus

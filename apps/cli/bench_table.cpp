#include "apps/cli/bench_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "engine/base/error.h"
#include "engine/base/file.h"
#include "engine/exec/exec.h"

namespace meniscus::cli {
namespace {

constexpr const char* kHeader = "machine,threads,version,name,value,unit,state_hash";
constexpr std::size_t kColumns = 7;

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

[[noreturn]] void refuse(const std::string& path, int line, const std::string& what) {
  throw Error(ErrorKind::input, fmt::format("{}:{}: {}", path, line, what));
}

// The cells of a line, quoted ones without their quotes. False where a quote is not closed.
bool split(const std::string& line, std::vector<std::string>& cells) {
  cells.assign(1, "");
  bool inside = false;
  for (std::size_t k = 0; k < line.size(); ++k) {
    const char c = line[k];
    if (inside && c == '"' && k + 1 < line.size() && line[k + 1] == '"')
      cells.back() += line[++k];
    else if (c == '"')
      inside = !inside;
    else if (c == ',' && !inside)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return !inside;
}

double numberOf(const std::string& text, const std::string& path, int line, const char* column) {
  char* end = nullptr;
  const double v = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != 0 || !std::isfinite(v))
    refuse(path, line, fmt::format("\"{}\" in the column {} is not a finite number", text, column));
  return v;
}

BenchRow rowOf(const std::vector<std::string>& cells, const std::string& path, int line) {
  if (cells.size() != kColumns) refuse(path, line, fmt::format("{} cells instead of {}: {}", cells.size(), kColumns, kHeader));
  BenchRow r{cells[0], 0, cells[2], cells[3], numberOf(cells[4], path, line, "value"), cells[5], cells[6], line};
  const double threads = numberOf(cells[1], path, line, "threads");
  if (!(threads >= 1 && threads <= 1024 && threads == std::floor(threads)))
    refuse(path, line, fmt::format("\"{}\" is no number of threads", cells[1]));
  r.threads = int(threads);
  if (r.name.empty()) refuse(path, line, "the figure has no name");
  const bool digits = r.hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!r.hash.empty() && (r.hash.size() != 16 || !digits))
    refuse(path, line, fmt::format("\"{}\" is no state hash of 16 hexadecimal digits", r.hash));
  return r;
}

}  // namespace

bool BenchRow::isCost() const {
  const std::string first = unit.substr(0, unit.find(' '));
  for (const char* cost : {"ns", "us", "ms", "s", "bytes", "MB"})
    if (first == cost) return true;
  return false;
}

std::vector<BenchRow> readBenchTable(const std::string& path) {
  std::istringstream lines(readTextFile(path));
  std::vector<BenchRow> rows;
  std::vector<std::string> cells;
  bool header = false;
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      if (line != kHeader)
        refuse(path, number, fmt::format("this is not a table of `meniscus bench --csv`: {} is missing", kHeader));
      header = true;
      continue;
    }
    if (!split(line, cells)) refuse(path, number, "a quote is not closed");
    rows.push_back(rowOf(cells, path, number));
    const auto same = [&](const BenchRow& r) { return r.name == rows.back().name; };
    const auto first = std::find_if(rows.begin(), rows.end(), same);
    if (first + 1 != rows.end())
      refuse(path, number, fmt::format("\"{}\" is there already, in line {}", rows.back().name, first->line));
  }
  if (rows.empty()) refuse(path, std::max(1, number), "the table has no figures; write one with --csv");
  return rows;
}

BenchTable::BenchTable(const BenchTableOptions& options, int threads, const std::string& machine) : options_(options) {
  if (!options_.csv.empty()) checkFolderExists(std::filesystem::absolute(options_.csv).parent_path().string());
  if (!options_.compare.empty()) stored_ = readBenchTable(options_.compare);
  common_.machine = machine;
  common_.threads = threads > 0 ? threads : Exec::processors();
  common_.version = versionAndCommit();
}

void BenchTable::add(const std::string& name, double value, const std::string& unit, const std::string& hash) {
  const auto taken = [&](const std::string& n) {
    return std::any_of(rows_.begin(), rows_.end(), [&](const BenchRow& r) { return r.name == n; });
  };
  BenchRow r = common_;
  r.name = name;
  for (int k = 2; taken(r.name); ++k) r.name = fmt::format("{} #{}", name, k);
  r.value = value;
  r.unit = unit;
  r.hash = hash;
  rows_.push_back(std::move(r));
}

void BenchTable::write() const {
  std::string csv;
  std::istringstream note(options_.note);
  for (std::string line; std::getline(note, line);) csv += "# " + line + "\n";
  csv += std::string(kHeader) + "\n";
  for (const BenchRow& r : rows_)
    csv += fmt::format("{},{},{},{},{:.6g},{},{}\n", quoted(r.machine), r.threads, quoted(r.version), quoted(r.name), r.value,
                       quoted(r.unit), r.hash);
  writeWholeFile(options_.csv, csv);
}

int BenchTable::finish() const {
  if (!options_.csv.empty()) write();
  return stored_.empty() ? 0 : compare();
}

}  // namespace meniscus::cli

// One of n parts of a list of scenes or cases, so that several machines or jobs of a scheduler share a suite.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace meniscus::cli {

struct Shard {
  int index = 1, count = 1;    // the index-th of count, from 1
  std::string what = "items";  // that are shared out, in the plural

  // Every count-th one: items that stand together, and take about as long, go to different shards.
  bool has(std::size_t item) const { return item % std::size_t(count) == std::size_t(index - 1); }
  // Says on standard error where there is nothing for this shard.
  template <class T>
  std::vector<T> of(const std::vector<T>& all) const {
    std::vector<T> mine;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (has(k)) mine.push_back(all[k]);
    if (mine.empty() && !all.empty()) sayEmpty(all.size());
    return mine;
  }

 private:
  void sayEmpty(std::size_t items) const;
};

// The option --shard i/n. what: the things it shares out, in the plural.
void addShard(CLI::App* command, Shard& shard, const std::string& what);

}  // namespace meniscus::cli

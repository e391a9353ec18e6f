// Deterministic damage: the same seed gives the same bytes on every machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace meniscus::testing {

class Mutator {
 public:
  // words: what is put in besides single bytes, such as keywords and telling numbers of a format
  Mutator(std::uint64_t seed, std::vector<std::string> words) : random_(seed), words_(std::move(words)) {}

  // One to `most` changes of `bytes`, among them bits, bytes, words, numbers, cuts, repetitions.
  std::string operator()(std::string bytes, std::size_t most) {
    for (std::size_t k = 1 + below(most); k > 0; --k) change(bytes);
    return bytes;
  }
  std::size_t below(std::size_t n) { return n ? std::size_t(random_() % n) : 0; }

 private:
  void change(std::string& s) {
    const std::size_t at = below(s.size() + 1), length = below(std::min<std::size_t>(s.size() - at, 40) + 1);
    switch (below(9)) {
      case 0:
        if (at < s.size()) s[at] = char(s[at] ^ char(1 << below(8)));
        return;
      case 1:
        if (at < s.size()) s[at] = char(random_());
        return;
      case 2:
        s.resize(at);
        return;
      case 3:
        s.erase(at, length);
        return;
      case 4:
        s.insert(below(s.size() + 1), s.substr(at, length));
        return;
      case 5:
        s.insert(at, words_[below(words_.size())]);
        return;
      case 6:
        s.replace(at, length, words_[below(words_.size())]);
        return;
      default:
        replaceNumber(s, at);
        return;
    }
  }
  // The number at or behind `at` becomes a word.
  void replaceNumber(std::string& s, std::size_t at) {
    const char* const digits = "0123456789.eE+-";
    const std::size_t begin = s.find_first_of("0123456789", at);
    if (begin == std::string::npos) return;
    std::size_t end = begin;
    while (end < s.size() && std::string(digits).find(s[end]) != std::string::npos) ++end;
    s.replace(begin, end - begin, words_[below(words_.size())]);
  }

  std::mt19937_64 random_;
  std::vector<std::string> words_;
};

// Calls once(seed) for the seeds 1 to `usual`; where the environment sets MENISCUS_FUZZ_SECONDS, from there on until the time is
// over instead.
template <class Once>
void forSeeds(std::uint64_t usual, const Once& once) {
  const char* longer = std::getenv("MENISCUS_FUZZ_SECONDS");
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(longer ? std::atof(longer) : 0);
  for (std::uint64_t seed = 1; seed <= usual || (longer && std::chrono::steady_clock::now() < end); ++seed) once(seed);
}

}  // namespace meniscus::testing

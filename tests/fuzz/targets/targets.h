// What is fuzzed: functions that take any bytes and must end, without a crash, a hang or an exception, and with what they promise
// held. libFuzzer drives them (MENISCUS_FUZZ), and a test replays the inputs that have been worth keeping.
#pragma once

#include <cstddef>
#include <cstdint>

namespace meniscus::fuzz {

void sceneText(const std::uint8_t* data, std::size_t size);
void meshOff(const std::uint8_t* data, std::size_t size);
void meshObj(const std::uint8_t* data, std::size_t size);
void meshStl(const std::uint8_t* data, std::size_t size);
void meshPly(const std::uint8_t* data, std::size_t size);
void meshMsh(const std::uint8_t* data, std::size_t size);
void meshVtk(const std::uint8_t* data, std::size_t size);
void meshTetGen(const std::uint8_t* data, std::size_t size);  // .node and .ele with a zero byte between them
void snapshot(const std::uint8_t* data, std::size_t size);
void apiCalls(const std::uint8_t* data, std::size_t size);

struct Target {
  const char* name;
  void (*run)(const std::uint8_t* data, std::size_t size);
};
constexpr Target kTargets[] = {{"sceneText", sceneText}, {"meshOff", meshOff},  {"meshObj", meshObj}, {"meshStl", meshStl},
                               {"meshPly", meshPly},     {"meshMsh", meshMsh},  {"meshVtk", meshVtk}, {"meshTetGen", meshTetGen},
                               {"snapshot", snapshot},   {"apiCalls", apiCalls}};

// Ends the process with the reason: what libFuzzer and a test runner both see as a crash.
[[noreturn]] void broken(const char* promise);

}  // namespace meniscus::fuzz

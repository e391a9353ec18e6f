# libFuzzer targets, one program each (tests/fuzz/targets): cmake --preset fuzz, then
#   build/fuzz/bin/fuzz_sceneText -max_total_time=3600 new tests/fuzz/corpus/sceneText
# The sanitizers are on. Needs clang.
option(MENISCUS_FUZZ "Build the libFuzzer targets (clang)" OFF)
if(NOT MENISCUS_FUZZ)
  return()
endif()
if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  message(FATAL_ERROR "MENISCUS_FUZZ needs clang: use the preset fuzz, or set CMAKE_CXX_COMPILER=clang++")
endif()
target_compile_options(meniscus_flags INTERFACE -fsanitize=fuzzer-no-link)
file(GLOB fuzz_sources CONFIGURE_DEPENDS tests/fuzz/targets/*.cpp)
list(FILTER fuzz_sources EXCLUDE REGEX "/fuzz_main.cpp$")
add_library(meniscus_fuzz_targets OBJECT ${fuzz_sources})
target_link_libraries(meniscus_fuzz_targets PUBLIC meniscus_core)
# they are a C caller, whose enums can have any value
list(FILTER fuzz_sources INCLUDE REGEX "/api_")
set_source_files_properties(${fuzz_sources} PROPERTIES COMPILE_OPTIONS -fno-sanitize=enum)
foreach(target IN ITEMS sceneText meshOff meshObj meshStl meshPly meshMsh meshVtk meshTetGen snapshot apiCalls)
  add_executable(fuzz_${target} tests/fuzz/targets/fuzz_main.cpp)
  target_compile_definitions(fuzz_${target} PRIVATE MENISCUS_FUZZ_TARGET=${target})
  target_link_libraries(fuzz_${target} PRIVATE meniscus_fuzz_targets meniscus_core)
  target_link_options(fuzz_${target} PRIVATE -fsanitize=fuzzer)
endforeach()

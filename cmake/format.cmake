# `format` rewrites the sources after .clang-format, `format-check` only says which ones differ.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(NOT CLANG_FORMAT)
  return()
endif()
file(GLOB_RECURSE formatted CONFIGURE_DEPENDS
  kernels/*.h engine/*.h engine/*.cpp engine/*.cu apps/*.h apps/*.cpp tests/*.h tests/*.cpp)
add_custom_target(format COMMAND ${CLANG_FORMAT} -i ${formatted} VERBATIM)
add_custom_target(format-check COMMAND ${CLANG_FORMAT} --dry-run --Werror ${formatted} VERBATIM)

# The renderer (OpenGL through libepoxy, which opens GL and EGL when they are first used) with its shaders built in.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(EPOXY QUIET IMPORTED_TARGET epoxy)
endif()
find_package(glm QUIET)
find_path(STB_INCLUDE stb/stb_easy_font.h)
if(NOT EPOXY_FOUND OR NOT glm_FOUND OR NOT STB_INCLUDE)
  message(STATUS "libepoxy, glm or stb not found: no renderer, no viewer (Debian: libepoxy-dev libglm-dev libstb-dev)")
  return()
endif()

file(GLOB shader_files CONFIGURE_DEPENDS shaders/*.vert shaders/*.frag shaders/*.comp shaders/*.glsl)
set(embedded ${CMAKE_BINARY_DIR}/embedded_shaders.cpp)
add_custom_command(OUTPUT ${embedded}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${CMAKE_SOURCE_DIR}/shaders -DOUTPUT=${embedded} -P ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake
  DEPENDS ${shader_files} ${CMAKE_SOURCE_DIR}/cmake/embed_shaders.cmake VERBATIM)

file(GLOB render_sources CONFIGURE_DEPENDS engine/render/*.cpp)
add_library(meniscus_render STATIC ${render_sources} ${embedded})
target_include_directories(meniscus_render SYSTEM PRIVATE ${STB_INCLUDE})
target_link_libraries(meniscus_render PUBLIC meniscus_flags glm::glm PRIVATE PkgConfig::EPOXY)

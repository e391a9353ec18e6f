# The interactive viewer: GLFW, Dear ImGui (Debian's library has the backends for GLFW and OpenGL 3 in it), the C interface and the
# renderer.
if(NOT TARGET meniscus_render)
  return()
endif()

# From a scene of the C interface to what the renderer draws. It takes the interface from whichever library its user links.
file(GLOB picture_sources CONFIGURE_DEPENDS apps/picture/*.cpp)
add_library(meniscus_picture STATIC ${picture_sources})
target_link_libraries(meniscus_picture PUBLIC meniscus_flags meniscus_render PkgConfig::EPOXY)

# Films by ffmpeg. Errors and files are of the library that its user links.
file(GLOB film_sources CONFIGURE_DEPENDS apps/film/*.cpp)
add_library(meniscus_film STATIC ${film_sources})
target_link_libraries(meniscus_film PUBLIC meniscus_flags)

find_package(glfw3 3.3 QUIET)
find_package(CLI11 QUIET)
pkg_check_modules(IMGUI QUIET imgui)
if(NOT glfw3_FOUND OR NOT IMGUI_FOUND OR NOT CLI11_FOUND)
  message(STATUS "GLFW, Dear ImGui or CLI11 not found: no viewer (Debian: libglfw3-dev libimgui-dev libcli11-dev)")
  return()
endif()
file(GLOB viewer_sources CONFIGURE_DEPENDS apps/viewer/*.cpp apps/viewer/panels/*.cpp)
# what writes whole files is not of the C interface
add_executable(meniscus-viewer ${viewer_sources} engine/base/file.cpp engine/base/fmt_instances.cpp)
target_include_directories(meniscus-viewer SYSTEM PRIVATE ${IMGUI_INCLUDE_DIRS})
target_link_libraries(meniscus-viewer PRIVATE meniscus_picture meniscus_film meniscus_shared PkgConfig::EPOXY glfw CLI11::CLI11
                      ${IMGUI_LIBRARIES} Threads::Threads)

# The shared library with the C interface. It brings its own copy of the C++ standard library and exports nothing but mns*, so a host
# of any compiler can use it, and all its memory comes from the host's allocator.
add_library(meniscus_shared SHARED engine/api/heap_operators.cpp)
set_target_properties(meniscus_shared PROPERTIES
  OUTPUT_NAME meniscus VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR} EXPORT_NAME meniscus
  LINKER_LANGUAGE CXX
  LINK_DEPENDS ${CMAKE_SOURCE_DIR}/cmake/meniscus.map)
target_link_libraries(meniscus_shared PRIVATE -Wl,--whole-archive $<TARGET_FILE:meniscus_core> -Wl,--no-whole-archive
                      meniscus_flags Threads::Threads ${CMAKE_DL_LIBS})
add_dependencies(meniscus_shared meniscus_core)
target_include_directories(meniscus_shared INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/engine/include>)
target_link_options(meniscus_shared PRIVATE -static-libstdc++ -static-libgcc
                    -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/meniscus.map)
if(NOT MENISCUS_SANITIZE)  # clang leaves the sanitizers' functions to the program
  target_link_options(meniscus_shared PRIVATE -Wl,--no-undefined)
endif()

# `cmake --install` and the packages. Everything below the prefix finds the rest by relative paths, so the tree may be moved.
#   bin/meniscus, meniscus-viewer    the program, and the window
#   lib/libmeniscus.so.*             the C interface; beside it the plug-ins that were built: meniscus_cuda.so, for graphics cards,
#                                    and meniscus_vdb.so, which writes OpenVDB files for the program
#   lib/cmake/meniscus, pkgconfig    for find_package(meniscus) and pkg-config
#   include/meniscus                 its headers
#   share/meniscus                   scenes, meshes, schema of scene files
#   share/doc/meniscus               licence, README, examples with the project file that builds them
# The packages and the header must say the same version.
file(STRINGS engine/include/meniscus/meniscus.h header_version REGEX "#define MNS_VERSION_(MAJOR|MINOR|PATCH) [0-9]+")
string(REGEX REPLACE "[^0-9;]" "" header_version "${header_version}")
list(JOIN header_version . header_version)
if(NOT header_version STREQUAL PROJECT_VERSION)
  message(FATAL_ERROR "meniscus.h is of version ${header_version}, the project of ${PROJECT_VERSION}")
endif()

# `cmake --install FOLDER --component library` puts everything but the programs and the plug-in in place: enough where only the
# target meniscus_shared was built.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
set(CMAKE_INSTALL_LIBDIR lib CACHE PATH "Folder of libraries, below the prefix")
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
file(RELATIVE_PATH lib_from_bin /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
set(cmake_folder ${CMAKE_INSTALL_LIBDIR}/cmake/meniscus)
set(pkgconfig_folder ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set_property(SOURCE engine/base/beside.cpp APPEND PROPERTY COMPILE_DEFINITIONS MENISCUS_LIB_FROM_BIN="${lib_from_bin}")

install(TARGETS meniscus_shared EXPORT meniscus_targets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY engine/include/meniscus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
if(TARGET meniscus)
  set_target_properties(meniscus PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  install(TARGETS meniscus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endif()
if(TARGET meniscus-viewer)
  set_target_properties(meniscus-viewer PROPERTIES INSTALL_RPATH "$ORIGIN/${lib_from_bin}")
  install(TARGETS meniscus-viewer RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT programs)
endif()
if(TARGET meniscus_vdb)
  install(TARGETS meniscus_vdb LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT programs)
endif()
if(TARGET meniscus_cuda)
  install(TARGETS meniscus_cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT cuda)
endif()
# The scanned bunny is another's to hand on; scenes with it are left out too.
install(DIRECTORY assets/scenes assets/meshes assets/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/meniscus
        PATTERN "*.tetcache" EXCLUDE PATTERN "*bunny*" EXCLUDE)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
set(examples ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES cmake/package/examples/CMakeLists.txt DESTINATION ${examples})
install(FILES apps/hello/hello.c DESTINATION ${examples}/hello)
install(DIRECTORY apps/embed/ DESTINATION ${examples}/game)
install(FILES tests/package/consumer/gl.c tests/package/consumer/tank.h DESTINATION ${examples}/opengl)

install(EXPORT meniscus_targets NAMESPACE meniscus:: FILE meniscusTargets.cmake DESTINATION ${cmake_folder})
configure_package_config_file(cmake/package/meniscusConfig.cmake.in ${CMAKE_BINARY_DIR}/package/meniscusConfig.cmake
                              INSTALL_DESTINATION ${cmake_folder} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/meniscusConfigVersion.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/package/meniscusConfig.cmake ${CMAKE_BINARY_DIR}/package/meniscusConfigVersion.cmake
        DESTINATION ${cmake_folder})

file(RELATIVE_PATH prefix_from_pc /${pkgconfig_folder} /)
string(REGEX REPLACE "/$" "" prefix_from_pc "${prefix_from_pc}")
configure_file(cmake/package/meniscus.pc.in ${CMAKE_BINARY_DIR}/package/meniscus.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/package/meniscus.pc DESTINATION ${pkgconfig_folder})

# `cpack` in the build folder makes meniscus-VERSION-Linux-x86_64.tar.gz and, where dpkg is, meniscus_VERSION_amd64.deb.
set(CPACK_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME meniscus)
set(CPACK_PACKAGE_VENDOR Meniscus)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Incompressible fluids and the solids they push: library, C interface, program")
set(CPACK_PACKAGE_DESCRIPTION "Particles on CPU threads: incompressible fluids, cloth, inflatables, soft and rigid bodies, in both
directions. The shared library with its C header, the program meniscus, scenes and meshes.")
set(CPACK_PACKAGE_CONTACT "The Meniscus authors")
set(CPACK_PACKAGE_FILE_NAME meniscus-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
if(DPKG_SHLIBDEPS)
  list(APPEND CPACK_GENERATOR DEB)
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS tetgen)  # cuts surfaces into the tetrahedra of soft bodies
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
include(CPack)

# `reference` writes the reference of the C interface to reference/html of the build folder; what is not documented is an error.
find_program(DOXYGEN doxygen)
if(NOT DOXYGEN)
  return()
endif()
set(MENISCUS_REFERENCE_DIR ${CMAKE_BINARY_DIR}/reference)
configure_file(cmake/Doxyfile.in ${MENISCUS_REFERENCE_DIR}/Doxyfile @ONLY)
add_custom_target(reference COMMAND ${DOXYGEN} ${MENISCUS_REFERENCE_DIR}/Doxyfile VERBATIM)

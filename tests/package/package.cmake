# Checks of what is published that need no program of their own.
if(DOXYGEN)
  add_test(NAME package.reference COMMAND ${DOXYGEN} ${MENISCUS_REFERENCE_DIR}/Doxyfile)
  set_tests_properties(package.reference PROPERTIES LABELS "quick;package" TIMEOUT 300)
endif()

# SPDX-License-Identifier: MIT
# The schema for editors, the examples and the man page.
install(FILES ${PROJECT_SOURCE_DIR}/config/tierd.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tierd)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/config/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.yaml")

find_program(SCDOC scdoc)
if(SCDOC)
  set(source ${PROJECT_SOURCE_DIR}/config/tierd.yaml.5.scd)
  set(page ${PROJECT_BINARY_DIR}/man/tierd.yaml.5)
  add_custom_command(OUTPUT ${page} DEPENDS ${source} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
                     COMMAND ${SCDOC} < ${source} > ${page} VERBATIM)
  add_custom_target(man_config ALL DEPENDS ${page})
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man5)
endif()

# SPDX-License-Identifier: MIT
# The schema for editors, the examples and the man page.
install(FILES ${PROJECT_SOURCE_DIR}/config/tierd.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/tierd)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/config/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.yaml")

tierd_manual_page(${PROJECT_SOURCE_DIR}/config/tierd.yaml.5.scd)

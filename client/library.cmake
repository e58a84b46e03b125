# SPDX-License-Identifier: MIT
target_compile_definitions(tierd_${name} PRIVATE TIERD_VERSION="${PROJECT_VERSION}")
# Candidates come from tierctl itself, the three files only ask it.
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/tierctl.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME tierctl)
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/_tierctl DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${PROJECT_SOURCE_DIR}/client/completion/tierctl.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

foreach(page client/tierctl.1 client/tierd-events.7 daemon/tierd.8)
  tierd_manual_page(${PROJECT_SOURCE_DIR}/${page}.scd)
endforeach()

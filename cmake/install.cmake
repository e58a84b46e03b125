# SPDX-License-Identifier: MIT
# Each file's place comes from the package that owns the place. The bus, polkit and the journal look into their own folders only: so an
# installation into /usr or /usr/local uses those, wherever the programs go; below any other prefix everything stays together.
# Each place can be set by hand (-DTIERD_UNIT_DIR=…).
include(GNUInstallDirs)

function(tierd_place variable module key fallback what)
  set(place "")
  pkg_get_variable(place ${module} ${key})
  if(NOT place)
    set(place /usr/${fallback})
  endif()
  if(NOT CMAKE_INSTALL_PREFIX MATCHES "^/usr(/local)?$")
    set(place ${fallback})
  endif()
  set(${variable} ${place} CACHE PATH ${what})
endfunction()

tierd_place(TIERD_UNIT_DIR       systemd          systemdsystemunitdir   lib/systemd/system                 "system units")
tierd_place(TIERD_CATALOG_DIR    systemd          catalogdir             lib/systemd/catalog                "journal catalogs")
tierd_place(TIERD_ACTIVATION_DIR dbus-1           system_bus_services_dir share/dbus-1/system-services      "activation files of the system bus")
tierd_place(TIERD_INTERFACES_DIR dbus-1           interfaces_dir         share/dbus-1/interfaces            "D-Bus interfaces")
tierd_place(TIERD_POLKIT_DIR     polkit-gobject-1 actiondir              share/polkit-1/actions             "polkit actions")
# dbus-1 names the parent of this one only.
cmake_path(GET TIERD_ACTIVATION_DIR PARENT_PATH dbus_dir)
set(TIERD_BUS_POLICY_DIR ${dbus_dir}/system.d CACHE PATH "policies of the system bus")

install(TARGETS tierd DESTINATION ${CMAKE_INSTALL_SBINDIR})
install(TARGETS tierctl DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS tierd-device DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/tierd)

# Written when it is installed: the prefix may be said as late as that.
install(CODE "
  set(TIERD_FULL_SBINDIR ${CMAKE_INSTALL_SBINDIR})
  cmake_path(ABSOLUTE_PATH TIERD_FULL_SBINDIR BASE_DIRECTORY \"\${CMAKE_INSTALL_PREFIX}\")
  configure_file(${PROJECT_SOURCE_DIR}/systemd/tierd.service.in ${PROJECT_BINARY_DIR}/systemd/tierd.service @ONLY)
")
install(FILES ${PROJECT_BINARY_DIR}/systemd/tierd.service DESTINATION ${TIERD_UNIT_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/systemd/tierd.catalog DESTINATION ${TIERD_CATALOG_DIR})

file(GLOB interfaces CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/dbus/org.tierd1.*.xml)
install(FILES ${interfaces} DESTINATION ${TIERD_INTERFACES_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/dbus/org.tierd1.conf DESTINATION ${TIERD_BUS_POLICY_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/dbus/org.tierd1.service DESTINATION ${TIERD_ACTIVATION_DIR})
install(FILES ${PROJECT_SOURCE_DIR}/dbus/org.tierd1.policy DESTINATION ${TIERD_POLKIT_DIR})

install(FILES ${PROJECT_SOURCE_DIR}/systemd/hardening.md DESTINATION ${CMAKE_INSTALL_DOCDIR})

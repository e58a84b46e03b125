# SPDX-License-Identifier: MIT
# Filled by systemd/, dbus/ and client/: each file's place comes from the package that owns the place.

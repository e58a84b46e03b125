// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include "client/tierctl.hpp"

int main(int argc, char** argv) {
    return tierd::client::run_tierctl(argc, argv);
}

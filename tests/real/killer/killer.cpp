// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 the tierd authors
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/dm-ioctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdarg>
#include <cstdlib>
#include <string>

/// Loaded before lvm (LD_PRELOAD) by tests/real/wrapper: the process kills itself right before the N-th thing that it changes, a write to a
/// disk or a device-mapper request. TIERD_KILL_AT=N, 0 for never; TIERD_KILL_LOG=FILE gets each thing's name, one a line.
namespace {

void point(const char* what) {
    static int count = 0;
    ++count;
    const char* at = std::getenv("TIERD_KILL_AT");
    const char* log = std::getenv("TIERD_KILL_LOG");
    if (log != nullptr) {
        const int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        const std::string line = std::string{what} + '\n';
        if (fd >= 0 && write(fd, line.data(), line.size()) >= 0) close(fd);
    }
    if (at != nullptr && std::atoi(at) == count) kill(getpid(), SIGKILL);
}

const char* name_of(unsigned number, unsigned flags) {
    switch (number) {
        case DM_DEV_CREATE_CMD: return "create";
        case DM_DEV_REMOVE_CMD: return "remove";
        case DM_DEV_RENAME_CMD: return "rename";
        case DM_DEV_SUSPEND_CMD: return (flags & DM_SUSPEND_FLAG) != 0 ? "suspend" : "resume";
        case DM_TABLE_LOAD_CMD: return "load";
        case DM_TABLE_CLEAR_CMD: return "clear";
        case DM_TARGET_MSG_CMD: return "message";
        default: return nullptr;
    }
}

template <typename Function>
Function next(const char* name) {
    return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int ioctl(int fd, unsigned long request, ...) noexcept {
    va_list arguments;
    va_start(arguments, request);
    void* argument = va_arg(arguments, void*);
    va_end(arguments);
    if (_IOC_TYPE(request) == DM_IOCTL) {
        const char* name = name_of(static_cast<unsigned>(_IOC_NR(request)), static_cast<const dm_ioctl*>(argument)->flags);
        if (name != nullptr) point(name);
    }
    static const auto real = next<int (*)(int, unsigned long, void*)>("ioctl");
    return real(fd, request, argument);
}

int io_submit(aio_context_t context, long count, iocb** blocks) {
    for (long i = 0; i < count; ++i) {
        if (blocks[i]->aio_lio_opcode == IOCB_CMD_PWRITE) point("write");
    }
    static const auto real = next<int (*)(aio_context_t, long, iocb**)>("io_submit");
    return real(context, count, blocks);
}
}

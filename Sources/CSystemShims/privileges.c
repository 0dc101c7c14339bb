#define _GNU_SOURCE
#include "CSystemShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "sanitizer.h"

// libseccomp is loaded when a process gives up its privileges, not at launch.
#define FUNCTIONS(each) \
    each(seccomp_attr_set) \
    each(seccomp_init) \
    each(seccomp_load) \
    each(seccomp_release) \
    each(seccomp_rule_add_array)

#define FIELD(name) __typeof__(&name) name;
struct library {
    FUNCTIONS(FIELD)
};

#define TEXT_OF(number) #number
#define NAME(major) "libseccomp.so." TEXT_OF(major)

static int load(struct library *library) {
    void *handle = dlopen(NAME(SCMP_VER_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return -1;
#define FIND(name)                                    \
    *(void **)&library->name = dlsym(handle, #name);  \
    if (!library->name) return -1;
    FUNCTIONS(FIND)
    return 0;
}

// System calls that no decoder needs.
static const int refused[] = {
    // Programs and processes.
    SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
    // The network, and sockets of any kind.
    SCMP_SYS(socket), SCMP_SYS(socketpair), SCMP_SYS(connect), SCMP_SYS(bind), SCMP_SYS(sendto), SCMP_SYS(sendmsg),
    SCMP_SYS(sendmmsg),
    // Other processes.
#if !IS_SANITIZED
    SCMP_SYS(ptrace),
#endif
    SCMP_SYS(process_vm_readv), SCMP_SYS(process_vm_writev), SCMP_SYS(pidfd_open), SCMP_SYS(pidfd_send_signal),
    SCMP_SYS(pidfd_getfd), SCMP_SYS(kill), SCMP_SYS(tkill), SCMP_SYS(rt_sigqueueinfo), SCMP_SYS(rt_tgsigqueueinfo),
    // The system.
    SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(chroot), SCMP_SYS(unshare), SCMP_SYS(setns), SCMP_SYS(setuid),
    SCMP_SYS(setgid), SCMP_SYS(setresuid), SCMP_SYS(setresgid), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
    SCMP_SYS(userfaultfd), SCMP_SYS(keyctl), SCMP_SYS(io_uring_setup), SCMP_SYS(open_by_handle_at),
    SCMP_SYS(init_module), SCMP_SYS(finit_module), SCMP_SYS(kexec_load), SCMP_SYS(capset),
};

// Calls that are refused by their arguments. The kernel uses only the low 32 bits of ioctl's request; the filter must
// ignore the high bits, too.
static const struct {
    int call;
    struct scmp_arg_cmp argument;
} refused_by_argument[] = {
    // Typing into the terminal that standard output may be.
    {SCMP_SYS(ioctl), SCMP_A1_32(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCSTI)},
    {SCMP_SYS(ioctl), SCMP_A1_32(SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, TIOCLINUX)},
#if !IS_SANITIZED
    // Only threads of this process. The sanitizer searches for leaks in a separate process that reads the memory of
    // this one.
    {SCMP_SYS(clone), SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)},
#endif
};

static int add_rules(const struct library *library, scmp_filter_ctx filter) {
    int status = 0;
    for (size_t index = 0; index < sizeof refused / sizeof *refused && status == 0; index++)
        status = library->seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), refused[index], 0, NULL);
    for (size_t index = 0; index < sizeof refused_by_argument / sizeof *refused_by_argument && status == 0; index++)
        status = library->seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), refused_by_argument[index].call, 1,
                                                 &refused_by_argument[index].argument);
    // The C library creates threads with clone3, whose flags a filter cannot see. The filter reports clone3 as missing,
    // so that the C library calls clone instead.
    if (status == 0)
        status = library->seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0, NULL);
    // Allow signals only to this process: `abort` sends one.
    struct scmp_arg_cmp others = SCMP_A0_32(SCMP_CMP_NE, (unsigned)getpid());
    if (status == 0)
        status = library->seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(tgkill), 1, &others);
    return status;
}

static int drop_capabilities(void) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0}};
    // Drop the bounding set first, because that requires a capability. Users without capabilities have nothing to drop.
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return -1;
    return (int)syscall(SYS_capset, &header, none);
}

// Calls of other architectures end the process, including those of the x32 interface, which libseccomp treats as a
// separate architecture.
static int load_filter(const struct library *library) {
    scmp_filter_ctx filter = library->seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) {
        errno = ENOMEM;
        return -1;
    }
    int status = library->seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (status == 0) status = add_rules(library, filter);
    if (status == 0) status = library->seccomp_load(filter);
    library->seccomp_release(filter);
    errno = -status;
    return status == 0 ? 0 : -1;
}

int isobath_drop_privileges(void) {
    struct library library;
    if (load(&library) != 0) return ISOBATH_NO_FILTER;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_capabilities() != 0) return -1;
    return load_filter(&library);
}

#define _GNU_SOURCE
#include "CSystemShims.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/file.h>
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
static struct {
    FUNCTIONS(FIELD)
} library;

#define TEXT_OF(number) #number
#define NAME(major) "libseccomp.so." TEXT_OF(major)

int isobath_load_filter(void) {
    void *handle = dlopen(NAME(SCMP_VER_MAJOR), RTLD_NOW | RTLD_LOCAL);
    if (!handle) return ISOBATH_NO_FILTER;
#define FIND(name)                                    \
    *(void **)&library.name = dlsym(handle, #name);   \
    if (!library.name) return ISOBATH_NO_FILTER;
    FUNCTIONS(FIND)
    return 0;
}

// The system calls that decoders and encoders need. All others are reported as missing (ENOSYS), which makes libraries
// use another call, or do without.
static const int allowed[] = {
    // Reading and writing open files, and pipes.
    SCMP_SYS(read), SCMP_SYS(readv), SCMP_SYS(pread64), SCMP_SYS(preadv), SCMP_SYS(preadv2), SCMP_SYS(write),
    SCMP_SYS(writev), SCMP_SYS(pwrite64), SCMP_SYS(pwritev), SCMP_SYS(pwritev2), SCMP_SYS(lseek), SCMP_SYS(_llseek),
    SCMP_SYS(ftruncate), SCMP_SYS(ftruncate64), SCMP_SYS(fallocate), SCMP_SYS(fadvise64), SCMP_SYS(fadvise64_64),
    SCMP_SYS(readahead), SCMP_SYS(close), SCMP_SYS(close_range), SCMP_SYS(dup), SCMP_SYS(dup2), SCMP_SYS(dup3),
    SCMP_SYS(pipe), SCMP_SYS(pipe2), SCMP_SYS(memfd_create),
    // Names and attributes of files. Landlock limits where files are made, renamed and removed.
    SCMP_SYS(stat), SCMP_SYS(stat64), SCMP_SYS(lstat), SCMP_SYS(lstat64), SCMP_SYS(fstat), SCMP_SYS(fstat64),
    SCMP_SYS(newfstatat), SCMP_SYS(fstatat64), SCMP_SYS(statx), SCMP_SYS(statfs), SCMP_SYS(statfs64),
    SCMP_SYS(fstatfs), SCMP_SYS(fstatfs64), SCMP_SYS(access), SCMP_SYS(faccessat), SCMP_SYS(faccessat2),
    SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(getcwd), SCMP_SYS(getdents), SCMP_SYS(getdents64),
    SCMP_SYS(getxattr), SCMP_SYS(lgetxattr), SCMP_SYS(fgetxattr), SCMP_SYS(listxattr), SCMP_SYS(llistxattr),
    SCMP_SYS(flistxattr), SCMP_SYS(linkat), SCMP_SYS(rename), SCMP_SYS(renameat), SCMP_SYS(renameat2), SCMP_SYS(mkdir),
    SCMP_SYS(mkdirat), SCMP_SYS(rmdir), SCMP_SYS(unlink), SCMP_SYS(unlinkat),
    // Memory of this process.
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(mmap2), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(mprotect),
    SCMP_SYS(madvise), SCMP_SYS(mincore), SCMP_SYS(msync), SCMP_SYS(mlock), SCMP_SYS(munlock), SCMP_SYS(membarrier),
    SCMP_SYS(get_mempolicy), SCMP_SYS(set_mempolicy), SCMP_SYS(arch_prctl), SCMP_SYS(riscv_flush_icache),
    // Threads, and signals within this process.
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(futex), SCMP_SYS(futex_time64), SCMP_SYS(futex_waitv),
    SCMP_SYS(rseq), SCMP_SYS(set_robust_list), SCMP_SYS(set_tid_address), SCMP_SYS(gettid), SCMP_SYS(getcpu),
    SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_getparam), SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max), SCMP_SYS(sched_get_priority_min), SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask), SCMP_SYS(rt_sigreturn), SCMP_SYS(sigreturn), SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigsuspend), SCMP_SYS(rt_sigtimedwait), SCMP_SYS(sigaltstack), SCMP_SYS(restart_syscall),
    // Waiting, and the time.
    SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(select), SCMP_SYS(_newselect), SCMP_SYS(pselect6), SCMP_SYS(pause),
    SCMP_SYS(epoll_create), SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(eventfd2), SCMP_SYS(timerfd_create), SCMP_SYS(timerfd_settime), SCMP_SYS(timerfd_gettime),
    SCMP_SYS(nanosleep), SCMP_SYS(clock_nanosleep), SCMP_SYS(clock_nanosleep_time64), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64), SCMP_SYS(clock_getres), SCMP_SYS(gettimeofday), SCMP_SYS(time), SCMP_SYS(times),
    // What describes this process and the system.
    SCMP_SYS(getpid), SCMP_SYS(getppid), SCMP_SYS(getuid), SCMP_SYS(geteuid), SCMP_SYS(getgid), SCMP_SYS(getegid),
    SCMP_SYS(getgroups), SCMP_SYS(getrlimit), SCMP_SYS(ugetrlimit), SCMP_SYS(getrusage), SCMP_SYS(getrandom),
    SCMP_SYS(uname), SCMP_SYS(sysinfo),
#if IS_SANITIZED
    // The sanitizer searches for leaks in a separate process that reads the memory of this one.
    SCMP_SYS(ptrace), SCMP_SYS(clone), SCMP_SYS(wait4), SCMP_SYS(prctl), SCMP_SYS(prlimit64),
#endif
};

#define SECOND_IS(value) {SCMP_A1_32(SCMP_CMP_EQ, value)}
#define NAMESPACES                                                                                             \
    (CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWCGROUP)
// Of Linux 4.17 and 5.17; older headers do not define them.
#define SET_NAME_OF_MEMORY 0x53564d41
#define GET_NEW_TERMINAL 0x802C542A

// Calls that are allowed with some arguments only.
static const struct {
    int call;
    struct scmp_arg_cmp arguments[2];
    unsigned others;
} allowed_with[] = {
    // Opening, but not emptying a file that is open for reading, which Landlock before its third version allows.
    {SCMP_SYS(open), {SCMP_A1_32(SCMP_CMP_MASKED_EQ, O_TRUNC, 0)}},
    {SCMP_SYS(openat), {SCMP_A2_32(SCMP_CMP_MASKED_EQ, O_TRUNC, 0)}},
    // Descriptors and pipes, but no signals when a file changes, no leases, and no locks.
    {SCMP_SYS(fcntl), SECOND_IS(F_DUPFD)}, {SCMP_SYS(fcntl), SECOND_IS(F_DUPFD_CLOEXEC)},
    {SCMP_SYS(fcntl), SECOND_IS(F_GETFD)}, {SCMP_SYS(fcntl), SECOND_IS(F_SETFD)},
    {SCMP_SYS(fcntl), SECOND_IS(F_GETFL)}, {SCMP_SYS(fcntl), SECOND_IS(F_GET_SEALS)},
    {SCMP_SYS(fcntl), SECOND_IS(F_GETPIPE_SZ)}, {SCMP_SYS(fcntl), SECOND_IS(F_SETPIPE_SZ)},
    {SCMP_SYS(fcntl), {SCMP_A1_32(SCMP_CMP_EQ, F_SETFL), SCMP_A2_32(SCMP_CMP_MASKED_EQ, O_ASYNC, 0)}, 1},
    // The lock that marks an incomplete output as in use.
    {SCMP_SYS(flock), SECOND_IS(LOCK_SH | LOCK_NB)},
    // Questions about a terminal or a pipe, but nothing that types into a terminal.
    {SCMP_SYS(ioctl), SECOND_IS(TCGETS)}, {SCMP_SYS(ioctl), SECOND_IS(GET_NEW_TERMINAL)},
    {SCMP_SYS(ioctl), SECOND_IS(TIOCGWINSZ)}, {SCMP_SYS(ioctl), SECOND_IS(FIONREAD)},
    // The priority of the calling thread only.
    {SCMP_SYS(setpriority), {SCMP_A0_32(SCMP_CMP_EQ, 0), SCMP_A1_32(SCMP_CMP_EQ, 0)}, 1},
#if !IS_SANITIZED
    // Threads of this process, in its namespaces.
    {SCMP_SYS(clone), {SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD | NAMESPACES, CLONE_THREAD)}},
    // Names of threads and of memory.
    {SCMP_SYS(prctl), {SCMP_A0_32(SCMP_CMP_EQ, PR_SET_NAME)}}, {SCMP_SYS(prctl), {SCMP_A0_32(SCMP_CMP_EQ, PR_GET_NAME)}},
    {SCMP_SYS(prctl), {SCMP_A0_32(SCMP_CMP_EQ, SET_NAME_OF_MEMORY)}},
    // The limits of this process, which it cannot change.
    {SCMP_SYS(prlimit64), {SCMP_A0_32(SCMP_CMP_EQ, 0), SCMP_A2_64(SCMP_CMP_EQ, 0)}, 1},
#endif
};

static int add_rules(scmp_filter_ctx filter) {
    int status = 0;
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed && status == 0; index++)
        status = library.seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, allowed[index], 0, NULL);
    for (size_t index = 0; index < sizeof allowed_with / sizeof *allowed_with && status == 0; index++)
        status = library.seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, allowed_with[index].call,
                                                1 + allowed_with[index].others, allowed_with[index].arguments);
    // Allow signals only to this process: `abort` sends one.
    struct scmp_arg_cmp own = SCMP_A0_32(SCMP_CMP_EQ, (unsigned)getpid());
    if (status == 0) status = library.seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, &own);
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

// Calls of other architectures are missing, too, including those of the x32 interface, which libseccomp treats as a
// separate architecture.
static int load_filter(void) {
    scmp_filter_ctx filter = library.seccomp_init(SCMP_ACT_ERRNO(ENOSYS));
    if (!filter) {
        errno = ENOMEM;
        return -1;
    }
    int status = library.seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(ENOSYS));
    if (status == 0) status = add_rules(filter);
    if (status == 0) status = library.seccomp_load(filter);
    library.seccomp_release(filter);
    errno = -status;
    return status == 0 ? 0 : -1;
}

int isobath_drop_privileges(void) {
    if (!library.seccomp_load && isobath_load_filter() != 0) return ISOBATH_NO_FILTER;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || drop_capabilities() != 0) return -1;
    return load_filter();
}

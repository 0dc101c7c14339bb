#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct report {
    FILE *text;
    int count;
};

static void judge(struct report *report, const char *name, long result, int code) {
    report->count++;
    if (result == -1 && (code == ENOSYS || code == EPERM || code == EACCES)) return;
    fprintf(report->text, "%s: %ld, errno %d\n", name, result, code);
}

// Without the filter, each call would do its work, or fail with another error, since most arguments are invalid.
#define CALL(name, ...)                                            \
    do {                                                           \
        errno = 0;                                                 \
        long result = syscall(SYS_##name, ##__VA_ARGS__);          \
        judge(report, #name " " #__VA_ARGS__, result, errno);      \
    } while (0)

static void change_files(struct report *report, const char *file, int open_file) {
    const char *other = "isobath-test-other";
    CALL(fchmod, open_file, 0600);
    CALL(fchmodat, AT_FDCWD, file, 0600);
    CALL(fchown, open_file, -1, -1);
    CALL(fchownat, AT_FDCWD, file, -1, -1, 0);
    CALL(utimensat, AT_FDCWD, file, NULL, 0);
    CALL(utimensat, open_file, NULL, NULL, 0);
    CALL(setxattr, file, "user.x", "y", 1, 0);
    CALL(lsetxattr, file, "user.x", "y", 1, 0);
    CALL(fsetxattr, open_file, "user.x", "y", 1, 0);
    CALL(removexattr, file, "user.x");
    CALL(lremovexattr, file, "user.x");
    CALL(fremovexattr, open_file, "user.x");
    CALL(truncate, file, 0);
    CALL(openat, AT_FDCWD, file, O_RDONLY | O_TRUNC);
    CALL(openat, AT_FDCWD, file, O_WRONLY | O_TRUNC);
    CALL(symlinkat, file, AT_FDCWD, other);
    CALL(mknodat, AT_FDCWD, other, 0010600, 0);
    CALL(name_to_handle_at, AT_FDCWD, file, NULL, NULL, 0);
    CALL(open_by_handle_at, AT_FDCWD, NULL, O_RDONLY);
    CALL(copy_file_range, open_file, NULL, open_file, NULL, 0, 0);
    CALL(inotify_init1, 0);
    CALL(fanotify_init, 0, 0);
    CALL(quotactl, 0, NULL, 0, NULL);
    CALL(umask, 0);
    CALL(chdir, "/");
    CALL(flock, open_file, 2 /* LOCK_EX */);
#ifdef SYS_chmod
    CALL(chmod, file, 0600);
    CALL(chown, file, -1, -1);
    CALL(lchown, file, -1, -1);
    CALL(utime, file, NULL);
    CALL(utimes, file, NULL);
    CALL(futimesat, AT_FDCWD, file, NULL);
    CALL(open, file, O_RDONLY | O_TRUNC);
    CALL(creat, other, 0600);
    CALL(link, file, other);
    CALL(symlink, file, other);
    CALL(mknod, other, 0010600, 0);
    CALL(inotify_init);
#endif
#ifdef SYS_fchmodat2
    CALL(fchmodat2, AT_FDCWD, file, 0600, 0);
#endif
#ifdef SYS_openat2
    CALL(openat2, AT_FDCWD, file, NULL, 0);
#endif
#ifdef SYS_quotactl_fd
    CALL(quotactl_fd, open_file, 0, 0, NULL);
#endif
    uint64_t attributes[4] = {0};
    CALL(ioctl, open_file, FS_IOC_SETFLAGS, attributes);
    CALL(ioctl, open_file, FS_IOC_FSSETXATTR, attributes);
}

static void ask_for_signals(struct report *report, int process, int open_file) {
    int owner[2] = {1, process}, yes = 1;
    CALL(fcntl, open_file, F_SETOWN, process);
    CALL(fcntl, open_file, F_SETOWN_EX, owner);
    CALL(fcntl, open_file, F_SETSIG, SIGKILL);
    CALL(fcntl, open_file, F_SETFL, O_ASYNC);
    CALL(fcntl, open_file, F_SETFL, O_ASYNC | O_NONBLOCK);
    CALL(fcntl, open_file, F_SETLEASE, F_RDLCK);
    CALL(fcntl, open_file, F_NOTIFY, DN_CREATE);
    struct flock all = {.l_type = F_RDLCK};
    CALL(fcntl, open_file, F_SETLK, &all);
    CALL(fcntl, open_file, F_SETLKW, &all);
    CALL(fcntl, open_file, F_OFD_SETLK, &all);
    CALL(ioctl, open_file, FIOASYNC, &yes);
    CALL(ioctl, open_file, 0x8901UL /* FIOSETOWN */, &process);
    CALL(ioctl, open_file, 0x8902UL /* SIOCSPGRP */, &process);
    // The kernel uses only 32 bits of the request.
    CALL(ioctl, open_file, 0x100000000UL | FIOASYNC, &yes);
    CALL(ioctl, 0, TIOCSTI, "x");
    CALL(ioctl, 0, 0x541CUL /* TIOCLINUX */, "x");
    CALL(ioctl, 0, TIOCSCTTY, 0);
    CALL(timer_create, CLOCK_MONOTONIC, NULL, NULL);
}

static void reach_processes(struct report *report, int process) {
    struct rlimit64 limits = {1, 1};
    struct {
        uint32_t size, policy;
        uint64_t others[5];
    } attributes = {.size = 48};
    int parameter = 0;
    CALL(kill, process, 0);
    CALL(kill, 0, 0);
    CALL(kill, -1, 0);
    CALL(tkill, process, 0);
    CALL(tgkill, process, process, 0);
    CALL(rt_sigqueueinfo, process, 0, NULL);
    CALL(rt_tgsigqueueinfo, process, process, 0, NULL);
    CALL(ptrace, 16 /* PTRACE_ATTACH */, process, 0, 0);
    CALL(process_vm_readv, process, NULL, 0, NULL, 0, 0);
    CALL(process_vm_writev, process, NULL, 0, NULL, 0, 0);
    CALL(kcmp, process, process, 0, 0, 0);
    CALL(prlimit64, process, RLIMIT_CPU, &limits, NULL);
    CALL(prlimit64, process, RLIMIT_CPU, NULL, &limits);
    CALL(prlimit64, 0, RLIMIT_NOFILE, &limits, NULL);
    CALL(setrlimit, RLIMIT_NOFILE, &limits);
    CALL(setpriority, PRIO_PROCESS, process, 5);
    CALL(setpriority, PRIO_PGRP, 0, 5);
    CALL(setpriority, PRIO_USER, 0, 5);
    CALL(sched_setaffinity, process, 0, NULL);
    CALL(sched_setparam, process, &parameter);
    CALL(sched_setscheduler, process, SCHED_BATCH, &parameter);
    CALL(sched_setattr, process, &attributes, 0);
    CALL(ioprio_set, 1, process, 0);
    CALL(migrate_pages, process, 0, NULL, NULL);
    CALL(move_pages, process, 0, NULL, NULL, NULL, 0);
    CALL(setpgid, process, 0);
    CALL(setsid);
    CALL(wait4, -1, NULL, 1, NULL);
#ifdef SYS_pidfd_open
    CALL(pidfd_open, process, 0);
    CALL(pidfd_send_signal, -1, 0, NULL, 0);
    CALL(pidfd_getfd, -1, 0, 0);
    CALL(process_madvise, -1, NULL, 0, 0, 0);
#endif
#ifdef SYS_process_mrelease
    CALL(process_mrelease, -1, 0);
#endif
}

static void start_others(struct report *report) {
    char *const none[] = {NULL};
    CALL(execve, "/bin/true", none, none);
    CALL(execveat, AT_FDCWD, "/bin/true", none, none, 0);
    // Flags that no thread has; the kernel rejects them without the filter.
    CALL(clone, CLONE_THREAD | CLONE_SIGHAND | CLONE_VM | CLONE_NEWUSER, 0, 0, 0, 0);
    CALL(clone, CLONE_SIGHAND, 0, 0, 0, 0);
    CALL(clone3, NULL, 0);
    CALL(unshare, CLONE_NEWUSER);
    CALL(setns, -1, 0);
    for (int kind = SOCK_STREAM; kind <= SOCK_RAW; kind++) {
        CALL(socket, AF_UNIX, kind, 0);
        CALL(socket, AF_INET, kind, 0);
        CALL(socket, AF_INET6, kind, 0);
        CALL(socket, AF_NETLINK, kind, 0);
    }
    int pair[2];
    CALL(socketpair, AF_UNIX, SOCK_STREAM, 0, pair);
    CALL(connect, -1, NULL, 0);
    CALL(bind, -1, NULL, 0);
    CALL(listen, -1, 0);
    CALL(accept4, -1, NULL, NULL, 0);
    CALL(sendto, -1, NULL, 0, 0, NULL, 0);
    CALL(sendmsg, -1, NULL, 0);
    CALL(sendmmsg, -1, NULL, 0, 0);
    CALL(recvfrom, -1, NULL, 0, 0, NULL, NULL);
    CALL(recvmsg, -1, NULL, 0);
    CALL(recvmmsg, -1, NULL, 0, 0, NULL);
}

static void communicate(struct report *report) {
    CALL(shmget, 0, 4096, 0600 | 01000);
    CALL(shmat, -1, NULL, 0);
    CALL(shmctl, -1, 0, NULL);
    CALL(msgget, 0, 0600 | 01000);
    CALL(msgsnd, -1, NULL, 0, 0);
    CALL(msgrcv, -1, NULL, 0, 0, 0);
    CALL(msgctl, -1, 0, NULL);
    CALL(semget, 0, 1, 0600 | 01000);
    CALL(semtimedop, -1, NULL, 0, NULL);
    CALL(semctl, -1, 0, 0);
    CALL(mq_open, "isobath-test", O_RDWR | O_CREAT, 0600, NULL);
    CALL(mq_unlink, "isobath-test");
    CALL(mq_notify, -1, NULL);
    CALL(add_key, NULL, NULL, NULL, 0, 0);
    CALL(request_key, NULL, NULL, NULL, 0);
    CALL(keyctl, 0, -3, 0, 0, 0);
    CALL(signalfd4, -1, NULL, 8, 0);
}

static void change_system(struct report *report) {
    CALL(mount, NULL, "/", NULL, 0, NULL);
    CALL(umount2, "/isobath-test", 0);
    CALL(pivot_root, "/isobath-test", "/isobath-test");
    CALL(chroot, "/");
    CALL(setuid, getuid());
    CALL(setgid, getgid());
    CALL(setreuid, -1, -1);
    CALL(setregid, -1, -1);
    CALL(setresuid, -1, -1, -1);
    CALL(setresgid, -1, -1, -1);
    CALL(setgroups, 0, NULL);
    CALL(setfsuid, getuid());
    CALL(capset, NULL, NULL);
    CALL(personality, 0xFFFFFFFF);
    CALL(bpf, 0, NULL, 0);
    CALL(perf_event_open, NULL, 0, -1, -1, 0);
    CALL(userfaultfd, 0);
    CALL(seccomp, 0, 1, NULL);
    CALL(prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0);
    CALL(prctl, PR_SET_DUMPABLE, 1, 0, 0, 0);
    CALL(prctl, PR_SET_SECCOMP, 1, 0, 0, 0);
    CALL(swapon, "/isobath-test", 0);
    CALL(swapoff, "/isobath-test");
    CALL(reboot, 0, 0, 0, NULL);
    CALL(init_module, NULL, 0, "");
    CALL(finit_module, -1, "", 0);
    CALL(delete_module, "isobath-test", 0);
    CALL(clock_settime, CLOCK_MONOTONIC, NULL);
    CALL(clock_adjtime, CLOCK_MONOTONIC, NULL);
    CALL(settimeofday, NULL, NULL);
    CALL(sethostname, NULL, -1);
    CALL(setdomainname, NULL, -1);
    CALL(syslog, 10, NULL, 0);
    CALL(acct, "/isobath-test");
    CALL(lookup_dcookie, 0, NULL, 0);
    CALL(io_setup, 0, NULL);
    CALL(vmsplice, -1, NULL, 0, 0);
    CALL(vhangup);
#ifdef SYS_io_uring_setup
    CALL(io_uring_setup, 0, NULL);
    CALL(io_uring_enter, -1, 0, 0, 0, NULL, 0);
    CALL(io_uring_register, -1, 0, NULL, 0);
    CALL(open_tree, AT_FDCWD, "/", 0);
    CALL(move_mount, -1, "", -1, "", 0);
    CALL(fsopen, "tmpfs", 0);
    CALL(fsmount, -1, 0, 0);
    CALL(fspick, AT_FDCWD, "/", 0);
#endif
#ifdef SYS_mount_setattr
    CALL(mount_setattr, AT_FDCWD, "/", 0, NULL, 0);
#endif
#ifdef SYS_memfd_secret
    CALL(memfd_secret, 0);
#endif
#ifdef SYS_kexec_load
    CALL(kexec_load, 0, 0, NULL, ~0UL);
#endif
#ifdef SYS_modify_ldt
    CALL(modify_ldt, 0, NULL, 0);
    CALL(ioperm, 0, 0, 0);
    CALL(iopl, 0);
#endif
#if defined(__x86_64__) && !defined(__ILP32__)
    // The x32 interface, where numbers have this bit.
    errno = 0;
    long result = syscall(0x40000000L | SYS_getpid);
    judge(report, "getpid of x32", result, errno);
#endif
    errno = 0;
    long unknown = syscall(100000);
    judge(report, "unknown", unknown, errno);
}

char *refused_calls_that_work(int process, const char *file, int *count) {
    char *text = NULL;
    size_t size = 0;
    struct report report = {.text = open_memstream(&text, &size)};
    int open_file = open(file, O_RDONLY | O_CLOEXEC);
    if (!report.text || open_file < 0) return NULL;
    change_files(&report, file, open_file);
    ask_for_signals(&report, process, open_file);
    reach_processes(&report, process);
    start_others(&report);
    communicate(&report);
    change_system(&report);
    close(open_file);
    fclose(report.text);
    *count = report.count;
    return text;
}
